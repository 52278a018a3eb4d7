// View "translate".

import { words } from '../words.ts';

export function TranslateView() {
  return <h1>{words.value.views.translate}</h1>;
}
