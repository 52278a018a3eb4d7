// Names parameters and results by their path in the model, such as `encoder.layers.0.selfAttention`.

import { type Initial, named, parameter, type Tensor } from '../tensor/index.ts';

export class Scope {
  constructor(private readonly path: string = '') {}

  /** The scope of a part: `scope.child('layers.0')`. */
  child(name: string): Scope {
    return new Scope(this.nameOf(name));
  }

  /** A parameter (learned array) of this scope. */
  parameter(name: string, shape: readonly number[], initial: Initial): Tensor {
    return parameter(this.nameOf(name), shape, initial);
  }

  /** Names an intermediate result, so that traces can record it. */
  result(name: string, tensor: Tensor): Tensor {
    return named(this.nameOf(name), tensor);
  }

  /** The full name of a part, parameter or result of this scope. */
  nameOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}
