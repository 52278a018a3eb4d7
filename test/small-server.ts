// A server with tiny random models, for tests.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '../src/base/options.ts';
import { saveModel } from '../src/model/node.ts';
import { parseModels, type ServeOptions, type ServerSetup, serveOptions } from '../src/serve/index.ts';
import { HeedServer } from '../src/serve/node.ts';
import { smallModel } from './small-model.ts';
import { wordyModel } from './wordy-model.ts';

export interface SmallServerOptions extends Partial<ServeOptions> {
  readonly page?: ServerSetup['page'];
  readonly runs?: ServerSetup['runs'];
}

/** Input lines that have broken other toolkits. */
export const awkwardLines = [
  '',
  ' ',
  '\t',
  '-',
  '?',
  'h',
  '42',
  '1,234.56 EUR',
  'HELLO WORLD',
  'Yeşilgöz',
  'e\u0301 é',
  'ﬁ',
  'a\u00a0b\u202fc',
  'so\u00adft',
  '\ufeffstart',
  'שלום 42 عالم ١٢٣',
  '我喜欢猫我喜欢狗',
  'Hello %1$s, good to see you!',
  '{name}',
  'a < b > c & d',
  '&lt;p&gt;',
  'https://example.org/a?b=c#d',
  'code `x_y`',
  'One. Two! Three?',
  'a\0b',
  'a\r\nb',
  'word '.repeat(400),
  'ha '.repeat(200),
  'a\u2028b\u0085c',
  '\ud800',
  '🐈'.repeat(20),
];

export class SmallModels {
  private readonly folder = mkdtempSync(join(tmpdir(), 'heed-serve-'));

  path(name: string): string {
    return join(this.folder, name);
  }

  /** `named` names no languages; `tagged` translates between en and zh in both directions. */
  async save(): Promise<void> {
    const generation = { beam: 2, lengthPenalty: 'gnmt:0.6', maxLengthExtra: 3 };
    await saveModel(this.path('named'), { ...wordyModel(), generation });
    await saveModel(this.path('tagged'), { ...smallModel({ languages: ['zh', 'en'], seed: 2 }), generation });
  }

  /** One worker, `named` from English to German, and `tagged`. */
  async serve({ page, runs, ...options }: SmallServerOptions = {}): Promise<HeedServer> {
    return HeedServer.build({
      models: parseModels([`en-de=${this.path('named')}`, this.path('tagged')]),
      options: parseOptions(serveOptions, { workers: 1, batchWaitMs: 0, ...options }, 'test'),
      version: '0.0.0',
      page: page ?? this.path('no page'),
      runs,
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
