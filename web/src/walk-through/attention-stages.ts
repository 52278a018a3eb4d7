// Sections 3.2.1–3.2.3: scaled dot-product attention of one head, step by step, and the concatenation of all heads.

import type { TransformerConfig } from '../../../src/architectures/index.ts';
import type { TensorReader } from './reader.ts';
import { type Matrix, numbersOf, type Part, type Stage, type StageWords } from './stage.ts';
import { dot, dotSum, format, softmaxSum } from './sums.ts';

export interface AttentionPlace {
  /** In the names of the trace: `encoder.layers.0.selfAttention`. */
  readonly path: string;
  /** In the URL: `encoder`, `decoder` or `cross`. */
  readonly prefix: string;
  readonly part: Part;
  readonly side: 'source' | 'target';
  /** The input of keys and values; undefined: the same as that of the queries. */
  readonly memory?: readonly Float32Array[] | undefined;
  /** The query and key pieces. */
  readonly looking: readonly string[];
  readonly lookedAt: readonly string[];
  readonly head: number;
}

export interface StageContext {
  readonly reader: TensorReader;
  readonly config: TransformerConfig;
  readonly words: StageWords;
}

export function attentionStages(place: AttentionPlace, context: StageContext): Stage[] {
  const parts = matricesOf(place, context);
  const common = { part: place.part, side: place.side } as const;
  return [
    projectionStage(place, parts, context),
    { ...common, ...scoreStage(place, parts, context) },
    { ...common, ...maskStage(place, parts) },
    { ...common, ...softmaxStage(place, parts, context) },
    { ...common, ...valueStage(place, parts, context) },
    { ...common, ...joinStage(place, parts, context) },
  ];
}

type Matrices = ReturnType<typeof matricesOf>;
type PlacedStage = Omit<Stage, 'part' | 'side'>;

function matricesOf({ path, looking, lookedAt, head, memory }: AttentionPlace, { reader, config }: StageContext) {
  const vectors = (id: string, symbol: string, rows: readonly string[]) =>
    numbersOf(rows)(id, symbol, reader.rows(`${path}.${id}`, head));
  const scores = (id: string, symbol: string, kind: Matrix['kind']): Matrix => {
    return { ...vectors(id, symbol, looking), columns: lookedAt, kind };
  };
  return {
    seen: numbersOf(looking)('input', 'X', reader.seenBy(path)),
    memory: memory && numbersOf(lookedAt)('memory', 'M', memory),
    queries: vectors('queries', 'Q', looking),
    keys: vectors('keys', 'K', lookedAt),
    values: vectors('values', 'V', lookedAt),
    scores: scores('scores', String.raw`QK^\top\!/\sqrt{d_k}`, 'numbers'),
    masked: scores('maskedScores', String.raw`\text{mask}`, 'numbers'),
    weights: scores('weights', 'A', 'weights'),
    heads: vectors('heads', `\\text{head}_{${head + 1}}`, looking),
    joined: numbersOf(looking)('joined', String.raw`\text{Concat}`, reader.joined(`${path}.heads`, config.heads)),
    output: numbersOf(looking)('output', String.raw`\text{MultiHead}`, reader.rows(`${path}.output`)),
  };
}

const ofMatrix: Readonly<Record<string, string>> = { queries: 'Q', keys: 'K', values: 'V' };

/** A trace has no learned matrices, so a product with one of them is named, not written out. */
function productWith(weight: string, width: number, { value, bias }: { value: number; bias: boolean }): string {
  return `Σ (${width}) x·${weight}${bias ? ' + b' : ''} = ${format(value)}`;
}

function projectionStage(place: AttentionPlace, parts: Matrices, { config }: StageContext): Stage {
  const { seen, memory, queries, keys, values } = parts;
  const source = memory === undefined ? 'X' : 'M';
  const results: Readonly<Record<string, Matrix>> = { queries, keys, values };
  const i = place.head + 1;
  return {
    id: `${place.prefix}.projections`,
    part: place.part,
    side: place.side,
    text: memory === undefined ? 'projections' : 'crossProjections',
    section: memory === undefined ? '3.2.2' : '3.2.3',
    formula: `Q = XW^Q_{${i}} \\qquad K = ${source}W^K_{${i}} \\qquad V = ${source}W^V_{${i}}`,
    matrices: [seen, ...(memory === undefined ? [] : [memory]), queries, keys, values],
    result: 'queries',
    originOf: (id, row, column) => {
      if (!(id in results)) return undefined;
      const from = id === 'queries' || memory === undefined ? seen : memory;
      const value = results[id].values[row][column];
      const sum = productWith(`W^${ofMatrix[id]}`, from.values[0].length, { value, bias: config.attentionBias });
      return { regions: [{ matrix: from.id, row }], sum };
    },
  };
}

function scoreStage(
  { prefix }: AttentionPlace,
  { queries, keys, scores }: Matrices,
  context: StageContext,
): PlacedStage {
  const { dKey } = context.config;
  return {
    id: `${prefix}.scores`,
    text: 'scores',
    section: '3.2.1',
    formula: String.raw`\text{scores} = \frac{QK^\top}{\sqrt{d_k}} \qquad d_k = ${dKey}`,
    matrices: [queries, keys, scores],
    result: 'scores',
    originOf: (id, row, column) => {
      if (id !== 'scores') return undefined;
      const [query, key] = [queries.values[row], keys.values[column]];
      const product = dotSum(query, key, context.words);
      return {
        regions: [
          { matrix: 'queries', row },
          { matrix: 'keys', row: column },
        ],
        sum: `q·k = ${product};  ${format(dot(query, key))} / √${dKey} = ${format(scores.values[row][column])}`,
      };
    },
  };
}

function maskStage({ prefix, side }: AttentionPlace, { scores, masked }: Matrices): PlacedStage {
  const isCausal = prefix === 'decoder';
  return {
    id: `${prefix}.mask`,
    text: isCausal ? 'causalMask' : 'paddingMask',
    section: side === 'source' || !isCausal ? '3.2.3' : '3.1, 3.2.3',
    formula: isCausal
      ? String.raw`\text{scores}_{ij} \leftarrow -\infty \quad \text{for } j > i`
      : String.raw`\text{scores}_{ij} \leftarrow -\infty \quad \text{for padding } j`,
    matrices: [scores, masked],
    result: 'maskedScores',
    originOf: (id, row, column) => {
      if (id !== 'maskedScores') return undefined;
      const [before, after] = [scores.values[row][column], masked.values[row][column]];
      const sum = after <= -1e8 ? `${format(before)} − ∞ = −∞` : `${format(before)} + 0 = ${format(after)}`;
      return { regions: [{ matrix: 'scores', row, column }], sum };
    },
  };
}

function softmaxStage({ prefix }: AttentionPlace, { masked, weights }: Matrices, { words }: StageContext): PlacedStage {
  return {
    id: `${prefix}.softmax`,
    text: 'softmax',
    section: '3.2.1',
    formula: String.raw`A_{ij} = \frac{e^{s_{ij}}}{\sum_k e^{s_{ik}}}`,
    matrices: [masked, weights],
    result: 'weights',
    originOf: (id, row, column) =>
      id === 'weights'
        ? {
            regions: [{ matrix: 'maskedScores', row }],
            sum: softmaxSum(masked.values[row], { weight: weights.values[row][column], place: column }, words),
          }
        : undefined,
  };
}

function valueStage(
  { prefix, head }: AttentionPlace,
  { weights, values, heads }: Matrices,
  context: StageContext,
): PlacedStage {
  return {
    id: `${prefix}.values`,
    text: 'values',
    section: '3.2.1',
    formula: String.raw`\text{head}_{${head + 1}} = AV = \text{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)V`,
    matrices: [weights, values, heads],
    result: 'heads',
    originOf: (id, row, column) => {
      if (id !== 'heads') return undefined;
      const place = values.values.map((value) => value[column]);
      return {
        regions: [
          { matrix: 'weights', row },
          { matrix: 'values', column },
        ],
        sum: dotSum(weights.values[row], place, context.words),
      };
    },
  };
}

function joinStage(
  { prefix, head }: AttentionPlace,
  { heads, joined, output }: Matrices,
  { config }: StageContext,
): PlacedStage {
  const { dValue, attentionBias: bias } = config;
  const first = head * dValue;
  return {
    id: `${prefix}.join`,
    text: 'join',
    section: '3.2.2',
    formula: String.raw`\text{MultiHead} = \text{Concat}(\text{head}_1, \dots, \text{head}_{${config.heads}})\,W^O`,
    matrices: [heads, joined, output],
    result: 'output',
    originOf: (id, row, column) => {
      if (id === 'output') {
        const sum = productWith('W^O', joined.values[0].length, { value: output.values[row][column], bias });
        return { regions: [{ matrix: 'joined', row }], sum };
      }
      if (id !== 'joined') return undefined;
      const [from, place] = [Math.floor(column / dValue) + 1, (column % dValue) + 1];
      const isShown = column >= first && column < first + dValue;
      const regions = isShown ? [{ matrix: 'heads', row, column: column - first }] : [];
      return { regions, sum: `head_${from}[${place}] = ${format(joined.values[row][column])}` };
    },
  };
}
