import { describe, expect, it } from 'vitest';
import { defaultTask, registeredTasks, registerTask, taskNamed } from './registry.ts';
import { translation } from './translation/index.ts';

describe('the registry of tasks', () => {
  it('has translation, the default', () => {
    expect(taskNamed(defaultTask)).toBe(translation);
    expect(registeredTasks()).toContain(translation);
  });

  it('adds a task from outside', () => {
    const task = { ...translation, name: 'back-translation' };
    registerTask(task);
    expect(taskNamed('back-translation')).toBe(task);
    expect(registeredTasks()).toContain(task);
  });

  it('refuses a name that is taken', () => {
    const message = 'registerTask: there is a task translate already; give this one another name.';
    expect(() => registerTask(translation)).toThrow(message);
  });

  it('suggests the nearest name for an unknown one', () => {
    const message = '--task: unknown task translat; did you mean translate? Known: translate';
    expect(() => taskNamed('translat')).toThrow(message);
  });
});
