// Entries by name, such as the position schemes that a model can be built with. Built-in entries and those of a user's
// program are registered in the same way.

import { z } from 'zod';
import { HeedError } from './error.ts';
import { didYouMean } from './nearest.ts';

export class Registry<T> {
  private readonly entries = new Map<string, T>();

  /** @param what the entries are, for error messages, such as `position scheme` */
  constructor(readonly what: string) {}

  /** @throws HeedError if the name is taken */
  register(name: string, entry: T): void {
    if (this.entries.has(name)) {
      throw new HeedError('register', `${this.what} ${name} is registered already; choose another name.`);
    }
    this.entries.set(name, entry);
  }

  /** @throws HeedError for an unknown name, with the nearest known one */
  get(name: string): T {
    const entry = this.entries.get(name);
    if (entry !== undefined) return entry;
    const known = `Known: ${this.names.join(', ')}.`;
    throw new HeedError(this.what, `unknown name ${name}${didYouMean(name, this.names) || '.'} ${known}`);
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** In the order of registration. */
  get names(): string[] {
    return [...this.entries.keys()];
  }

  /**
   * The schema of an option whose value names an entry. Names are looked up when an option is checked, so that an entry may be
   * registered after the schema was made.
   */
  option() {
    return z
      .string()
      .superRefine((name, context) => {
        if (this.has(name)) return;
        const expected = this.names.map((known) => JSON.stringify(known)).join('|');
        context.addIssue({
          code: 'custom',
          message: `Invalid option: expected one of ${expected}`,
          params: { choices: this.names },
        });
      })
      .meta({ choices: () => this.names });
  }
}
