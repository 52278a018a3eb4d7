// The state of the beam view in the URL: #/beam?text=…&beam=4&lengthPenalty=0.6&leftBehind=few.

export const leftBehindOptions = ['none', 'few', 'all'] as const;

export interface BeamState {
  /** Undefined: the model's own. */
  readonly beam: number | undefined;
  /** α of GNMT's length penalty; undefined: the model's own. */
  readonly lengthPenalty: number | undefined;
  readonly leftBehind: (typeof leftBehindOptions)[number];
}

export const limits = {
  beam: { least: 1, most: 8 },
  lengthPenalty: { least: 0, most: 2 },
};

/** Numbers are clamped to their limits; anything else is ignored. */
export function parseBeam(parameters: URLSearchParams): BeamState {
  const number = (name: keyof typeof limits) => {
    const text = parameters.get(name) ?? '';
    const { least, most } = limits[name];
    return text === '' || !Number.isFinite(Number(text)) ? undefined : Math.min(most, Math.max(least, Number(text)));
  };
  const beam = number('beam');
  return {
    beam: beam && Math.round(beam),
    lengthPenalty: number('lengthPenalty'),
    leftBehind: leftBehindOptions.find((name) => name === parameters.get('leftBehind')) ?? 'few',
  };
}
