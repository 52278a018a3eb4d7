// The package's own version, from the one place that states it.

import { readFileSync } from 'node:fs';

const { version: stated } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export const version: string = stated;
