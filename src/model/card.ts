// The model card, README.md: what the model is, its training data and its scores. It contains only what is given.

import { stringify } from 'yaml';
import type { Direction } from './directions.ts';
import type { JsonObject } from './json.ts';

export interface CardFacts {
  readonly name: string;
  readonly heedVersion: string;
  /** Number of learned values. */
  readonly parameters: number;
  /** How weights are stored where that is not float32, such as `int8`. */
  readonly precision?: string;
  readonly directions?: readonly Direction[];
  /** An SPDX name such as `cc-by-4.0`. */
  readonly license?: string;
  /** What the texts are and where they come from. */
  readonly dataDescription?: string;
  readonly data?: readonly CardData[];
  readonly trainingSteps?: number;
  readonly scores?: readonly CardScore[];
  /** What the model cannot do, or should not be used for. */
  readonly limitations?: string;
  /** The resolved configuration. */
  readonly recipe?: JsonObject;
}

/** One pair of files. */
export interface CardData {
  /** Such as `training`, `validation`. */
  readonly role: string;
  readonly source: string;
  readonly target: string;
  readonly pairs: number;
}

export interface CardScore {
  /** What was translated, such as `newstest2014`. */
  readonly data: string;
  readonly metric: string;
  /** As it is to be printed, such as `27.3`. */
  readonly value: string;
  /** How it was computed; a score is never printed without it. */
  readonly signature: string;
}

/** The text of README.md: front matter as Hugging Face reads it, then a section for each fact that is given. */
export function modelCard(facts: CardFacts): string {
  const sections = [
    `# ${oneLine(facts.name)}`,
    summary(facts),
    section('Data', [facts.dataDescription, facts.data && dataTable(facts.data)]),
    section('Scores', [facts.scores && scoreTable(facts.scores)]),
    section('Limitations', [facts.limitations]),
    section('Recipe', [facts.recipe && `\`\`\`yaml\n${yaml(facts.recipe)}\`\`\``]),
  ];
  return `---\n${frontMatter(facts)}---\n\n${sections.filter((text) => text !== undefined).join('\n\n')}\n`;
}

function frontMatter({ directions = [], license }: CardFacts): string {
  const languages = [...new Set(directions.flatMap(({ source, target }) => [source, target]))];
  const translates = languages.length > 0;
  return yaml({
    library_name: 'heed',
    ...(license !== undefined && { license }),
    ...(translates && { language: languages, pipeline_tag: 'translation' }),
    tags: ['heed', 'transformer', ...(translates ? ['translation'] : [])],
  });
}

function summary({ heedVersion, parameters, precision, directions = [], trainingSteps }: CardFacts): string {
  const ways = directions.map(({ source, target }) => `from ${source} to ${target}`).join(' and ');
  const steps = trainingSteps === undefined ? '' : ` for ${formatCount(trainingSteps)} steps`;
  const size = `${formatCount(parameters)} parameters${precision === undefined ? '' : ` in ${precision}`}`;
  const model = ['A Transformer (Vaswani et al. 2017)', ways, `with ${size}`].filter((part) => part !== '').join(' ');
  return `${model}, trained${steps} with heed ${heedVersion}.`;
}

/** A heading and its paragraphs; undefined without paragraphs. */
function section(title: string, paragraphs: readonly (string | undefined)[]): string | undefined {
  const given = paragraphs.filter((text) => text !== undefined);
  return given.length === 0 ? undefined : [`## ${title}`, ...given].join('\n\n');
}

function dataTable(data: readonly CardData[]): string {
  const rows = data.map(({ role, source, target, pairs }) => [role, source, target, formatCount(pairs)]);
  return table(['set', 'source', 'target', 'pairs'], rows);
}

function scoreTable(scores: readonly CardScore[]): string {
  const rows = scores.map(({ data, metric, value, signature }) => [data, metric, value, `\`${signature}\``]);
  return table(['data', 'metric', 'score', 'signature'], rows);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** sacreBLEU's signatures are full of bars, which would end a cell. */
function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** 65,000,000 */
function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/**
 * YAML 1.1, which reads an unquoted `no`, Norwegian, as false: the quotes are right for readers of any version. Without
 * block literals no line of a text can begin with the fence's backticks.
 */
function yaml(value: JsonObject): string {
  return stringify(value, { version: '1.1', blockQuote: false, lineWidth: 0 });
}
