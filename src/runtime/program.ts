// Programs: tensor graphs compiled once by an engine and run many times. All other code uses this interface only.

import { HeedError } from '../base/error.ts';
import type { Random } from '../base/random.ts';
import { encodeModel, type LoopGraph, type LowerOptions, lower, lowerLoop, type OnnxValueInfo } from '../onnx/index.ts';
import { formatShape, type KeepMaskAttributes, type Tensor } from '../tensor/index.ts';
import type { Engine, EngineInput, Session, SessionOptions, Values } from './engine.ts';
import { fillKeepMask } from './keep-mask.ts';

/** With weights, parameters become constants of the graph (faster, for inference); without, each run is fed them. */
export interface CompileOptions extends SessionOptions, LowerOptions {
  /** Makes a program of several iterations a run, at most as many as it is fed as `iterations`; its outputs are stacked, [iterations done, …], and the results join them. */
  readonly loop?: LoopGraph;
}

export type Feeds = ReadonlyMap<string, Values>;

/** Makes outputs a program. */
export interface Compile {
  (outputs: Readonly<Record<string, Tensor>>, options?: CompileOptions): Promise<Program>;
  /** As the engine's. A caller asks for `Loop` before it compiles one. Default: all operators. */
  readonly supports?: Engine['supports'];
}

/** `compile` for an engine. */
export function compileWith(engine: Engine): Compile {
  const supports = (operator: string) => engine.supports(operator);
  const compile: Compile = async (outputs, { loop, ...given } = {}) => {
    const options = { supports, ...given };
    const { graph, keepMasks } = loop === undefined ? lower(outputs, options) : lowerLoop(outputs, loop, options);
    const session = await engine.load(encodeModel(graph), options);
    const names = graph.outputs.map(({ name }) => name);
    return new Program(session, graph.inputs, names, keepMasks);
  };
  return Object.assign(compile, { supports });
}

export class Program {
  private readonly buffers = new Map<string, Float32Array>();

  constructor(
    private readonly session: Session,
    /** What a run must be fed; keep-masks among them are drawn by the run itself. */
    readonly inputs: readonly OnnxValueInfo[],
    private readonly outputs: readonly string[],
    private readonly keepMasks: ReadonlyMap<string, KeepMaskAttributes>,
  ) {}

  /**
   * Computes the outputs. Each named dimension is bound by the first feed that has it, and must agree in all others.
   * @param random draws the dropout masks; needed if the graph has any
   */
  async run(feeds: Feeds, random?: Random): Promise<Record<string, Values>> {
    const sizes = new Map<string, number>();
    const fed = this.inputs.filter(({ name }) => !this.keepMasks.has(name));
    const ready: EngineInput[] = fed.map(({ name, dtype, shape }) => {
      const values = feeds.get(name);
      if (values === undefined) throw new HeedError('run', `no value for input ${name} ${formatShape(shape)}.`);
      bind(name, shape, values.shape, sizes);
      return { name, dtype, values };
    });
    for (const [name, mask] of this.keepMasks) {
      if (random === undefined) throw new HeedError('run', 'a graph with dropout needs a random stream.');
      ready.push({ name, dtype: 'float32', values: this.drawMask(name, mask, sizes, random) });
    }
    return this.session.run(ready, this.outputs);
  }

  release(): Promise<void> {
    return this.session.release();
  }

  /** A mask's buffer is kept and grows as needed, so that runs allocate nothing. */
  private drawMask(name: string, { shape, rate }: KeepMaskAttributes, sizes: Map<string, number>, random: Random) {
    const concrete = shape.map((dim) => (typeof dim === 'number' ? dim : (sizes.get(dim) ?? Number.NaN)));
    const size = concrete.reduce((product, dim) => product * dim, 1);
    if (Number.isNaN(size)) throw new HeedError('run', `no feed gives the size of a mask ${formatShape(shape)}.`);
    let buffer = this.buffers.get(name);
    if (buffer === undefined || buffer.length < size) {
      buffer = new Float32Array(size);
      this.buffers.set(name, buffer);
    }
    const data = buffer.subarray(0, size);
    fillKeepMask(data, rate, random);
    return { shape: concrete, data };
  }
}

/** Checks a fed shape and learns the sizes of its named dimensions. */
function bind(
  name: string,
  shape: readonly (number | string)[],
  got: readonly number[],
  sizes: Map<string, number>,
): void {
  const fits =
    got.length === shape.length &&
    shape.every((dim, axis) => {
      if (typeof dim === 'number') return dim === got[axis];
      if (!sizes.has(dim)) sizes.set(dim, got[axis]);
      return sizes.get(dim) === got[axis];
    });
  if (fits) return;
  const bound = [...sizes].map(([dim, size]) => `${dim} = ${size}`).join(', ');
  throw new HeedError('run', `${name} must be ${formatShape(shape)} with ${bound}, got ${formatShape(got)}.`);
}
