// Recipes of translation by name.

import type { z } from 'zod';
import type { translationRecipe } from './recipe.ts';

type Preset = Readonly<z.input<typeof translationRecipe>>;

/**
 * The paper's base model (table 3, sections 5 and 6.1): batches of about 25,000 source and 25,000 target tokens; the last 5
 * checkpoints averaged, written every ten minutes, which were 1,500 steps of 0.4 s.
 */
const paperBase: Preset = {
  merges: 37_000,
  maxTokens: 25_000,
  steps: 100_000,
  validateEvery: 1500,
  averageLast: 5,
};

/** The paper's big model: 300,000 steps of 1.0 s, the last 20 checkpoints. (Dropout 0.3 is for English–German.) */
const paperBig: Preset = {
  dModel: 1024,
  dInner: 4096,
  heads: 16,
  dropout: 0.3,
  merges: 37_000,
  maxTokens: 25_000,
  steps: 300_000,
  validateEvery: 600,
  averageLast: 20,
};

export const presets: Readonly<Record<string, Preset>> = {
  /** Transformer-Tiny for small corpora (Wu et al., ACL 2021). */
  tiny: {
    dModel: 128,
    dInner: 256,
    heads: 4,
    encoderLayers: 4,
    decoderLayers: 4,
    dropout: 0.3,
    schedule: 'inverse-sqrt',
    peakRate: 0.005,
    warmupSteps: 2000,
    maxTokens: 4096,
    accumulate: 2,
    steps: 8000,
    patience: 10,
    averageLast: 10,
  },
  /** For some ten thousand to a few hundred thousand pairs on a laptop. */
  small: {
    dModel: 256,
    dInner: 512,
    heads: 8,
    encoderLayers: 3,
    decoderLayers: 3,
    schedule: 'inverse-sqrt',
    peakRate: 1e-3,
    warmupSteps: 800,
    maxTokens: 1800,
    epochs: 10,
    averageLast: 3,
  },
  base: paperBase,
  'paper-base': paperBase,
  big: paperBig,
  'paper-big': paperBig,
};
