// Words of the frame around the views, in Chinese.

import type { english } from './english.ts';

export const chinese: typeof english = {
  views: {
    translate: '翻译',
    attention: '注意力',
    'walk-through': '逐步讲解',
    beam: '束搜索',
    training: '训练',
  },
  skipToContent: '跳到正文',
  viewsOfPage: '视图',
  interfaceLanguage: '界面语言',
  theme: '主题',
  themes: { system: '跟随系统', light: '浅色', dark: '深色' },
  loading: '正在加载…',
  viewFailed: '无法加载此视图。',
  tryAgain: '重试',
  serverUnreachable: '服务器没有响应。heed serve 还在运行吗？',
  tooManyRequests: (seconds) => `服务器繁忙，请在 ${seconds} 秒后重试。`,
  serverError: (status) => `服务器返回错误（${status}）。`,
};
