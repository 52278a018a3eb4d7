// The server itself, with all that it is made of.

export { HeedServer } from './server.ts';
