// Words of the beam view, in Chinese.

import type { english } from './english.ts';

export const chinese: typeof english = {
  title: '束搜索',
  intro: '译文是怎样找到的：搜索在每一步保留几个开头，淘汰其余的。指向一个词元，可看它的路径和数字。',
  beam: '束宽',
  lengthPenalty: '长度惩罚 α',
  leftBehind: '淘汰者',
  leftBehindOptions: { none: '不显示', few: '每步最好的', all: '全部' },
  tree: '以树的形式看搜索',
  treeLabel: (nodes, steps) => `${steps} 步中的 ${nodes} 个词元。左右沿路径移动，上下在同一步内移动。`,
  statuses: { live: '保留', finished: '完成', pruned: '淘汰' },
  winner: '胜者之路',
  node: (piece, total, status) => `${piece}，总和 ${total}，${status}`,
  path: '到此为止',
  logProbability: '该词元的 log p',
  total: 'Σ log p',
  length: 'n',
  penalty: 'lp(n)',
  score: '得分',
  reason: '结束于',
  reasons: { end: '结束词元', length: '最大长度', blocked: '无可继续' },
  results: '完成的译文',
  resultsCaption: '得分 = Σ log p / lp(n)，n 包括结束词元。最好的在前。',
  showAll: (count) => `显示全部 ${count} 个`,
  text: '译文',
  why: '胜者为何胜出',
  won: (text, total, length, penalty, score) =>
    `“${text}”的 Σ log p = ${total}，共 ${length} 个词元。除以 lp(${length}) = ${penalty}，得分为 ${score}。`,
  wonNone: (text, total, length) => `“${text}”的 Σ log p = ${total}，共 ${length} 个词元；α = 0 时总和就是得分。`,
  onlyOne: '它是唯一完成的译文。',
  runnerUp: (text, score, difference) => `其次是“${text}”，得分 ${score}，少 ${difference}。`,
  penaltyChanged: (text, total, length) =>
    `如果没有长度惩罚，“${text}”会胜出：它只有 ${length} 个词元，总和 ${total} 更高。`,
  penaltyUnchanged: '没有长度惩罚，它同样会胜出。',
  greedySame: '每一步它取的都是最可能的词元，所以贪心搜索也能找到它。',
  greedyOther: (taken, takenProbability, greedy, greedyProbability, step) =>
    `第 ${step} 步它取了“${taken}”（${takenProbability}），而贪心搜索会取“${greedy}”（${greedyProbability}）。`,
  moreDetours: (count) => `另有 ${count} 步也是如此。`,
  stopped: {
    decided: (best, threshold) =>
      `搜索停止，因为没有存活的候选还能胜出：还能达到的最好得分是 ${best}，而已有 ${threshold}。`,
    end: '搜索在第一个结束词元处停止：这就是贪心搜索。',
    length: '搜索停止，因为所有存活的候选都达到了最大长度。',
    blocked: '搜索停止，因为没有可继续的内容。',
  },
  blank: '空白句子不进行搜索：它的译文也是空白。',
};
