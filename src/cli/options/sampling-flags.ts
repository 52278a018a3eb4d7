// The flags of sampling, which need --sample, in every command that generates text.

import { HeedError } from '../../base/error.ts';
import { kebab } from '../../base/options.ts';
import { samplingOptions } from '../../generate/index.ts';

export const samplingFlags = Object.fromEntries(
  Object.entries(samplingOptions).map(([key, schema]) => [key, schema.describe(`Of --sample: ${schema.description}`)]),
) as typeof samplingOptions;

/** @throws HeedError for a flag of sampling without --sample */
export function refuseWithoutSample(flags: { readonly sample?: boolean | undefined }): void {
  const given: Readonly<Record<string, unknown>> = { ...flags };
  for (const key of Object.keys(samplingFlags)) {
    if (given[key] === undefined || flags.sample) continue;
    throw new HeedError(`--${kebab(key)}`, `needs --sample; add it or leave out --${kebab(key)}.`);
  }
}

/** The flags that a part of a schema declares. */
export function pick<F extends object, K extends keyof F>(flags: F, part: Record<K, unknown>): Pick<F, K> {
  return Object.fromEntries(Object.keys(part).map((key) => [key, flags[key as K]])) as Pick<F, K>;
}
