// Sections 3.1 and 3.3: residual connection and layer normalisation, and the position-wise feed-forward network.

import type { TransformerConfig } from '../../../src/architectures/index.ts';
import type { StageContext } from './attention-stages.ts';
import { numbersOf, type Part, type Stage } from './stage.ts';
import { factor, format, normalised } from './sums.ts';

export interface SublayerPlace {
  /** In the names of the trace: `encoder.layers.0.selfAttention`. */
  readonly path: string;
  /** In the URL. */
  readonly prefix: string;
  readonly part: Part;
  readonly side: 'source' | 'target';
  readonly rows: readonly string[];
}

/** LayerNorm(x + Sublayer(x)); with pre-norm x + Sublayer(LayerNorm(x)). */
export function addNormStage(
  { path, prefix, part, side, rows }: SublayerPlace,
  { reader, config }: StageContext,
): Stage {
  const matrix = numbersOf(rows);
  const around = matrix('around', 'x', reader.around(path));
  const output = matrix('output', String.raw`\text{Sublayer}(x)`, reader.rows(`${path}.output`));
  const sum = matrix('sum', String.raw`x + \text{Sublayer}(x)`, reader.rows(`${path}.sum`));
  const result = matrix('result', String.raw`\text{LayerNorm}`, reader.rows(`${path}.result`));
  const isPost = config.norm === 'post';
  return {
    id: `${prefix}.addNorm`,
    part,
    side,
    text: 'addNorm',
    section: '3.1',
    formula: isPost
      ? String.raw`\text{LayerNorm}(x + \text{Sublayer}(x)) = g\,\frac{s - \mu}{\sqrt{\sigma^2 + \epsilon}} + b`
      : String.raw`x + \text{Sublayer}(\text{LayerNorm}(x))`,
    matrices: isPost ? [around, output, sum, result] : [around, output, sum],
    result: isPost ? 'result' : 'sum',
    originOf: (id, row, column) => {
      const total = sum.values[row][column];
      if (id === 'sum') {
        const text = `${format(around.values[row][column])} + ${format(output.values[row][column])} = ${format(total)}`;
        return { regions: ['around', 'output'].map((name) => ({ matrix: name, row, column })), sum: text };
      }
      if (id !== 'result') return undefined;
      const { mean, deviation, value } = normalised(sum.values[row], column, config.layerNormEpsilon);
      const centred = `(${format(total)} − ${format(mean)}) / ${format(deviation)} = ${format(value)}`;
      return {
        regions: [{ matrix: 'sum', row }],
        sum: `${centred};  g·${factor(value)} + b = ${format(result.values[row][column])}`,
      };
    },
  };
}

const activations: Record<TransformerConfig['activation'], { formula: string; sum: (inner: number) => string }> = {
  relu: { formula: String.raw`\max(0,\; xW_1 + b_1)\,W_2 + b_2`, sum: (inner) => `max(0, ${format(inner)})` },
  gelu: { formula: String.raw`\text{GELU}(xW_1 + b_1)\,W_2 + b_2`, sum: (inner) => `GELU(${format(inner)})` },
  swiglu: {
    formula: String.raw`(\text{silu}(xW_g + b_g) \odot (xW_1 + b_1))\,W_2 + b_2`,
    sum: (inner) => `silu(xW_g + b_g) · ${format(inner)}`,
  },
};

export function feedForwardStage(
  { path, prefix, part, side, rows }: SublayerPlace,
  { reader, config }: StageContext,
): Stage {
  const matrix = numbersOf(rows);
  const seen = matrix('input', 'x', reader.seenBy(path));
  const inner = matrix('inner', 'xW_1 + b_1', reader.rows(`${path}.inner`));
  const active = matrix('active', String.raw`\text{active}`, reader.rows(`${path}.active`));
  const output = matrix('output', String.raw`\text{FFN}(x)`, reader.rows(`${path}.output`));
  const activation = activations[config.activation];
  return {
    id: `${prefix}.network`,
    part,
    side,
    text: 'feedForward',
    section: '3.3',
    formula: String.raw`\text{FFN}(x) = ${activation.formula}`,
    matrices: [seen, inner, active, output],
    result: 'active',
    originOf: (id, row, column) => {
      switch (id) {
        case 'inner':
          return {
            regions: [{ matrix: 'input', row }],
            sum: `Σ (${config.dModel}) x·W₁ + b₁ = ${format(inner.values[row][column])}`,
          };
        case 'active':
          return {
            regions: [{ matrix: 'inner', row, column }],
            sum: `${activation.sum(inner.values[row][column])} = ${format(active.values[row][column])}`,
          };
        case 'output':
          return {
            regions: [{ matrix: 'active', row }],
            sum: `Σ (${config.dInner}) x·W₂ + b₂ = ${format(output.values[row][column])}`,
          };
        default:
          return undefined;
      }
    },
  };
}
