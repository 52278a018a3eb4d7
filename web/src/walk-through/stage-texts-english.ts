// The explanations of the stages, in the paper's terms.

import type { StageText } from './stage.ts';

export interface StageSentences {
  readonly title: string;
  readonly text: string;
}

export const stageTextsEnglish: Readonly<Record<StageText, StageSentences>> = {
  sourceTokens: {
    title: 'The sentence as tokens',
    text: 'A model reads numbers, not letters. The sentence is cut into pieces of a vocabulary learned by byte-pair encoding, and each piece has a number; ▁ marks where a word begins. The last token says that the sentence is over.',
  },
  embedding: {
    title: 'Embedding',
    text: 'Each token becomes a vector: the row of a learned matrix. It is multiplied by √d, so that what it says is not drowned by the positions that are added next. The same matrix later turns vectors back into words, where the model shares it.',
  },
  positions: {
    title: 'Positions',
    text: 'Attention by itself does not know any order: it would read a shuffled sentence the same. So each position adds its own pattern of waves, from short ones at the first places of the vector to very long ones at the last. Two positions a fixed distance apart always differ by the same rotation, which makes distances easy to learn.',
  },
  projections: {
    title: 'Queries, keys and values',
    text: 'Each head makes three vectors of every token, with learned matrices. The query asks what the token is looking for, the key says what it has to offer, and the value is what it gives. All of them are short: every head works in its own small space.',
  },
  crossProjections: {
    title: 'Queries from the translation, keys and values from the source',
    text: 'Here the two halves of the model meet. Queries come from the decoder, keys and values from what the encoder made of the source. So every position of the translation can look over the whole source sentence.',
  },
  scores: {
    title: 'Scores',
    text: 'How well does a query match a key? Their dot product says it: high where they point the same way. It is divided by √dₖ, since sums of many products grow large, and large scores would push the softmax to where it hardly learns.',
  },
  paddingMask: {
    title: 'Mask',
    text: 'Where several sentences share a batch, short ones are filled up with padding, and nobody may look at that: its score becomes −∞. Your sentence stands alone, so nothing is hidden here and the scores stay as they are.',
  },
  causalMask: {
    title: 'Mask: no look into the future',
    text: 'The decoder writes from left to right, so a position may look at itself and at what stands before it only. Scores to the right become −∞, which the softmax turns into 0. That is why the model can be trained on whole sentences at once and still never sees the word it has to predict.',
  },
  softmax: {
    title: 'Softmax',
    text: 'Each row of scores becomes shares that are positive and sum to 1: how much of its attention a token gives to every other. Twice the exponential is twice the share, so a small lead in the score is a large lead in the weight.',
  },
  values: {
    title: 'Weighted sum of the values',
    text: 'Now the head collects: every token gets the values of all tokens, each times its weight. A token that looks at one other only receives just about that one’s value; a token that looks everywhere receives an average.',
  },
  join: {
    title: 'Heads joined',
    text: 'All heads have worked side by side, each on its own question. Their results are put next to each other, and one more learned matrix mixes them back into a vector of the model’s width.',
  },
  addNorm: {
    title: 'Add and normalise',
    text: 'The result is added to what came in, so that nothing gets lost on the way and many layers can be trained. Then every vector is brought to mean 0 and variance 1, and scaled by a learned gain and bias.',
  },
  feedForward: {
    title: 'Feed-forward network',
    text: 'Each position is now worked on by itself, with the same small network everywhere: wider inside, and with everything below zero cut off in between. Attention moves information between tokens; this is where it is made something of.',
  },
  encoderOutput: {
    title: 'Through all layers: the memory',
    text: 'The same two steps are repeated, layer upon layer, each with matrices of its own. What the last layer makes of the source is what the decoder will look at, again and again, while it writes. Choose another layer above to see how it works there.',
  },
  targetTokens: {
    title: 'The translation so far',
    text: 'The decoder reads the translation one place late: first the start token, then every word after it has been chosen. So at each place it knows all words before, and predicts the one that comes next. Here the whole translation is there already, and all its places are computed at once.',
  },
  decoderOutput: {
    title: 'Through all layers of the decoder',
    text: 'Masked attention, a look at the source, and the feed-forward network are repeated in every layer. What comes out at a place holds all the model knows for choosing the next token there.',
  },
  logits: {
    title: 'Logits',
    text: 'The last vector of a place is compared with a vector for every token of the vocabulary: again a dot product, again high where they agree. These numbers are the logits. Here are the highest ones at the chosen place.',
  },
  probabilities: {
    title: 'Probabilities',
    text: 'The softmax turns the logits of the whole vocabulary into probabilities that sum to 1. A difference of 1 between two logits makes one token 2.7 times as likely as the other.',
  },
  choice: {
    title: 'The next token',
    text: 'Greedy search would take the most probable token, write it down, and go on from there. The translation shown may have taken another: because the beam search found that a less likely word leads to a better sentence, or because you gave the translation.',
  },
  beam: {
    title: 'The choice of the beam',
    text: 'The search keeps several beginnings alive and lets them compete: at each step every one of them is continued, and the best by the sum of log-probabilities stay. Finished sentences are compared by that sum divided by a length penalty, since longer ones always have a lower sum. The paper used a beam of 4 and α = 0.6.',
  },
};
