// Every ONNX file whose bytes are pinned (test/golden/onnx-check.json): each operator with its gradient, and the graphs of
// a small model in training and in decoding.

import { buildModel, Transformer, transformerConfig } from '../src/architectures/index.ts';
import { decodeLoop, encodeGraph, stepGraph } from '../src/generate/index.ts';
import { encodeModel, lower, lowerLoop } from '../src/onnx/index.ts';
import { modelGraph } from '../src/tasks/index.ts';
import { gradients, input, multiply, sum, type Tensor } from '../src/tensor/index.ts';
import { type Case, type CaseInput, cases } from './operator-cases.ts';

/** Bytes by file name, without `.onnx`. */
export function onnxModels(): Map<string, Uint8Array> {
  const graphs = [...Object.entries(modelGraphs()), ...cases.map((one) => [one.title, caseGraph(one)] as const)];
  const plain = graphs.map(([name, outputs]) => [name, lower(outputs)] as const);
  return new Map([...plain, ...loopGraphs()].map(([name, { graph }]) => [fileName(name), encodeModel(graph)]));
}

/** The decode loop. */
function loopGraphs() {
  const size = { dModel: 8, heads: 2, dInner: 12, encoderLayers: 1, decoderLayers: 2 };
  const config = transformerConfig(size, { sourceVocabularySize: 11 });
  const lowered = (width: number, from: 'start' | 'states') => {
    const { outputs, loop } = decodeLoop(new Transformer(config), {
      width,
      top: width + 1,
      startId: 1,
      endId: 2,
      from,
    });
    return lowerLoop(outputs, loop, { fewRows: true });
  };
  return [
    ['paper loop, greedy', lowered(1, 'states')] as const,
    ['paper loop, beams', lowered(3, 'states')] as const,
    ['paper loop, beams from the source', lowered(3, 'start')] as const,
  ];
}

function modelGraphs(): Record<string, Record<string, Tensor>> {
  const size = { dModel: 8, heads: 2, dInner: 12, encoderLayers: 1, decoderLayers: 2 };
  const vocabulary = { sourceVocabularySize: 11 };
  const variants = {
    paper: transformerConfig(size, vocabulary),
    rotary: transformerConfig({ ...size, norm: 'pre', positions: 'rotary', activation: 'swiglu' }, vocabulary),
  };
  return Object.fromEntries(
    Object.entries(variants).flatMap(([variant, config]) => [
      [`${variant} training`, trainingOutputs(config)],
      [`${variant} encode`, encodeGraph(new Transformer(config), 4)],
      [`${variant} step`, stepGraph(new Transformer(config), { width: 3, top: 5, attentionLayer: 1 })],
      [
        `${variant} step, all tokens`,
        stepGraph(new Transformer(config), { width: 1, top: undefined, attentionLayer: undefined }),
      ],
    ]),
  );
}

function trainingOutputs(config: ReturnType<typeof transformerConfig>): Record<string, Tensor> {
  const { loss, parameters } = modelGraph(buildModel(config, { dropout: true }), 0.1);
  const slopes = gradients(loss.total, parameters).map((slope, i) => [`gradient.${i}`, slope] as const);
  return { loss: loss.total, ...Object.fromEntries(slopes) };
}

/** An operator's output, and the gradients of a weighted sum of it. */
function caseGraph({ inputs, build, differentiable }: Case): Record<string, Tensor> {
  const isIds = ({ values }: CaseInput) => typeof values === 'object';
  const leaves = inputs.map((one, i) => input(`x${i}`, isIds(one) ? 'int32' : 'float32', one.shape));
  const output = build(leaves);
  const wanted = leaves.filter((_, i) => differentiable?.includes(i) ?? !isIds(inputs[i]));
  if (output.dtype !== 'float32' || wanted.length === 0) return { output };
  const loss = sum(multiply(output, input('weights', 'float32', output.shape)));
  const slopes = gradients(loss, wanted).map((slope, i) => [`slope${i}`, slope] as const);
  return { output, ...Object.fromEntries(slopes) };
}

/** `add [b, 1, s] [b, t, s]` → `add-b-1-s-b-t-s` */
function fileName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9.]+/g, '-').replace(/-$/, '');
}
