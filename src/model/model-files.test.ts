// Models as the contents of their files: written and read without loss; inconsistent files are refused.

import { describe, expect, it } from 'vitest';
import { smallModel, smallText, smallTokenizer } from '../../test/small-model.ts';
import { HeedError } from '../base/error.ts';
import { version } from '../base/version.ts';
import { formatModel, type ModelFiles, parseModel } from './model-files.ts';
import { decodeSafetensors, encodeSafetensors } from './safetensors.ts';

const joint = smallModel();
const files = formatModel(joint);

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof HeedError) return error.message;
    throw error;
  }
  return 'no error';
}

const messageFor = (changes: Partial<ModelFiles>) => messageOf(() => parseModel({ ...files, ...changes }, 'm'));

/** The files with other keys in config.json. */
function withConfig(change: (config: Record<string, unknown>) => void): Partial<ModelFiles> {
  const config = JSON.parse(files.config);
  change(config);
  return { config: JSON.stringify(config) };
}

const withArchitecture = (changes: Record<string, unknown>) =>
  withConfig((config) => Object.assign(config.architecture as object, changes));

describe('formatModel and parseModel', () => {
  it('round-trip a model with one tokenizer for both sides', () => {
    const model = parseModel(files, 'm');
    expect(model.config).toEqual(joint.config);
    expect(model.parameters.parameters).toEqual(joint.parameters.parameters);
    expect(model.generation).toEqual({ beam: 4, lengthPenalty: 'gnmt:0.6' });
    expect(model.training).toEqual({ seed: 1, labelSmoothing: 0.1 });
    expect(model.sourceTokenizer).toBe(model.targetTokenizer);
    expect(JSON.stringify(model.sourceTokenizer)).toBe(JSON.stringify(joint.sourceTokenizer));
    expect(formatModel(model)).toEqual(files);
  });

  it('round-trip a model with a tokenizer for each side', () => {
    const separate = smallModel({ separate: true });
    const model = parseModel(formatModel(separate), 'm');
    expect(model.sourceTokenizer.size).toBe(separate.sourceTokenizer.size);
    expect(model.targetTokenizer.size).toBe(separate.targetTokenizer.size);
    expect(model.parameters.data).toEqual(separate.parameters.data);
  });

  it('write config.json as documented', () => {
    expect(JSON.parse(files.config)).toEqual({
      format: 'heed',
      version: 2,
      writtenBy: version,
      architecture: joint.config,
      training: { seed: 1, labelSmoothing: 0.1 },
    });
    const names = [...decodeSafetensors(files.weights, 'm').arrays.keys()];
    expect(names).toContain('encoder.layers.0.selfAttention.query.weight');
  });

  it('read a file of version 1, which has no kind, and give absent options their defaults', () => {
    const old = withConfig((config) => {
      const { kind: _, decoderMixer, maxPositions, ...architecture } = config.architecture as Record<string, unknown>;
      expect([decoderMixer, maxPositions]).toEqual(['attention', 1024]);
      Object.assign(config, { version: 1, writtenBy: undefined, architecture });
    });
    expect(parseModel({ ...files, ...old }, 'm').config).toEqual(joint.config);
  });

  it('work without generation.json', () => {
    expect(parseModel({ ...files, generation: undefined }, 'm').generation).toEqual({});
  });
});

describe('parseModel refuses config.json', () => {
  it.each<[string, Partial<ModelFiles>, string]>([
    ['cut off', { config: files.config.slice(0, 60) }, 'm/config.json: is not JSON, or is cut off ('],
    ['empty', { config: '' }, 'm/config.json: is not JSON, or is cut off ('],
    ['that is a list', { config: '[]' }, 'm/config.json: must hold a JSON object, {…}.'],
    ['of another tool', { config: '{"model_type":"marian"}' }, '"format" must be "heed", got undefined.'],
    [
      'of a newer heed',
      withConfig((config) => Object.assign(config, { version: 3, more: 1 })),
      'm/config.json: was written by a newer version of heed (version 3, this one reads 2): update heed.',
    ],
    ['without a version', withConfig((config) => delete config.version), '"version" must be a whole number from 1'],
    [
      'with an unknown key',
      withConfig((config) => Object.assign(config, { trainings: {} })),
      'm/config.json: unknown key "trainings"; did you mean training?',
    ],
    ['without training', withConfig((config) => delete config.training), '"training" must be a JSON object, {…}.'],
    [
      'without architecture',
      withConfig((config) => delete config.architecture),
      '"architecture" must be a JSON object, {…}.',
    ],
    ['with a misspelt option', withArchitecture({ haeds: 2 }), 'unknown key "haeds"; did you mean heads?'],
    [
      'with an unknown option, naming the version that wrote it',
      withConfig((config) => {
        config.writtenBy = '9.8.7';
        Object.assign(config.architecture as object, { experts: 2 });
      }),
      `unknown key "experts". The file was written by heed 9.8.7; this is heed ${version}.`,
    ],
    [
      'without the size of a vocabulary',
      withConfig((config) => delete (config.architecture as Record<string, unknown>).targetVocabularySize),
      'm/config.json: "architecture": targetVocabularySize: Invalid input',
    ],
    ['of an unknown kind', withArchitecture({ kind: 'encoder-decoderr' }), 'did you mean encoder-decoder? Known: '],
    ['with an option of another type', withArchitecture({ heads: '2' }), 'm/config.json: "architecture": heads: '],
    [
      'with options that contradict each other',
      withArchitecture({ positions: 'rotary', dKey: 3 }),
      'm/config.json: "architecture": positions: rotary positions need an even dKey, got 3.',
    ],
    [
      'with a fractional vocabulary size',
      withArchitecture({ sourceVocabularySize: 0.5 }),
      '"architecture": sourceVocabularySize: Invalid input: expected int',
    ],
  ])('%s', (_, changes, message) => {
    expect(messageFor(changes)).toContain(message);
  });
});

describe('parseModel refuses', () => {
  it('a damaged generation.json', () => {
    expect(messageFor({ generation: '{"beam": ' })).toContain('m/generation.json: is not JSON, or is cut off (');
    expect(messageFor({ generation: '4' })).toBe('m/generation.json: must hold a JSON object, {…}.');
  });

  it('a damaged tokenizer', () => {
    expect(messageFor({ tokenizers: { joint: '{' } })).toMatch(/^m\/tokenizer\.json: /);
    const source = JSON.stringify(joint.sourceTokenizer);
    expect(messageFor({ tokenizers: { source, target: '' } })).toMatch(/^m\/tokenizer\.target\.json: /);
    expect(messageFor({ tokenizers: { source: '', target: source } })).toMatch(/^m\/tokenizer\.source\.json: /);
  });

  it('a tokenizer of another size, with both numbers', () => {
    const other = smallTokenizer(3);
    const rows = joint.config.sourceVocabularySize;
    const message = `m: the source tokenizer has ${other.size} pieces, the source embedding ${rows} rows; they must`;
    expect(messageFor({ tokenizers: { joint: JSON.stringify(other) } })).toContain(message);
    const separate = formatModel(smallModel({ separate: true }));
    const source = 'source' in separate.tokenizers ? separate.tokenizers.source : '';
    const swapped = { ...separate, tokenizers: { source, target: source } };
    expect(messageOf(() => parseModel(swapped, 'm'))).toContain('m: the target tokenizer has');
  });

  it('padding that is not the tokenizer’s', () => {
    const message = 'm: the target tokenizer pads with 0, config.json says 1; use the files';
    expect(messageFor(withArchitecture({ targetPadId: 1 }))).toContain(message);
  });

  it('two different tokenizers with tied embeddings, also when saving', () => {
    const target = smallTokenizer(10, [...smallText].reverse().join(''));
    const tokenizers = { source: JSON.stringify(joint.sourceTokenizer), target: JSON.stringify(target) };
    const message = 'tied embeddings need one tokenizer for both sides, got two different ones; use the files';
    const { sourceVocabularySize: size } = joint.config;
    expect(target.size, 'the test needs equal sizes').toBe(size);
    expect(messageFor({ tokenizers })).toContain(`m: ${message}`);
    expect(messageOf(() => formatModel({ ...joint, targetTokenizer: target }))).toContain(`model: ${message}`);
  });

  it('weights that are cut off, of other shapes, too few or too many', () => {
    const arrays = [...decodeSafetensors(files.weights, 'm').arrays.values()];
    const messageWith = (changed: typeof arrays) => messageFor({ weights: encodeSafetensors(changed) });
    const [first, ...rest] = arrays;
    expect(messageFor({ weights: files.weights.subarray(0, -1) })).toContain('m/model.safetensors: is cut off: ');
    expect(messageWith(rest)).toBe(`m/model.safetensors: has no parameter ${first.name}.`);
    const flat = { ...first, shape: [first.data.length] };
    expect(messageWith([flat, ...rest])).toContain(`m/model.safetensors: ${first.name} must be [`);
    const more = { ...first, name: 'decoder.layers.9.norm.gain' };
    const message = 'm/model.safetensors: has parameters that this architecture lacks: decoder.layers.9.norm.gain.';
    expect(messageWith([...arrays, more])).toBe(message);
  });
});
