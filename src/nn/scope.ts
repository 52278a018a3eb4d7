// Gives parameters and results their names: a place in the model, such as `encoder.layers.0.selfAttention`.

import { type Initial, named, parameter, type Tensor } from '../tensor/index.ts';

export class Scope {
  constructor(private readonly path: string = '') {}

  /** The place of a part: `scope.child('layers.0')`. */
  child(name: string): Scope {
    return new Scope(this.nameOf(name));
  }

  /** A learned array of this place. */
  parameter(name: string, shape: readonly number[], initial: Initial): Tensor {
    return parameter(this.nameOf(name), shape, initial);
  }

  /** A result of this place that is worth seeing: a trace finds it by its name. */
  result(name: string, tensor: Tensor): Tensor {
    return named(this.nameOf(name), tensor);
  }

  /** The name of a part, a parameter or a result of this place. */
  nameOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}
