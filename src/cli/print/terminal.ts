// The two streams of a command: results on standard output, everything else on standard error.

/** A line for the user: progress, warnings, what was done. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A line of results. Waits while the reader is slow. */
export async function print(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`))
    await new Promise<void>((resolve) => process.stdout.once('drain', () => resolve()));
}

/** `1,234,567` */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `1 h 02 min`, `3 min 20 s`, `45 s` */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole >= 3600) return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
  if (whole >= 60) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${whole} s`;
}
