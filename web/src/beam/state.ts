// What is searched and shown, as the address says it: #/beam?text=…&beam=4&lengthPenalty=0.6&leftBehind=few.

export const leftBehindOptions = ['none', 'few', 'all'] as const;

export interface BeamState {
  readonly beam: number;
  /** α of GNMT's length penalty. */
  readonly lengthPenalty: number;
  readonly leftBehind: (typeof leftBehindOptions)[number];
}

export const limits = {
  beam: { least: 1, most: 8 },
  lengthPenalty: { least: 0, most: 2 },
};

/** What the address does not say is the paper's: beam 4, α = 0.6. Numbers are brought within their limits. */
export function parseBeam(parameters: URLSearchParams): BeamState {
  const number = (name: keyof typeof limits, usual: number) => {
    const text = parameters.get(name);
    const value = text === null || text === '' ? Number.NaN : Number(text);
    const { least, most } = limits[name];
    return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : usual;
  };
  return {
    beam: Math.round(number('beam', 4)),
    lengthPenalty: number('lengthPenalty', 0.6),
    leftBehind: leftBehindOptions.find((name) => name === parameters.get('leftBehind')) ?? 'few',
  };
}
