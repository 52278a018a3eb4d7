// View "walk-through".

import { words } from '../words.ts';

export function WalkThroughView() {
  return <h1>{words.value.views['walk-through']}</h1>;
}
