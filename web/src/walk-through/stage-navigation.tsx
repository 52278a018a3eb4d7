// Navigation between stages: where there is room, a list by parts of the model; otherwise back, next and a menu.

import type { Part, Stage } from './stage.ts';
import { words } from './words.ts';

interface Group {
  readonly part: Part;
  readonly stages: readonly Stage[];
}

/** Consecutive stages of one part. */
function groupsOf(stages: readonly Stage[]): Group[] {
  const parts = [...new Set(stages.map(({ part }) => part))];
  return parts.map((part) => ({ part, stages: stages.filter((stage) => stage.part === part) }));
}

interface StageListProps {
  readonly stages: readonly Stage[];
  readonly current: Stage;
  readonly onGo: (stage: Stage) => void;
}

export function StageList({ stages, current, onGo }: StageListProps) {
  return (
    <nav class="stage-list" aria-label={words.value.steps}>
      {groupsOf(stages).map(({ part, stages: own }) => (
        <section key={part} class={part === current.part ? 'current' : undefined}>
          <h2>{words.value.parts[part]}</h2>
          <ol>
            {own.map((stage) => (
              <li key={stage.id}>
                <button
                  type="button"
                  class="quiet"
                  aria-current={stage.id === current.id ? 'step' : undefined}
                  onClick={() => onGo(stage)}
                >
                  {words.value.stages[stage.text].title}
                </button>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </nav>
  );
}

interface StageStepsProps {
  readonly stages: readonly Stage[];
  readonly place: number;
  readonly onGo: (stage: Stage) => void;
}

export function StageSteps({ stages, place, onGo }: StageStepsProps) {
  return (
    <div class="stage-steps">
      <button type="button" disabled={place === 0} onClick={() => onGo(stages[place - 1])}>
        ← {words.value.previous}
      </button>
      <select
        aria-label={words.value.steps}
        value={stages[place].id}
        onChange={({ currentTarget }) => onGo(stages[currentTarget.selectedIndex])}
      >
        {groupsOf(stages).map(({ part, stages: own }) => (
          <optgroup key={part} label={words.value.parts[part]}>
            {own.map((stage) => (
              <option key={stage.id} value={stage.id}>
                {stages.indexOf(stage) + 1}. {words.value.stages[stage.text].title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <button
        type="button"
        class="primary"
        disabled={place === stages.length - 1}
        onClick={() => onGo(stages[place + 1])}
      >
        {words.value.next} →
      </button>
      <p class="visually-hidden" role="status">
        {words.value.stepOf(place + 1, stages.length)}: {words.value.stages[stages[place].text].title}
      </p>
    </div>
  );
}
