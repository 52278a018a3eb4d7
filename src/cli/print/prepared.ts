// What heed train says before its first step and after its last one.

import type { Prepared } from '../../tasks/index.ts';
import type { Outcome } from '../../train/index.ts';
import { duration, grouped, note } from './terminal.ts';

export function notePrepared(prepared: Prepared): void {
  for (const { unit, read, used, notes } of prepared.data) {
    note(`${grouped(used)} of ${grouped(read)} ${unit} are used for training`);
    for (const line of notes) note(`  ${line}`);
  }
  if (prepared.leftOut > 0) note(`  ${grouped(prepared.leftOut)} of them are longer than --max-tokens and left out`);
  const pieces = prepared.vocabularySizes.map(grouped).join(' and ');
  note(`${pieces} pieces, ${grouped(prepared.parameters)} parameters`);
  const padding = `${(100 * prepared.padding).toFixed(1)} % of the tokens are padding`;
  note(`${grouped(prepared.updatesPerEpoch)} updates an epoch, ${padding}`);
}

export function noteOutcome(outcome: Outcome, folder: string, seconds: number): void {
  switch (outcome) {
    case 'interrupted':
      note(`stopped and saved; go on with: heed train --model ${folder} --resume`);
      break;
    case 'already finished':
      note(`this run is finished already; the model is in ${folder}; to go on, give more --epochs or --steps`);
      break;
    default:
      note(`done in ${duration(seconds)}; the model is in ${folder}`);
  }
}
