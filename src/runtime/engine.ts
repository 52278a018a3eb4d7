// The interface of engines that run ONNX models. There are two: node/ and web/.

import type { DType } from '../tensor/index.ts';

/** An array that goes into a run or comes out of it, row-major. */
export interface Values {
  readonly shape: readonly number[];
  readonly data: Float32Array | Int32Array;
}

export interface SessionOptions {
  /** Threads within one operator; default: all cores, in a page what the engine takes. */
  readonly threads?: number;
  /**
   * Whether they rest after a run instead of waiting for the next in a busy loop of many milliseconds. Default false, which suits
   * runs in quick succession, as in decoding; true leaves the processor to what comes between runs, as in training.
   */
  readonly restBetweenRuns?: boolean;
  /** Whether a run has so few rows that calls of operators cost more than their computing; default false. */
  readonly fewRows?: boolean;
}

export interface EngineInput {
  readonly name: string;
  readonly dtype: DType;
  readonly values: Values;
}

export interface Session {
  run(inputs: readonly EngineInput[], outputs: readonly string[]): Promise<Record<string, Values>>;
  /** Frees the session's memory; it cannot run any more. */
  release(): Promise<void>;
}

export interface Engine {
  /**
   * Whether it has an operator, such as `Loop` or `com.microsoft:FusedMatMul`. Asked for loops and for all operators of the domain
   * com.microsoft: graphs are written without those that an engine does not have.
   */
  supports(operator: string): boolean;
  /** Makes an ONNX model ready to run. */
  load(model: Uint8Array, options: SessionOptions): Promise<Session>;
}
