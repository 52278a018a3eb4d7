// What training shows: one line that changes on a terminal; plain lines, one an event, in a pipe.

import type { Progress, TrainingEvent } from '../train/index.ts';
import { duration, grouped, note } from './terminal.ts';

/** Updates over which the speed is measured. */
const SPEED_WINDOW = 40;

export class ProgressReport {
  private readonly recent: { time: number; tokens: number }[] = [];
  private lossPerToken = Number.NaN;
  private readonly isTerminal = process.stderr.isTTY === true;

  constructor(private readonly limits: { epochs: number | undefined; steps: number | undefined }) {}

  /** After each update. */
  update(progress: Progress): void {
    this.recent.push({ time: performance.now(), tokens: progress.targetTokens });
    if (this.recent.length > SPEED_WINDOW) this.recent.shift();
    if (!this.isTerminal) return;
    const { interval, step, epoch } = progress.state;
    if (interval.targetTokens > 0) this.lossPerToken = interval.loss / interval.targetTokens;
    const parts = [
      `step ${grouped(step)}`,
      `epoch ${epoch}${this.limits.epochs === undefined ? '' : `/${this.limits.epochs}`}`,
      `loss ${this.lossPerToken.toFixed(3)}`,
      `rate ${progress.learningRate.toExponential(2)}`,
      `${grouped(this.tokensPerSecond())} tokens/s`,
      this.timeLeft(progress),
    ];
    process.stderr.write(`\r\x1b[2K${parts.filter((part) => part !== '').join(' · ')}`);
  }

  event(event: TrainingEvent): void {
    const text = describe(event, this.tokensPerSecond());
    if (text === undefined || (this.isTerminal && event.kind === 'step')) return;
    if (this.isTerminal) process.stderr.write('\r\x1b[2K');
    note(text);
  }

  /** Target tokens, over the last updates; 0 before the second one. */
  tokensPerSecond(): number {
    const [first, ...rest] = this.recent;
    const last = rest.at(-1);
    if (last === undefined) return 0;
    const tokens = rest.reduce((sum, { tokens }) => sum + tokens, 0);
    return (1000 * tokens) / Math.max(1, last.time - first.time);
  }

  private timeLeft({ state, batchesInEpoch }: Progress): string {
    const last = this.recent.at(-1);
    if (last === undefined || this.recent.length < 3) return '';
    const perStep = (last.time - this.recent[0].time) / (this.recent.length - 1) / 1000;
    const { epochs, steps } = this.limits;
    const stepsPerEpoch = (batchesInEpoch * state.step) / Math.max(1, (state.epoch - 1) * batchesInEpoch + state.batch);
    const byEpochs = epochs === undefined ? Number.POSITIVE_INFINITY : epochs * stepsPerEpoch - state.step;
    const left = Math.min(byEpochs, (steps ?? Number.POSITIVE_INFINITY) - state.step);
    return Number.isFinite(left) ? `${duration(left * perStep)} left` : '';
  }
}

function describe(event: TrainingEvent, tokensPerSecond: number): string | undefined {
  switch (event.kind) {
    case 'step': {
      const rate = `rate ${event.learningRate.toExponential(3)}`;
      const speed = tokensPerSecond > 0 ? ` · ${grouped(tokensPerSecond)} tokens/s` : '';
      return `step ${event.step} · epoch ${event.epoch} · loss ${event.loss.toFixed(4)} · ${rate}${speed}`;
    }
    case 'epoch':
      return `epoch ${event.epoch} done · training nll ${event.negativeLogLikelihood.toFixed(4)} per token`;
    case 'validation': {
      const { loss, perplexity, accuracy, bleu, signature, best } = event;
      const predicted = `loss ${loss.toFixed(4)} · perplexity ${perplexity.toFixed(3)}`;
      const chosen = `accuracy ${(100 * accuracy).toFixed(2)} %`;
      const translated = bleu === undefined ? '' : ` · BLEU ${bleu.toFixed(2)} (${signature})`;
      return `validation · step ${event.step} · ${predicted} · ${chosen}${translated}${best ? ' · best so far' : ''}`;
    }
    case 'stop':
      return event.reason === 'patience' ? 'stopped: no improvement' : undefined;
  }
}
