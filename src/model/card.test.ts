import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type CardFacts, modelCard } from './card.ts';

const few: CardFacts = { name: 'dates', heedVersion: '0.1.0', parameters: 1234567 };

describe('modelCard', () => {
  it('prints only what is given', () => {
    expect(modelCard(few)).toBe(`---
library_name: heed
tags:
  - heed
  - transformer
---

# dates

A Transformer (Vaswani et al. 2017) with 1,234,567 parameters, trained with heed 0.1.0.
`);
  });

  it('prints data, scores and recipe', () => {
    const card = modelCard({
      name: 'Multi30k\nsmall',
      heedVersion: '0.1.0',
      parameters: 9000,
      directions: [{ source: 'en', target: 'no' }],
      license: 'cc-by-4.0',
      dataDescription: 'Captions of pictures.',
      data: [{ role: 'training', source: 'train.en', target: 'train.no', pairs: 29000 }],
      trainingSteps: 100000,
      scores: [{ data: 'test|2016', metric: 'BLEU', value: '38.2', signature: 'BLEU|nrefs:1|case:mixed' }],
      recipe: { dModel: 128, lengthPenalty: 'gnmt:0.6', note: 'a\n```\nb' },
    });
    expect(card).toBe(`---
library_name: heed
license: cc-by-4.0
language:
  - en
  - "no"
pipeline_tag: translation
tags:
  - heed
  - transformer
  - translation
---

# Multi30k small

A Transformer (Vaswani et al. 2017) from en to no with 9,000 parameters, trained for 100,000 steps with heed 0.1.0.

## Data

Captions of pictures.

| set | source | target | pairs |
| --- | --- | --- | --- |
| training | train.en | train.no | 29,000 |

## Scores

| data | metric | score | signature |
| --- | --- | --- | --- |
| test\\|2016 | BLEU | 38.2 | \`BLEU\\|nrefs:1\\|case:mixed\` |

## Recipe

\`\`\`yaml
dModel: 128
lengthPenalty: gnmt:0.6
note: "a\\n\`\`\`\\nb"
\`\`\`
`);
  });

  it('names all directions, how weights are stored, and what the model cannot do', () => {
    const directions = [
      { source: 'en', target: 'zh' },
      { source: 'zh', target: 'en' },
    ];
    const card = modelCard({ ...few, directions, precision: 'int8', limitations: 'Long sentences.' });
    expect(card).toContain('language:\n  - en\n  - zh\n');
    expect(card).toContain('from en to zh and from zh to en with 1,234,567 parameters in int8, trained with');
    expect(card).toContain('## Limitations\n\nLong sentences.\n');
  });

  it('has front matter and a recipe that can be parsed without loss', () => {
    const recipe = { on: 'off', list: ['1e3', '# no comment', 'a: b', ''], deep: { empty: {}, text: '---\n```' } };
    const card = modelCard({ ...few, license: 'other: yes', recipe });
    const [, frontMatter, rest] = card.split(/^---\n/m);
    expect(parse(frontMatter)).toEqual({ library_name: 'heed', license: 'other: yes', tags: ['heed', 'transformer'] });
    expect(parse(rest.split(/^```(?:yaml)?\n/m)[1])).toEqual(recipe);
  });
});
