// Words of what the views that look inside have in common, in Chinese.

import type { english } from './english.ts';

export const chinese: typeof english = {
  sentence: '句子',
  translation: '译文',
  translationHint: '译文（默认由模型给出）',
  direction: '语言',
  look: '看看内部',
  loading: '模型正在读……',
  empty: '写一个句子，看看模型如何处理它。',
  outdated: '现在看到的仍是上一个句子的结果。',
};
