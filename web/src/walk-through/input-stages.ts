// Sections 3.4 and 3.5: from token ids to the input of the first layer; and the output of a stack of layers.

import type { TransformerConfig } from '../../../src/architectures/index.ts';
import type { StageContext } from './attention-stages.ts';
import { numbersOf, type Part, type Stage } from './stage.ts';
import { format } from './sums.ts';

export interface StackPlace {
  readonly stack: 'encoder' | 'decoder';
  readonly part: Part;
  readonly side: 'source' | 'target';
  readonly rows: readonly string[];
}

export function tokenStage({ stack, part, side }: StackPlace): Stage {
  return {
    id: `${stack}.tokens`,
    part,
    side,
    text: side === 'source' ? 'sourceTokens' : 'targetTokens',
    section: side === 'source' ? '5.1' : '3.1',
    formula: side === 'source' ? String.raw`x = (x_1, \dots, x_n)` : String.raw`(\langle s\rangle, y_1, \dots, y_{m})`,
    matrices: [],
    result: '',
    originOf: () => undefined,
  };
}

export function embeddingStage({ stack, part, side, rows }: StackPlace, { reader, config }: StageContext): Stage {
  const matrix = numbersOf(rows);
  const embedding = matrix('embedding', 'E[x]', reader.rows(`${stack}.embedding`));
  const scaled = matrix('scaledEmbedding', String.raw`E[x]\sqrt{d}`, reader.rows(`${stack}.scaledEmbedding`));
  const { dModel } = config;
  return {
    id: `${stack}.embedding`,
    part,
    side,
    text: 'embedding',
    section: '3.4',
    formula: String.raw`E[x] \cdot \sqrt{d_\text{model}} \qquad d_\text{model} = ${dModel}`,
    matrices: [embedding, scaled],
    result: 'scaledEmbedding',
    originOf: (id, row, column) =>
      id === 'scaledEmbedding'
        ? {
            regions: [{ matrix: 'embedding', row, column }],
            sum: `${format(embedding.values[row][column])} × √${dModel} = ${format(scaled.values[row][column])}`,
          }
        : undefined,
  };
}

/** With rotary or without positions nothing is added, and there is no such stage. */
export function positionStages({ stack, part, side, rows }: StackPlace, { reader, config }: StageContext): Stage[] {
  if (!reader.has(`${stack}.positions.encoding`)) return [];
  const matrix = numbersOf(rows);
  const scaled = matrix('scaledEmbedding', String.raw`E[x]\sqrt{d}`, reader.rows(`${stack}.scaledEmbedding`));
  const encoding = matrix('encoding', 'PE', reader.rows(`${stack}.positions.encoding`));
  const input = matrix('input', 'X', reader.rows(`${stack}.input`));
  return [
    {
      id: `${stack}.positions`,
      part,
      side,
      text: 'positions',
      section: '3.5',
      formula: positionFormulas[config.positions],
      matrices: [scaled, encoding, input],
      result: 'input',
      originOf: (id, row, column) => {
        const position = encoding.values[row][column];
        if (id === 'encoding') return { regions: [], sum: `${angleOf(config, row, column)} = ${format(position)}` };
        if (id !== 'input') return undefined;
        const sum = `${format(scaled.values[row][column])} + ${angleOf(config, row, column)} = ${format(scaled.values[row][column])} + ${format(position)} = ${format(input.values[row][column])}`;
        return { regions: ['scaledEmbedding', 'encoding'].map((name) => ({ matrix: name, row, column })), sum };
      },
    },
  ];
}

const sinusoids = String.raw`PE_{(pos,2i)} = \sin\frac{pos}{10000^{2i/d}} \qquad PE_{(pos,2i+1)} = \cos\frac{pos}{10000^{2i/d}}`;

const positionFormulas: Record<TransformerConfig['positions'], string> = {
  interleaved: String.raw`X = E[x]\sqrt{d} + PE \\[4pt] ${sinusoids}`,
  concatenated: String.raw`X = E[x]\sqrt{d} + PE \\[4pt] PE = [\sin, \cos]`,
  learned: String.raw`X = E[x]\sqrt{d} + P[pos]`,
  rotary: 'X = E[x]\\sqrt{d}',
  none: 'X = E[x]\\sqrt{d}',
};

/** The formula of one entry of PE with its numbers; learned positions are a row of a table. */
function angleOf({ positions, dModel }: TransformerConfig, position: number, column: number): string {
  if (positions === 'interleaved') {
    const even = column - (column % 2);
    return `${column % 2 === 0 ? 'sin' : 'cos'}(${position} / 10000^(${even}/${dModel}))`;
  }
  return `PE(${position})`;
}

/** The output of all layers of a stack. */
export function stackOutputStage({ stack, side, rows }: StackPlace, { reader }: StageContext): Stage {
  const output = numbersOf(rows)('stackOutput', stack === 'encoder' ? 'M' : 'Y', reader.rows(`${stack}.output`));
  return {
    id: `${stack}.output`,
    part: stack === 'encoder' ? 'encoderFeedForward' : 'output',
    side,
    text: stack === 'encoder' ? 'encoderOutput' : 'decoderOutput',
    section: '3.1',
    formula: stack === 'encoder' ? String.raw`M = \text{Encoder}(x)` : String.raw`Y = \text{Decoder}(y, M)`,
    matrices: [output],
    result: 'stackOutput',
    originOf: () => undefined,
  };
}
