// What an experiment reads: its recipe, and its files by the flag of heed train.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { parse } from 'yaml';

const defaultData = '../shared/data';

/** Paths of one run; see run.mjs for the folders. */
export class Inputs {
  constructor(name, experiment, { data, models, recipes }) {
    this.experiment = experiment;
    this.data = data;
    this.preparedFolder = `${models}/${name}-data`;
    this.recipe = `${recipes}/${name}.yaml`;
    /** A recipe names its corpora with the default folder; with another one it is rewritten. */
    this.usedRecipe =
      data === defaultData || !this.recipeText.includes(defaultData) ? this.recipe : `${models}/${name}.yaml`;
  }

  get recipeText() {
    return readFileSync(this.recipe, 'utf8');
  }

  path(file) {
    return `${this.data}/${this.experiment.data}/${file}`;
  }

  /** The first file that is missing. */
  missing() {
    const { training, tests } = this.experiment;
    const { corpora = [] } = parse(this.recipeText);
    const needed = [
      ...corpora.flatMap(({ source, target }) => [source, target]).map((path) => path.replace(defaultData, this.data)),
      ...Object.values(training).map((file) => this.path(file)),
      ...tests
        .flatMap(({ source, reference, validationOf }) => validationOf ?? [source, reference])
        .map((file) => this.path(file)),
    ];
    return needed.find((path) => !existsSync(path));
  }

  /** Files by the flag of heed train. */
  trainingFiles() {
    const { training, validationEvery, validationShare } = this.experiment;
    const given = Object.entries(training).map(([flag, file]) => [flag, this.path(file)]);
    if (validationEvery === undefined && validationShare === undefined) return given;
    return given.flatMap(([flag, path]) => [
      [flag, this.prepared(path, 'train')],
      [`valid-${flag}`, this.prepared(path, 'valid')],
    ]);
  }

  /** Writes the files that training reads and the data folder lacks. */
  prepare() {
    const { training, validationEvery, validationShare } = this.experiment;
    if (this.usedRecipe !== this.recipe) write(this.usedRecipe, this.recipeText.replaceAll(defaultData, this.data));
    for (const path of Object.values(training).map((file) => this.path(file))) {
      if (validationEvery !== undefined) this.splitLines(path, validationEvery);
      if (validationShare !== undefined) this.splitText(path, validationShare);
    }
  }

  /** Sets every n-th line aside for validation. */
  splitLines(path, every) {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const isValidation = (_, i) => (i + 1) % every === 0;
    write(this.prepared(path, 'valid'), joined(lines.filter(isValidation)));
    write(this.prepared(path, 'train'), joined(lines.filter((line, i) => !isValidation(line, i))));
  }

  /** Sets the last characters aside for validation. */
  splitText(path, share) {
    const text = readFileSync(path, 'utf8');
    const border = Math.floor(text.length * (1 - share));
    write(this.prepared(path, 'train'), text.slice(0, border));
    write(this.prepared(path, 'valid'), text.slice(border));
  }

  prepared(path, part) {
    return `${this.preparedFolder}/${part}${extname(path)}`;
  }
}

function joined(lines) {
  return lines.map((line) => `${line}\n`).join('');
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
