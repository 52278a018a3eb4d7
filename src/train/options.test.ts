import { describe, expect, it } from 'vitest';
import { checkOptions, trainingOptions } from './options.ts';

const check =
  (options: object, hasValidation = true) =>
  () =>
    checkOptions(trainingOptions.parse(options), { hasValidation });

describe('options of a run', () => {
  it('need an end', () => {
    expect(check({})).toThrow('train: needs an end: give epochs, steps or patience.');
    expect(check({ patience: 3 })).not.toThrow();
    expect(check({ patience: 3 }, false)).toThrow('patience needs validation data');
  });

  it('have decaySteps with the linear schedule only', () => {
    const linear = { schedule: 'linear', steps: 100, warmupSteps: 10 };
    expect(check({ ...linear, decaySteps: 100 })).not.toThrow();
    expect(check(linear)).toThrow('the schedule linear needs decaySteps');
    expect(check({ ...linear, decaySteps: 100, schedule: 'constant' })).toThrow('no other schedule has them');
    expect(check({ ...linear, decaySteps: 10 })).toThrow('decaySteps (10) must come after warmupSteps (10).');
  });
});
