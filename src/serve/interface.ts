// What each of the server's interfaces is built with.

import type { Gate } from './gate.ts';
import type { ServeOptions } from './options.ts';
import type { Service } from './service.ts';

export interface InterfaceSetup {
  readonly service: Service;
  readonly gate: Gate;
  readonly options: ServeOptions;
}
