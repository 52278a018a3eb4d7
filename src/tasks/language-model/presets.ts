// Recipes of language models by name.

import type { z } from 'zod';
import type { languageModelRecipe } from './recipe.ts';

type Preset = Readonly<z.input<typeof languageModelRecipe>>;

/** The layers of GPT-2 (Radford et al. 2019), and windows without label smoothing, so that the loss is nats per token. */
const gpt: Preset = {
  norm: 'pre',
  activation: 'gelu',
  positions: 'learned',
  labelSmoothing: 0,
  adamBeta2: 0.99,
  schedule: 'linear',
  warmupSteps: 100,
};

export const presets: Readonly<Record<string, Preset>> = {
  /** A model of characters that a laptop trains in minutes: the size of nanoGPT's example for a CPU. */
  characters: {
    ...gpt,
    merges: 0,
    layers: 4,
    heads: 4,
    dModel: 128,
    dInner: 512,
    context: 64,
    maxPositions: 64,
    dropout: 0,
    maxTokens: 768,
    steps: 2000,
    peakRate: 3e-3,
    decaySteps: 2000,
    validateEvery: 500,
  },
  /** For some megabytes of text on a laptop, in hours. */
  small: {
    ...gpt,
    merges: 8000,
    layers: 6,
    heads: 8,
    dModel: 256,
    dInner: 1024,
    context: 256,
    maxPositions: 256,
    dropout: 0.1,
    maxTokens: 4096,
    steps: 10_000,
    peakRate: 1e-3,
    decaySteps: 10_000,
    validateEvery: 500,
    clipNorm: 1,
  },
};
