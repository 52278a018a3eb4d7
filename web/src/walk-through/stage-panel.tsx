// One stage: its purpose, its formula, and its numbers.

import { useState } from 'preact/hooks';
import type { Trace } from '../../../src/translate/index.ts';
import { Scrollable } from '../design/scrollable.tsx';
import type { Cell } from '../drawing/cell-cursor.ts';
import { BeamChoice } from './beam-choice.tsx';
import { Candidates, Choice } from './candidates.tsx';
import { Explanation } from './explanation.tsx';
import { Formula } from './formula.tsx';
import { MatrixPicture } from './matrix-picture.tsx';
import type { Matrix, Stage } from './stage.ts';
import { TokenTable } from './token-table.tsx';
import { words } from './words.ts';

interface StagePanelProps {
  readonly trace: Trace;
  readonly stage: Stage;
  /** The initially explained token. */
  readonly row: number;
  readonly onRow: (row: number) => void;
}

export function StagePanel({ trace, stage, row, onRow }: StagePanelProps) {
  const { title, text } = words.value.stages[stage.text];
  return (
    <article class="stage-panel panel">
      <header>
        <p class="hint">
          {words.value.parts[stage.part]} · {words.value.section(stage.section)}
        </p>
        <h2>{title}</h2>
        <p class="stage-text">{text}</p>
        <Scrollable class="stage-formula" label={words.value.formula}>
          <Formula tex={stage.formula} isDisplayed />
        </Scrollable>
      </header>
      {stage.matrices.length > 0 && <Matrices stage={stage} row={row} onRow={onRow} />}
      <StageExtra trace={trace} stage={stage} row={row} onRow={onRow} />
    </article>
  );
}

interface Pointed {
  readonly matrix: string;
  readonly cell: Cell;
}

function Matrices({ stage, row, onRow }: Omit<StagePanelProps, 'trace'>) {
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined);
  const shown = pointed ?? strongest(matrixOf(stage, stage.result), row);
  const matrix = matrixOf(stage, shown.matrix);
  const origin = stage.originOf(shown.matrix, shown.cell.row, shown.cell.column);
  return (
    <>
      <Explanation matrix={matrix} cell={shown.cell} origin={origin} />
      <div class="matrices">
        {stage.matrices.map((each) => (
          <MatrixPicture
            key={each.id}
            matrix={each}
            cell={each.id === shown.matrix ? shown.cell : undefined}
            regions={origin?.regions.filter((region) => region.matrix === each.id) ?? []}
            isResult={stage.originOf(each.id, 0, 0) !== undefined}
            onCell={(cell) => setPointed(cell && { matrix: each.id, cell })}
            onChoose={(cell) => each.rows.length === matrixOf(stage, stage.result).rows.length && onRow(cell.row)}
          />
        ))}
      </div>
    </>
  );
}

function matrixOf({ matrices }: Stage, id: string): Matrix {
  return matrices.find((matrix) => matrix.id === id) ?? matrices[0];
}

/** The largest number of a row, which is explained until the pointer is on another. */
function strongest({ id, values }: Matrix, row: number): Pointed {
  return { matrix: id, cell: { row, column: values[row].indexOf(Math.max(...values[row])) } };
}

/** Contents other than matrices: tokens, candidates, the search. */
function StageExtra({ trace, stage, row, onRow }: StagePanelProps) {
  switch (stage.text) {
    case 'sourceTokens':
    case 'targetTokens':
      return <TokenTable trace={trace} side={stage.side} chosen={row} onChoose={onRow} />;
    case 'logits':
      return <Candidates trace={trace} position={row} by="logit" />;
    case 'probabilities':
      return <Candidates trace={trace} position={row} by="probability" />;
    case 'choice':
      return <Choice trace={trace} position={row} />;
    case 'beam':
      return <BeamChoice trace={trace} position={row} />;
    default:
      return undefined;
  }
}
