// Words of the view Training, in Chinese.

import type { english } from './english.ts';

export const chinese: typeof english = {
  runs: '训练任务',
  noRuns: '此服务器没有可显示的训练。启动时指定训练目录，或让训练自己打开此页：',
  states: {
    preparing: '准备中',
    running: '进行中',
    stopping: '正在停止',
    stopped: '已停止，可继续',
    finished: '已完成',
  },
  epoch: '轮',
  step: '步',
  latest: '最新',
  recipe: '配置',
  mostShown: (most) => `最多同时绘制 ${most} 个训练。`,
  stop: '停止…',
  stopTitle: (run) => `停止 ${run}？`,
  stopMeaning: '训练会在当前批次后保存全部状态并结束，可用 heed train --resume 继续。',
  stopNow: '停止训练',
  cancel: '取消',
  charts: '曲线',
  chartNames: {
    loss: '损失',
    perplexity: '困惑度',
    bleu: 'BLEU',
    learningRate: '学习率',
    speed: '词元/秒',
    gradientNorm: '梯度范数',
  },
  training: '训练集',
  heldOut: '验证集',
  curveSummary: (name, value, step) => `${name}：第 ${step} 步为 ${value}`,
  readAt: '查看第几步',
  samples: '验证时的译文',
  noSamples: '还没有示例译文，验证之后才有。',
  reference: '参考译文',
  atStep: (step) => `第 ${step} 步`,
  streamEnded: (run) => `服务器不再提供 ${run} 的消息。`,
  waiting: '还没有测量值。',
};
