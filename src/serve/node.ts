// The Node edge: the server itself.

export { HeedServer } from './server.ts';
