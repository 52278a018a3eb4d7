// What operators write ONNX with: collects nodes and constants and gives their results names.

import type { EmittedBody, Emitter, OnnxAttribute } from '../tensor/index.ts';
import { namesRead, type OnnxInitializer, type OnnxNode } from './graph.ts';

/** Nodes whose outputs are optional but for the first. */
const OPTIONAL_OUTPUTS = new Set(['LayerNormalization']);

type Attributes = Readonly<Record<string, OnnxAttribute>>;

/** Lowers a body: the names of its results, given those of its leaves. */
type LowerBody = (writer: GraphWriter, body: EmittedBody, leaves: readonly string[]) => readonly string[];

export class GraphWriter implements Emitter {
  readonly written: OnnxNode[] = [];
  readonly initializers: OnnxInitializer[];
  private readonly constants: Map<string, string>;
  /** What names begin with: a body sees those around it, so that its own must be others. */
  private readonly prefix: string;

  /** @param around the writer of the graph around, if this is one of a body: it has the constants of both */
  constructor(
    private readonly lowerBody: LowerBody,
    around?: GraphWriter,
  ) {
    this.initializers = around?.initializers ?? [];
    this.constants = around?.constants ?? new Map();
    this.prefix = around === undefined ? '' : `${around.prefix}body.${around.written.length}.`;
  }

  node(type: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.nodes(type, inputs, 1, attributes)[0];
  }

  nodes(type: string, inputs: readonly string[], count: number, attributes: OnnxNode['attributes'] = {}): string[] {
    const outputs = Array.from({ length: count }, (_, i) => `${this.prefix}${type}.${this.written.length}.${i}`);
    this.written.push({ type, inputs, outputs, attributes });
    return outputs;
  }

  nodeWithBody(type: string, inputs: readonly string[], body: EmittedBody, attributes: Attributes = {}): string[] {
    const writer = new GraphWriter(this.lowerBody, this);
    const leaves = body.leaves.map(({ dtype, shape }, i) => ({ name: `${writer.prefix}leaf.${i}`, dtype, shape }));
    const names = leaves.map(({ name }) => name);
    const results = this.lowerBody(writer, body, names).map((result, i) => {
      const { dtype, shape } = body.results[i];
      const name = `${writer.prefix}result.${i}`;
      writer.output(result, name);
      return { name, dtype, shape };
    });
    const graph = { nodes: writer.withoutUnused(), initializers: [], inputs: leaves, outputs: results };
    return this.nodes(type, inputs, results.length, { ...attributes, body: graph });
  }

  floats(values: ArrayLike<number> | number, shape: readonly number[] = []): string {
    return this.constant(
      'float',
      shape,
      typeof values === 'number' ? Float32Array.of(values) : Float32Array.from(values),
    );
  }

  int32s(values: ArrayLike<number> | number, shape: readonly number[] = []): string {
    return this.constant('int32', shape, typeof values === 'number' ? Int32Array.of(values) : Int32Array.from(values));
  }

  int64s(values: readonly number[]): string {
    return this.constant('int64', [values.length], BigInt64Array.from(values.map(BigInt)));
  }

  /** A uint8 scalar, as quantization wants for its zero points. */
  uint8(value: number): string {
    return this.constant('uint8', [], Uint8Array.of(value));
  }

  /** A constant with a name given by the caller, written at its first use. */
  shared(initializer: OnnxInitializer): string {
    const known = this.initializers.some(({ name }) => name === initializer.name);
    return known ? initializer.name : this.initializer(initializer);
  }

  /** A constant under a name of the caller's. */
  initializer(initializer: OnnxInitializer): string {
    this.initializers.push(initializer);
    return initializer.name;
  }

  /** Leaves out the last outputs of nodes that may do without, where nobody reads them. */
  withoutUnused(): OnnxNode[] {
    const used = new Set(this.written.flatMap(namesRead));
    return this.written.map((node) => {
      if (!OPTIONAL_OUTPUTS.has(node.type)) return node;
      const last = node.outputs.findLastIndex((name) => used.has(name));
      return { ...node, outputs: node.outputs.slice(0, Math.max(1, last + 1)) };
    });
  }

  /** Gives a result the name under which the graph returns it. */
  output(result: string, name: string): void {
    this.written.push({ type: 'Identity', inputs: [result], outputs: [name], attributes: {} });
  }

  /** Small constants that are equal are written once. */
  private constant(kind: string, shape: readonly number[], data: OnnxInitializer['data']): string {
    if (data.length > 16) return this.initializer({ name: `${kind}.${this.initializers.length}`, shape, data });
    const key = `${kind}[${shape.join()}](${data.join()})`;
    const known = this.constants.get(key);
    if (known !== undefined) return known;
    this.constants.set(key, key);
    return this.initializer({ name: key, shape, data });
  }
}
