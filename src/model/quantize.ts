// Models with int8 weights: each matrix is stored as int8 with a scale per row or column.

import { type ArchitectureConfig, batchLogits, buildModel } from '../architectures/index.ts';
import { HeedError } from '../base/error.ts';
import {
  activationRanges,
  dequantizeMatrix,
  LARGEST_WEIGHT,
  type QuantizedMatrix,
  quantizationAxes,
  quantizeMatrix,
} from '../onnx/index.ts';
import type { ParameterSet } from '../runtime/index.ts';
import type { Tensor } from '../tensor/index.ts';
import type { NamedArray, NamedInt8Array, SafetensorsContent } from './safetensors.ts';
import type { StoredModel } from './stored-model.ts';

const scaleSuffix = '.scale';

/** The same model with int8 matrices. Its float parameters become the dequantised values. */
export function quantizeModel(model: StoredModel): StoredModel {
  const outputs = wholeModel(model.config);
  const axes = quantizationAxes(outputs);
  const quantized = new Map<string, QuantizedMatrix>();
  const parameters = model.parameters.copy();
  for (const { name, shape, data } of parameters.parameters) {
    const axis = axes.get(name);
    if (axis === undefined) continue;
    const matrix = quantizeMatrix({ shape, data }, axis);
    quantized.set(name, matrix);
    data.set(dequantizeMatrix(matrix));
  }
  return { ...model, parameters, quantized: withActivationRanges(quantized, parameters, outputs) };
}

/** The same matrices with the activation ranges of their inputs, if they follow from the weights. */
export function withActivationRanges(
  quantized: ReadonlyMap<string, QuantizedMatrix>,
  parameters: ParameterSet,
  outputs: ReturnType<typeof wholeModel>,
): Map<string, QuantizedMatrix> {
  const ranges = activationRanges(outputs, parameters.weights());
  return new Map([...quantized].map(([name, matrix]) => [name, { ...matrix, inputRange: ranges.get(name) }]));
}

/** The arrays to store: float parameters unchanged, quantised matrices as int8 with their scales. */
export function quantizedArrays(
  parameters: ParameterSet,
  quantized: ReadonlyMap<string, QuantizedMatrix>,
): (NamedArray | NamedInt8Array)[] {
  const scales = [...quantized].map(([name, { scales, axis }]): NamedArray => {
    // The shape with which the scales are broadcast over the matrix.
    return { name: `${name}${scaleSuffix}`, shape: axis === 0 ? [scales.length, 1] : [1, scales.length], data: scales };
  });
  const codes = [...quantized].map(([name, { shape, data }]): NamedInt8Array => ({ name, shape, data }));
  const floats = parameters.parameters.filter(({ name }) => !quantized.has(name));
  return [...floats, ...scales, ...codes];
}

/**
 * The reverse: the quantised matrices of a file, and all its parameters as floats.
 *
 * @throws HeedError for codes that products cannot be computed with on every processor
 */
export function readQuantized({ arrays, int8Arrays }: SafetensorsContent): {
  arrays: Map<string, NamedArray>;
  quantized: Map<string, QuantizedMatrix> | undefined;
} {
  const floats = new Map(arrays);
  const quantized = new Map<string, QuantizedMatrix>();
  for (const { name, shape, data } of int8Arrays.values()) {
    const scales = floats.get(`${name}${scaleSuffix}`);
    // A matrix without its scales is left out, and reported as missing by the caller.
    if (scales === undefined || shape.length !== 2) continue;
    if (data.some((code) => Math.abs(code) > LARGEST_WEIGHT)) {
      throw new HeedError(
        name,
        `int8 weights must lie within ±${LARGEST_WEIGHT}; make the model anew by heed quantize.`,
      );
    }
    const axis = scales.shape[0] === shape[0] && scales.shape[1] === 1 ? 0 : 1;
    const matrix: QuantizedMatrix = { shape: [shape[0], shape[1]], data, scales: scales.data, axis };
    floats.delete(scales.name);
    floats.set(name, { name, shape, data: dequantizeMatrix(matrix) });
    quantized.set(name, matrix);
  }
  return { arrays: floats, quantized: quantized.size === 0 ? undefined : quantized };
}

/** The training graph, which contains every parameter. */
export function wholeModel(config: ArchitectureConfig): [Tensor] {
  return [batchLogits(buildModel(config))];
}
