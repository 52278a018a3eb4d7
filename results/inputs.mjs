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
    /** A recipe names its corpora with the default folder; with another one it is written anew. */
    this.usedRecipe =
      data === defaultData || !this.recipeText.includes(defaultData) ? this.recipe : `${models}/${name}.yaml`;
  }

  get recipeText() {
    return readFileSync(this.recipe, 'utf8');
  }

  path(file) {
    return `${this.data}/${this.experiment.data}/${file}`;
  }

  /** The first file that is not there. */
  missing() {
    const { training, tests } = this.experiment;
    const { corpora = [] } = parse(this.recipeText);
    const needed = [
      ...corpora.flatMap(({ source, target }) => [source, target]).map((path) => path.replace(defaultData, this.data)),
      ...Object.values(training).map((file) => this.path(file)),
      ...tests
        .flatMap(({ source, reference, heldOutOf }) => heldOutOf ?? [source, reference])
        .map((file) => this.path(file)),
    ];
    return needed.find((path) => !existsSync(path));
  }

  /** Files by the flag of heed train. */
  trainingFiles() {
    const { training, heldOutEvery, heldOutShare } = this.experiment;
    const given = Object.entries(training).map(([flag, file]) => [flag, this.path(file)]);
    if (heldOutEvery === undefined && heldOutShare === undefined) return given;
    return given.flatMap(([flag, path]) => [
      [flag, this.prepared(path, 'train')],
      [`valid-${flag}`, this.prepared(path, 'valid')],
    ]);
  }

  /** Writes what training reads and the data folder lacks. */
  prepare() {
    const { training, heldOutEvery, heldOutShare } = this.experiment;
    if (this.usedRecipe !== this.recipe) write(this.usedRecipe, this.recipeText.replaceAll(defaultData, this.data));
    for (const path of Object.values(training).map((file) => this.path(file))) {
      if (heldOutEvery !== undefined) this.splitLines(path, heldOutEvery);
      if (heldOutShare !== undefined) this.splitText(path, heldOutShare);
    }
  }

  /** Holds every n-th line out. */
  splitLines(path, every) {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const isHeldOut = (_, i) => (i + 1) % every === 0;
    write(this.prepared(path, 'valid'), joined(lines.filter(isHeldOut)));
    write(this.prepared(path, 'train'), joined(lines.filter((line, i) => !isHeldOut(line, i))));
  }

  /** Holds the last characters out. */
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
