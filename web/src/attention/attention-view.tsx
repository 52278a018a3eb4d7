// View "attention".

import { words } from '../words.ts';

export function AttentionView() {
  return <h1>{words.value.views.attention}</h1>;
}
