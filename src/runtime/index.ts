// Programs, parameters and the engine interface. The engines themselves: node/ and web/.

export { ITERATIONS, type LoopGraph } from '../onnx/index.ts';
export type { Engine, Values } from './engine.ts';
export { type Parameter, ParameterSet, parametersOf } from './parameters.ts';
export { type Compile, type CompileOptions, compileWith, type Feeds, Program } from './program.ts';
