// Texts of the beam view.

export const english = {
  title: 'Beam',
  intro:
    'How the translation was found: the search keeps a few beginnings alive at each step, and leaves the others behind. Point at a token to see its path and its numbers.',
  beam: 'Beam width',
  lengthPenalty: 'Length penalty α',
  leftBehind: 'Left behind',
  leftBehindOptions: { none: 'none', few: 'best of each step', all: 'all' },
  tree: 'The search as a tree',
  treeLabel: (nodes: number, steps: number) =>
    `${nodes} tokens in ${steps} steps. Left and right go along a path, up and down through a step.`,
  statuses: { live: 'kept', finished: 'finished', pruned: 'left behind' },
  winner: 'the winner’s way',
  node: (piece: string, total: string, status: string) => `${piece}, sum ${total}, ${status}`,
  path: 'So far',
  logProbability: 'log p of the token',
  total: 'Σ log p',
  length: 'n',
  penalty: 'lp(n)',
  score: 'Score',
  reason: 'Ended by',
  reasons: { end: 'its end', length: 'the maximal length', blocked: 'nothing allowed' },
  results: 'Finished translations',
  resultsCaption: 'Score = Σ log p / lp(n); n counts the end. Best first.',
  showAll: (count: number) => `Show all ${count}`,
  text: 'Translation',
  why: 'Why the winner won',
  won: (text: string, total: string, length: number, penalty: string, score: string) =>
    `“${text}” has Σ log p = ${total} over ${length} tokens. Divided by lp(${length}) = ${penalty}, that is a score of ${score}.`,
  wonNone: (text: string, total: string, length: number) =>
    `“${text}” has Σ log p = ${total} over ${length} tokens; with α = 0 the sum is the score.`,
  onlyOne: 'It is the only translation that finished.',
  runnerUp: (text: string, score: string, difference: string) =>
    `The next best, “${text}”, scores ${score}: ${difference} less.`,
  penaltyChanged: (text: string, total: string, length: number) =>
    `Without the length penalty, “${text}” would have won: its sum ${total} is higher, since it has only ${length} tokens.`,
  penaltyUnchanged: 'Without the length penalty it would have won too.',
  greedySame: 'At every step its token was the most probable one, so greedy search finds it too.',
  greedyOther: (taken: string, takenProbability: string, greedy: string, greedyProbability: string, step: number) =>
    `At step ${step} it took “${taken}” (${takenProbability}), where greedy search would have taken “${greedy}” (${greedyProbability}).`,
  moreDetours: (count: number) => `So it did at ${count} more steps.`,
  stopped: {
    decided: (best: string, threshold: string) =>
      `The search stopped since no living hypothesis could win any more: the best still reachable was ${best}, and ${threshold} was already there.`,
    end: 'The search stopped at the first end: that is greedy search.',
    length: 'The search stopped since every living hypothesis had reached the maximal length.',
    blocked: 'The search stopped since nothing was left to continue.',
  },
  blank: 'A blank sentence is not searched: its translation is blank.',
};
