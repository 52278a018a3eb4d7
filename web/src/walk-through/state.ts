// Where in the walk one stands, as the address says it: #/walk-through?text=…&stage=encoder.scores&layer=2&head=3&token=4.

export interface WalkState {
  readonly stage: string | undefined;
  /** From 0; undefined: the first. */
  readonly layer: number;
  readonly head: number;
  /** Rows of the source and of the translation that are explained at first. */
  readonly token: number;
  readonly position: number;
}

/** Layers and heads count from 1 in the address, tokens from 0. What is no whole number is the first. */
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
