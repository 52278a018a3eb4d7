// The class of errors that a user can correct: invalid input, options or files. Any other error is a bug.

/** An error whose message gives place, rule, what was got and what to do; the command line prints it as one line. */
export class HeedError extends Error {
  override readonly name = 'HeedError';

  /** @param place of the error, such as `attention` or a file's path @param message the rule, what was got, what to do */
  constructor(
    readonly place: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(`${place}: ${message}`, options);
  }
}

export function isHeedError(error: unknown): error is HeedError {
  return error instanceof HeedError;
}
