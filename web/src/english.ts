// Texts of the frame around the views.

export const english = {
  views: {
    translate: 'Translate',
    attention: 'Attention',
    'walk-through': 'Walk through',
    beam: 'Beam',
    training: 'Training',
  },
  skipToContent: 'Skip to content',
  viewsOfPage: 'Views',
  interfaceLanguage: 'Language of the page',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  loading: 'Loading …',
  viewFailed: 'This view could not be loaded.',
  tryAgain: 'Try again',
  serverUnreachable: 'The server does not answer. Is heed serve still running?',
  tooManyRequests: (seconds: number) => `The server is busy. Try again in ${seconds} s.`,
  serverError: (status: number) => `The server answered with an error (${status}).`,
};
