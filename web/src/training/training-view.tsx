// View "training".

import { words } from '../words.ts';

export function TrainingView() {
  return <h1>{words.value.views.training}</h1>;
}
