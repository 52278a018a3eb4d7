// The state of the walk-through in the URL: #/walk-through?text=…&stage=encoder.scores&layer=2&head=3&token=4.

export interface WalkState {
  readonly stage: string | undefined;
  /** From 0; undefined: the first. */
  readonly layer: number;
  readonly head: number;
  /** Rows of the source and of the translation that are explained initially. */
  readonly token: number;
  readonly position: number;
}

/** Layers and heads count from 1 in the URL, tokens from 0. Values that are no whole numbers give the first. */
export function parseWalk(parameters: URLSearchParams): WalkState {
  const whole = (name: string, first: number) => {
    const text = parameters.get(name) ?? '';
    return /^\d{1,6}$/.test(text) ? Math.max(0, Number(text) - first) : 0;
  };
  return {
    stage: parameters.get('stage') ?? undefined,
    layer: whole('layer', 1),
    head: whole('head', 1),
    token: whole('token', 0),
    position: whole('position', 0),
  };
}
