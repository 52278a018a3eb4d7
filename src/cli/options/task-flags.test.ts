import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Task, translation } from '../../tasks/index.ts';
import { addTaskFlags, taskFlagValues } from './task-flags.ts';

const steps = z.int().optional().describe('Updates.');

function taskOf(name: string, options: z.ZodRawShape): Task {
  const { prepare, estimate } = translation;
  return { name, description: '', recipe: z.strictObject(options), presets: {}, paths: [], prepare, estimate };
}

const pairs = taskOf('pairs', { source: z.string().optional().describe('Lines.'), steps });
const text = taskOf('text', {
  steps,
  sourceText: z.string().optional().describe('One file.'),
  corpora: z.array(z.strictObject({ text: z.string() })).optional(),
});

describe('the flags of tasks', () => {
  it('are those that all share, then those of each task under its name', () => {
    const command = new Command();
    addTaskFlags(command, [pairs, text]);
    const help = command.helpInformation();
    const places = [
      '--steps <number>',
      'Options of pairs:',
      '--source <text>',
      'Options of text:',
      '--source-text <text>',
    ];
    const found = places.map((part) => help.indexOf(part));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
    expect(help).not.toContain('corpora');
  });

  it('show the choices of an option, listed or registered', () => {
    const command = new Command();
    addTaskFlags(command, [translation]);
    const help = command.helpInformation();
    expect(help).toContain('--norm <post|pre>');
    expect(help).toContain('--positions <interleaved|concatenated|learned|rotary|none>');
    expect(help).toContain('--decoder-mixer <attention|gru>');
  });

  it('are values of the chosen task', () => {
    expect(taskFlagValues(text, [pairs, text], { model: 'm', steps: '7', sourceText: 'f' })).toEqual({
      steps: 7,
      sourceText: 'f',
    });
  });

  it('are refused where another task declares them', () => {
    const refused = (task: Task, key: string) => () => taskFlagValues(task, [pairs, text], { [key]: 'x' });
    expect(refused(text, 'source')).toThrow('--source: is no option of the task text; leave it out.');
    expect(refused(pairs, 'sourceText')).toThrow('--source-text: is no option of the task pairs; did you mean source?');
  });
});
