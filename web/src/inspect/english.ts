// Texts that the inspecting views share.

export const english = {
  sentence: 'Sentence',
  translation: 'Translation',
  translationHint: 'Translation (default: by the model)',
  direction: 'Languages',
  look: 'Look inside',
  loading: 'The model is reading …',
  empty: 'Write a sentence, and see what the model makes of it.',
  outdated: 'What you see is still that of the sentence before.',
};
