// The states of a batch between decoding steps, of all kinds.

import type { SequenceModel } from '../architectures/index.ts';
import type { StateSpec } from '../nn/index.ts';
import type { Values } from '../runtime/index.ts';
import { AppendStates, type StoreSize } from './append-states.ts';
import type { ArrayPool } from './array-pool.ts';
import { keepBlocks } from './blocks.ts';
import { replacedName, restOf } from './state-layout.ts';

/** Inputs of a program, by name. */
export type Feeds = readonly (readonly [string, Values])[];
/** Results of a run, by name. */
export type StepResults = Readonly<Record<string, Values>>;

export class StateStore {
  private fixed: StepResults;
  private readonly appended: AppendStates;
  /** For each state by name, [rows, …shape] after the last step. */
  private replaced: ReadonlyMap<string, Values>;
  /** The active sentences, by their index in the batch. */
  private active: Int32Array;
  private readonly width: number;

  /** @param encoded the fixed states, as results of `encodeGraph` */
  constructor(
    specs: SequenceModel['states'],
    { size, encoded, pool }: { size: StoreSize; encoded: StepResults; pool: ArrayPool },
  ) {
    const { sentences, width } = size;
    this.fixed = encoded;
    this.appended = new AppendStates(specs, size, pool);
    this.replaced = new Map(
      specs.filter(({ kind }) => kind === 'replace').map((spec) => [spec.name, zeros(spec, sentences * width)]),
    );
    this.active = Int32Array.from({ length: sentences }, (_, i) => i);
    this.width = width;
  }

  /** Steps done. */
  get length(): number {
    return this.appended.length;
  }

  /** Inputs of the next step besides its tokens. */
  feeds(): Feeds {
    const { appended, width } = this;
    const sentences = this.active.length;
    const replaced = [...this.replaced].map(([name, { shape, data }]) => {
      return [name, { shape: [sentences, width, ...shape.slice(1)], data }] as const;
    });
    return [
      ...Object.entries(this.fixed),
      ...appended.feeds,
      ...replaced,
      ...(width === 1 ? [] : [['mask', appended.mask] as const]),
      ['keyPositions', appended.keyPositions],
      ['position', { shape: [1], data: Int32Array.of(appended.length) }],
    ];
  }

  /** Stores a step's results: new positions of states of kind `append`, new values of kind `replace`. */
  advance(results: StepResults): void {
    this.appended.append(results);
    this.replaced = new Map([...this.replaced.keys()].map((name) => [name, asRows(results[replacedName(name)])]));
  }

  /** Sets the rows of the next step: for each, the row of the last step that it continues. No effect before the first step. */
  reorder(parents: Int32Array): void {
    if (this.length === 0) return;
    this.appended.reorder(parents);
    this.replaced = new Map([...this.replaced].map(([name, values]) => [name, rowsAt(values, parents)]));
  }

  /** Drops the states of finished sentences; call before `reorder`. @param sentences still active, ascending */
  retain(sentences: Int32Array): void {
    if (sentences.length === this.active.length) return;
    const placeOf = new Map(Array.from(this.active, (sentence, place) => [sentence, place]));
    const kept = Array.from(sentences, (sentence) => placeOf.get(sentence) ?? 0);
    this.appended.retain(kept);
    this.fixed = Object.fromEntries(Object.entries(this.fixed).map(([name, values]) => [name, retained(values, kept)]));
    this.active = sentences.slice();
  }

  /** Releases the buffers; the store must not be used afterwards. */
  release(): void {
    this.appended.release();
  }
}

function zeros(spec: StateSpec, rows: number): Values {
  const shape = [rows, ...restOf(spec)];
  return { shape, data: new Float32Array(shape.reduce((product, dim) => product * dim)) };
}

/** [B, W, …] → [rows, …] */
function asRows({ shape: [sentences, width, ...rest], data }: Values): Values {
  return { shape: [sentences * width, ...rest], data };
}

/** The rows of the given indices, in their order. */
function rowsAt({ shape: [rows, ...rest], data }: Values, indices: Int32Array): Values {
  const size = data.length / rows;
  const chosen = new Float32Array(indices.length * size);
  indices.forEach((index, row) => {
    chosen.set(data.subarray(index * size, (index + 1) * size), row * size);
  });
  return { shape: [indices.length, ...rest], data: chosen };
}

/** Selects sentences (ascending) along the first axis, in place. */
function retained({ shape, data }: Values, places: readonly number[]): Values {
  const [blocks] = shape;
  const size = data.length / blocks;
  keepBlocks(data as Float32Array, places, { size, blocks, times: 1 });
  return { shape: [places.length, ...shape.slice(1)], data: data.subarray(0, places.length * size) };
}
