// View "beam".

import { words } from '../words.ts';

export function BeamView() {
  return <h1>{words.value.views.beam}</h1>;
}
