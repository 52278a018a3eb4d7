// The walk-through: navigation at the side, controls above, one stage in the middle.

import { useMemo } from 'preact/hooks';
import type { Trace } from '../../../src/translate/index.ts';
import { transformerConfigOf } from '../inspect/config.ts';
import { route, setParameters } from '../router.ts';
import type { Stage } from './stage.ts';
import { StageList, StageSteps } from './stage-navigation.tsx';
import { StagePanel } from './stage-panel.tsx';
import { stagesOf } from './stages.ts';
import { parseWalk } from './state.ts';
import { WalkControls } from './walk-controls.tsx';
import { words } from './words.ts';

export function WalkThrough({ trace }: { readonly trace: Trace }) {
  const state = parseWalk(route.value.parameters);
  const config = transformerConfigOf(trace);
  const layer = shownLayer(trace) ?? 0;
  const head = Math.min(state.head, config.heads - 1);
  const { more } = words.value;
  const stages = useMemo(() => stagesOf(trace, { layer, head }, { more }), [trace, layer, head, more]);
  const place = Math.max(
    0,
    stages.findIndex(({ id }) => id === state.stage),
  );
  const stage = stages[place];
  const rows = trace[stage.side].tokens;
  const row = Math.min(stage.side === 'source' ? state.token : state.position, rows.length - 1);
  const go = ({ id }: Stage) => setParameters({ stage: id });
  const chooseRow = (chosen: number) =>
    setParameters({ [stage.side === 'source' ? 'token' : 'position']: String(chosen) });
  return (
    <div class="walk">
      <StageList stages={stages} current={stage} onGo={go} />
      <div class="walk-stage">
        <WalkControls
          config={config}
          layer={layer}
          head={head}
          rows={rows}
          row={row}
          side={stage.side}
          onRow={chooseRow}
        />
        <StagePanel key={stage.id} trace={trace} stage={stage} row={row} onRow={chooseRow} />
        <StageSteps stages={stages} place={place} onGo={go} />
      </div>
    </div>
  );
}

/** The layer whose results a trace contains; while another is loading, the previous one. */
function shownLayer(trace: Trace): number | undefined {
  const name = trace.tensors?.find((tensor) => tensor.name.includes('.layers.'))?.name;
  return name === undefined ? undefined : Number(name.split('.')[2]);
}
