// Words of the view Translate, in Chinese.

import { formatCount } from '../numbers.ts';
import type { english } from './english.ts';

export const chinese: typeof english = {
  source: '原文',
  target: '译文',
  sourceLanguage: '原文语言',
  targetLanguage: '译文语言',
  detectLanguage: '检测语言',
  detected: (language, confidence) =>
    confidence === undefined ? `检测到：${language}` : `检测到：${language}（${confidence}%）`,
  modelLanguage: '模型的语言',
  swap: '交换语言',
  placeholder: '输入或粘贴文字',
  clear: '清空',
  copy: '复制',
  copied: '已复制',
  copyLink: '复制链接',
  copyFailed: '浏览器不允许复制。',
  characters: (count, limit) =>
    limit === undefined ? `${formatCount(count)} 个字符` : `${formatCount(count)} / ${formatCount(limit)} 个字符`,
  tooLong: (count, limit) => `文字共 ${formatCount(count)} 个字符，服务器最多接受 ${formatCount(limit)} 个，请缩短。`,
  translating: '正在翻译…',
  translated: '逐词译文',
  wordsHint: '用方向键逐词移动，查看每个词的来源。',
  pointHint: '指向一个词，查看它的来源。',
  sure: '确定',
  unsure: '不确定',
  fromWords: '来自',
  becameWords: '译为',
  fromNothing: '没有对应的词',
  search: '搜索',
  beam: '束宽',
  beamHint: '每一步保留的候选数；1 即贪心搜索。',
  lengthPenalty: '长度惩罚 α',
  lengthPenaltyHint: '大于 0 时较长的译文更容易胜出；0 为关闭。',
  alternatives: '备选译文',
  alternativesHint: '最佳译文之外的译文数，至多为束宽减一。',
  alternativesOf: (sentence) => `第 ${sentence} 句的备选译文`,
  apiKey: 'API 密钥',
  score: '得分：对数概率除以长度惩罚',
  noModels: '此服务器没有可用于翻译的模型。请带模型启动：',
};
