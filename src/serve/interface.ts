// What each of the server's HTTP interfaces is built with.

import type { Guard } from './http/guard.ts';
import type { ServeOptions } from './options.ts';
import type { Service } from './service.ts';

export interface InterfaceSetup {
  readonly service: Service;
  readonly guard: Guard;
  readonly options: ServeOptions;
}
