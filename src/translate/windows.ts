// Splits a stream into windows of limited size, which are sorted into batches, with a limited wait for slow input.

export interface WindowOptions {
  /** Maximum number of items of a window. */
  readonly items: number;
  /** Maximum milliseconds that an item waits until its window is full. */
  readonly waitMs: number;
}

export interface NumberedLine {
  readonly source: string;
  /** Its number in the whole input, from 0, which determines its random stream. */
  readonly number: number;
}

/** Lines with their numbers, from `first` on. */
export function numbered(lines: readonly string[], first: number): NumberedLine[] {
  return lines.map((source, place) => ({ source, number: first + place }));
}

/** The results for each line of a stream, in order, window by window. The options are those of a translator. */
export async function* throughWindows<R>(
  lines: AsyncIterable<string> | Iterable<string>,
  options: {
    readonly windowLines?: number | undefined;
    readonly windowMs?: number | undefined;
    readonly firstLine?: number | undefined;
  },
  translate: (window: NumberedLine[]) => Promise<R[]>,
): AsyncGenerator<R> {
  const { windowLines = 1024, windowMs = 100, firstLine = 0 } = options;
  let next = firstLine;
  for await (const window of inWindows(lines, { items: windowLines, waitMs: windowMs })) {
    const first = next;
    next += window.length;
    yield* await translate(numbered(window, first));
  }
}

/** The items in order, in windows of one to `items`. Items that have arrived are passed on when the input pauses. */
export async function* inWindows<T>(
  source: AsyncIterable<T> | Iterable<T>,
  { items, waitMs }: WindowOptions,
): AsyncGenerator<T[]> {
  if (Symbol.asyncIterator in source) yield* whileItLasts(source[Symbol.asyncIterator](), { items, waitMs });
  else yield* slices(source, items);
}

function* slices<T>(source: Iterable<T>, items: number): Generator<T[]> {
  let window: T[] = [];
  for (const item of source) {
    window.push(item);
    if (window.length < items) continue;
    yield window;
    window = [];
  }
  if (window.length > 0) yield window;
}

async function* whileItLasts<T>(source: AsyncIterator<T>, { items, waitMs }: WindowOptions): AsyncGenerator<T[]> {
  // A pending read, which may outlive the window that started it.
  let coming: Promise<IteratorResult<T>> | undefined;
  try {
    for (;;) {
      coming ??= source.next();
      const first = await coming;
      coming = undefined;
      if (first.done) return;
      const window = [first.value];
      const pause = timer(waitMs);
      while (window.length < items) {
        coming ??= source.next();
        const next = await Promise.race([coming, pause.over]);
        if (next === undefined || next.done) break;
        coming = undefined;
        window.push(next.value);
      }
      pause.stop();
      yield window;
    }
  } finally {
    // The reader stopped early. A read of silent input cannot be cancelled, so it is not awaited.
    coming?.catch(() => {});
    void source.return?.();
  }
}

function timer(ms: number): { over: Promise<undefined>; stop: () => void } {
  let handle: ReturnType<typeof setTimeout>;
  const over = new Promise<undefined>((resolve) => {
    handle = setTimeout(() => resolve(undefined), ms);
  });
  return { over, stop: () => clearTimeout(handle) };
}
