// The progress of training: one line that is updated on a terminal; plain lines, one an event, in a pipe.

import { SpeedMeter } from '../../tasks/index.ts';
import type { Progress, TrainingEvent } from '../../train/index.ts';
import { duration, grouped, note } from './terminal.ts';

export class ProgressReport {
  private readonly speed = new SpeedMeter();
  private lossPerToken = Number.NaN;
  private readonly isTerminal = process.stderr.isTTY === true;

  constructor(private readonly limits: { readonly epochs?: number | undefined; readonly steps?: number | undefined }) {}

  /** After each update. */
  update(progress: Progress): void {
    this.speed.update(progress.targetTokens);
    if (!this.isTerminal) return;
    const { interval, step, epoch } = progress.state;
    if (interval.targetTokens > 0) this.lossPerToken = interval.loss / interval.targetTokens;
    const parts = [
      `step ${grouped(step)}`,
      `epoch ${epoch}${this.limits.epochs === undefined ? '' : `/${this.limits.epochs}`}`,
      `loss ${this.lossPerToken.toFixed(3)}`,
      `rate ${progress.learningRate.toExponential(2)}`,
      `${grouped(this.speed.tokensPerSecond())} tokens/s`,
      this.timeLeft(progress),
    ];
    process.stderr.write(`\r\x1b[2K${parts.filter((part) => part !== '').join(' · ')}`);
  }

  event(event: TrainingEvent): void {
    const text = describe(event, this.speed.tokensPerSecond());
    if (text === undefined || (this.isTerminal && event.kind === 'step')) return;
    if (this.isTerminal) process.stderr.write('\r\x1b[2K');
    note(text);
  }

  private timeLeft({ state, batchesInEpoch }: Progress): string {
    const perStep = this.speed.secondsPerUpdate();
    if (perStep === undefined) return '';
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
