// Shifted blocks: runs of lines whose translations stand some lines above or below, because a line was lost on one side
// and another, later, on the other. Found by length alone: translations are about as long as their sources.
//
// Each source line is given the offset of its translation; the path of offsets that costs least is found by dynamic
// programming (Viterbi), where a line costs the square of its length misfit and a change of offset costs `changeCost`.

/** Source lines `firstLine` to `lastLine`, counted from 1, whose translations stand `offset` lines further down. */
export interface ShiftedBlock {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly offset: number;
}

const maxOffset = 3;
const offsets = Array.from({ length: 2 * maxOffset + 1 }, (_, i) => i - maxOffset);
/** In units of line costs: with the usual correlation of lengths, about 15 lines must fit better. */
const changeCost = 12;
/** The maximum cost of a line: that of a misfit of three standard deviations. */
const maxLineCost = 4.5;
const minBlockLines = 8;

/** The shifted blocks of a corpus in order, given the lengths of its lines in characters. */
export function shiftedBlocks(sourceLengths: ArrayLike<number>, targetLengths: ArrayLike<number>): ShiftedBlock[] {
  const source = Float64Array.from(sourceLengths, logLength);
  const target = Float64Array.from(targetLengths, logLength);
  if (source.length < minBlockLines) return [];
  return runs(cheapestOffsets(source, target)).filter((block) => isPlain(block, source, target));
}

/** The logarithm, since misfits grow with length; the 10 keeps short lines from counting too much. */
function logLength(length: number): number {
  return Math.log(length + 10);
}

/** Of each line, the offset on the cheapest path. */
function cheapestOffsets(source: Float64Array, target: Float64Array): Int8Array {
  const lineCost = lineCosts(source, target);
  const cameFrom = new Uint8Array(source.length * offsets.length);
  let costs = offsets.map((offset): number => (offset === 0 ? 0 : changeCost));
  for (let line = 0; line < source.length; line++) {
    const cheapest = indexOfLeast(costs);
    costs = costs.map((cost, state) => {
      const changes = costs[cheapest] + changeCost < cost;
      cameFrom[line * offsets.length + state] = changes ? cheapest : state;
      return (changes ? costs[cheapest] + changeCost : cost) + lineCost(line, offsets[state]);
    });
  }
  const path = new Int8Array(source.length);
  let state = indexOfLeast(costs);
  for (let line = source.length - 1; line >= 0; line--) {
    path[line] = offsets[state];
    state = cameFrom[line * offsets.length + state];
  }
  return path;
}

/** How badly the target line `line + offset` fits the source line by length, from 0 to maxLineCost. */
function lineCosts(source: Float64Array, target: Float64Array): (line: number, offset: number) => number {
  const usual = median(target) - median(source);
  const misfit = (line: number, offset: number) => target[line + offset] - source[line] - usual;
  const spreads = offsets.map((offset) => {
    const lines = [...source.keys()].filter((line) => line + offset >= 0 && line + offset < target.length);
    return 1.4826 * median(Float64Array.from(lines, (line) => Math.abs(misfit(line, offset))));
  });
  // The best offset shows how well lengths can fit, even if most of the corpus is shifted.
  const spread = Math.max(0.02, Math.min(...spreads));
  return (line, offset) => {
    if (line + offset < 0 || line + offset >= target.length) return maxLineCost;
    return Math.min(maxLineCost, (misfit(line, offset) / spread) ** 2 / 2);
  };
}

function runs(path: Int8Array): ShiftedBlock[] {
  const blocks: ShiftedBlock[] = [];
  let start = 0;
  for (let line = 1; line <= path.length; line++) {
    if (line < path.length && path[line] === path[start]) continue;
    if (path[start] !== 0) blocks.push({ firstLine: start + 1, lastLine: line, offset: path[start] });
    start = line;
  }
  return blocks;
}

/** Whether a block is more than chance: long enough, and its lengths follow the shifted lines' much more closely. */
function isPlain({ firstLine, lastLine, offset }: ShiftedBlock, source: Float64Array, target: Float64Array): boolean {
  if (lastLine - firstLine + 1 < minBlockLines) return false;
  const first = Math.max(firstLine - 1, -offset);
  const end = Math.min(lastLine, target.length - offset);
  const own = correlation(source.subarray(first, end), target.subarray(first, end));
  const shifted = correlation(source.subarray(first, end), target.subarray(first + offset, end + offset));
  return shifted >= 0.5 && shifted - own >= 0.3;
}

function correlation(a: Float64Array, b: Float64Array): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, i) => (value - meanA) * (b[i] - meanB)));
  const [varianceA, varianceB] = [
    mean(a.map((value) => (value - meanA) ** 2)),
    mean(b.map((value) => (value - meanB) ** 2)),
  ];
  return varianceA === 0 || varianceB === 0 ? 0 : covariance / Math.sqrt(varianceA * varianceB);
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: Float64Array): number {
  return values.toSorted()[values.length >> 1];
}

function indexOfLeast(values: readonly number[]): number {
  return values.indexOf(Math.min(...values));
}
