// How fast a run is, over its last updates.

/** Updates over which the speed is measured. */
const speedWindow = 40;

export class SpeedMeter {
  private readonly recent: { readonly time: number; readonly tokens: number }[] = [];

  /** After each update. @param targetTokens of the update */
  update(targetTokens: number): void {
    this.recent.push({ time: performance.now(), tokens: targetTokens });
    if (this.recent.length > speedWindow) this.recent.shift();
  }

  /** Target tokens a second; 0 before the second update. */
  tokensPerSecond(): number {
    const tokens = this.recent.slice(1).reduce((sum, update) => sum + update.tokens, 0);
    return (1000 * tokens) / Math.max(1, this.elapsedMs());
  }

  /** Undefined before the third update. */
  secondsPerUpdate(): number | undefined {
    return this.recent.length < 3 ? undefined : this.elapsedMs() / (this.recent.length - 1) / 1000;
  }

  private elapsedMs(): number {
    const last = this.recent.at(-1);
    return last === undefined ? 0 : last.time - this.recent[0].time;
  }
}
