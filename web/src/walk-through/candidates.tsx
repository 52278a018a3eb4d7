// The most probable next tokens at a position of the translation: as logits, as probabilities, and the chosen one.

import type { Trace, TraceCandidate } from '../../../src/translate/index.ts';
import { Scrollable } from '../design/scrollable.tsx';
import { Piece } from '../inspect/piece.tsx';
import { format } from './sums.ts';
import { words } from './words.ts';

interface CandidatesProps {
  readonly trace: Trace;
  readonly position: number;
  /** The value that the bars show. */
  readonly by: 'logit' | 'probability';
}

export function Candidates({ trace, position, by }: CandidatesProps) {
  const { best, next } = trace.target.predictions[position];
  const all = best.some(({ id }) => id === next.id) ? best : [...best, next];
  const most = Math.max(...all.map((candidate) => Math.abs(candidate[by])));
  // ln Σ e^z follows from log p = z − ln Σ e^z, so that a trace need not contain it.
  const logSum = next.logit - next.logProbability;
  return (
    <Scrollable label={words.value[by]}>
      <table class="candidates">
        <caption>{words.value.afterReading(trace.target.tokens[position].piece.replace('▁', ''))}</caption>
        <thead>
          <tr>
            <th scope="col">{words.value.piece}</th>
            <th scope="col">{words.value[by]}</th>
            {by === 'probability' && <th scope="col">softmax</th>}
          </tr>
        </thead>
        <tbody>
          {all.map((candidate) => (
            <tr key={candidate.id} class={candidate.id === next.id ? 'taken' : undefined}>
              <th scope="row">
                <Piece token={candidate} />
                {candidate.id === next.id && <span class="hint"> {words.value.taken}</span>}
              </th>
              <td>
                <span class="bar" style={{ '--share': String(Math.abs(candidate[by]) / most) }} />
                <span class="number">{by === 'logit' ? format(candidate.logit) : percent(candidate)}</span>
              </td>
              {by === 'probability' && (
                <td class="hint number">
                  {words.value.softmaxOf(format(candidate.logit), format(logSum), format(candidate.probability))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

/** The token that greedy search would choose, and the one in the translation. */
export function Choice({ trace, position }: Omit<CandidatesProps, 'by'>) {
  const { best, next } = trace.target.predictions[position];
  const [first] = best;
  return (
    <div class="choice-of-token">
      <Candidates trace={trace} position={position} by="probability" />
      <p>
        {words.value.argmax(first.piece.replace('▁', ''), percent(first))}{' '}
        {first.id === next.id
          ? words.value.tookSame
          : words.value.tookOther(next.piece.replace('▁', ''), percent(next))}
      </p>
    </div>
  );
}

function percent({ probability }: Pick<TraceCandidate, 'probability'>): string {
  const value = 100 * probability;
  return `${value >= 10 ? value.toFixed(1) : value.toPrecision(2)} %`;
}
