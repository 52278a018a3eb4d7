// Models as files. These exports do not access the disk and work in a page; for folders see node.ts.

export { averageParameters } from './average.ts';
export { type CardData, type CardFacts, type CardScore, modelCard } from './card.ts';
export { type Direction, directionsOf } from './directions.ts';
export type { JsonObject } from './json.ts';
export {
  fileNames,
  formatModel,
  type ModelFiles,
  parseModel,
  type TokenizerFiles,
} from './model-files.ts';
export { quantizeModel } from './quantize.ts';
export { decodeSafetensors, encodeSafetensors, type NamedArray, type SafetensorsContent } from './safetensors.ts';
export type { StoredModel } from './stored-model.ts';
