// Marks a built file executable, so that `npx heed` runs it in a clone.
import { chmodSync } from 'node:fs';

for (const path of process.argv.slice(2)) chmodSync(path, 0o755);
