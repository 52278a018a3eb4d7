// The signature says how a score was computed, in sacreBLEU's own format, so that equal signatures mean comparable scores:
// nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0

/** The release of sacreBLEU whose scores are reproduced to 1e-9; golden files recorded from it hold every metric to that. */
export const SACREBLEU_VERSION = '2.6.0';

/** How many references a line has; `var` if not all lines have the same number. */
export type ReferenceCount = number | 'var';

/** The random trials behind a confidence interval or a significance test. */
export interface Trials {
  readonly kind: 'bootstrap' | 'approximate-randomization';
  readonly count: number;
  readonly seed: number;
}

/** How a particular score came about, apart from the metric's own options. */
export interface Circumstances {
  readonly referenceCount: ReferenceCount;
  readonly trials?: Trials;
}

/** One part of a signature, such as `['case', 'mixed']`. */
export type SignatureField = readonly [key: string, value: string | number];

/** @param metricFields what the metric adds, in sacreBLEU's order */
export function formatSignature(circumstances: Circumstances, metricFields: readonly SignatureField[]): string {
  return formatFields(circumstances, [...metricFields, ['version', SACREBLEU_VERSION]]);
}

/** The signature of a metric that sacreBLEU lacks: without its version. */
export function formatFields(circumstances: Circumstances, metricFields: readonly SignatureField[]): string {
  const { referenceCount, trials } = circumstances;
  const fields: SignatureField[] = [['nrefs', referenceCount]];
  if (trials !== undefined) {
    fields.push([trials.kind === 'bootstrap' ? 'bs' : 'ar', trials.count], ['seed', trials.seed]);
  }
  fields.push(...metricFields);
  return fields.map(([key, value]) => `${key}:${value}`).join('|');
}

export function yesOrNo(flag: boolean): 'yes' | 'no' {
  return flag ? 'yes' : 'no';
}
