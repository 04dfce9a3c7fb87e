// One file per result, written under another name and then renamed: a file is whole or it is not there. Those of many jobs are in 256 folders,
// by the first two digits of their ids; each is looked for in both places.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './exit-codes.mjs';
import { reasonOf, writeWhole } from './files.mjs';

const experimentEnding = '.experiment.json';

/** More than a person looks through, and well below what slows a shared file system down. */
export const mostInOneFolder = 1000;

export class ResultFolder {
  #shards;
  /** Thousands of rows name the same few metrics, and each line of JSON would bring its own copy of the name. @type {Map<string, string>} */
  #names = new Map();

  /** @param {string} path @param {number} jobs How many are run into it. */
  constructor(path, jobs = 0) {
    this.path = path;
    this.#shards = jobs > mostInOneFolder;
  }

  /** @param {{ id: string }} job */
  has({ id }) {
    return this.#find(id, 'jsonl') !== null;
  }

  hasFailed(job) {
    return this.has(job) && this.#lines(job)[0].run.status === 'failed';
  }

  /** The result of a job: its run, its metrics, and the model where others are compared with it. */
  read(job) {
    const [{ run }, ...rows] = this.#lines(job);
    for (const [field, value] of Object.entries(run)) if (typeof value === 'string') run[field] = this.#same(value);
    const metrics = rows.map(({ metric }) => {
      const { step, metric: name, layer, band, value, unit } = metric;
      return { id: run.id, step, metric: this.#same(name), layer, band, value, unit: this.#same(unit) };
    });
    const model = this.#find(job.id, 'model');
    return { run, metrics, model: model === null ? null : new Uint8Array(readFileSync(model)) };
  }

  /** The model comes first: what has a result is complete. */
  write({ id }, { run, metrics, model }) {
    if (model !== null) this.#put(id, 'model', model);
    const rows = [{ run }, ...metrics.map((metric) => ({ metric }))];
    this.#put(id, 'jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    for (const file of this.#files(id, 'state')) rmSync(file, { force: true });
  }

  /** So that the folder can be collected without the file of the experiment. */
  keepExperiment(specHash, spec) {
    const file = join(this.path, `${specHash}${experimentEnding}`);
    if (!existsSync(file)) writeWhole(file, `${JSON.stringify(spec)}\n`);
  }

  /** Files of the experiments that were run into this folder. */
  experiments() {
    try {
      const names = readdirSync(this.path).filter((name) => name.endsWith(experimentEnding));
      return names.map((name) => join(this.path, name));
    } catch (error) {
      throw new Refusal(`${this.path} cannot be read: ${reasonOf(error)}`);
    }
  }

  /** Where a job was stopped; null where it was not, or where that cannot be read. */
  stateOf({ id }) {
    try {
      const bytes = readFileSync(this.#find(id, 'state') ?? '');
      const end = bytes.indexOf(10);
      const { step, metrics, seconds } = JSON.parse(bytes.toString('utf8', 0, end));
      return { step, metrics, seconds, model: new Uint8Array(bytes.subarray(end + 1)) };
    } catch {
      return null;
    }
  }

  writeState({ id }, { model, ...facts }) {
    this.#put(id, 'state', Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), model]));
  }

  #lines({ id }) {
    const file = this.#find(id, 'jsonl') ?? this.#file(id, 'jsonl');
    try {
      return readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    } catch (error) {
      throw new Refusal(`${file} is damaged: ${error.message}; delete it, and run the experiment again`);
    }
  }

  #same(name) {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, name);
    return name;
  }

  /** Both places of a file: first that of an experiment of this many jobs, then that of one of fewer or more. */
  #files(id, ending) {
    const name = `${id}.${ending}`;
    const places = [join(this.path, name), join(this.path, id.slice(0, 2), name)];
    return this.#shards ? places.reverse() : places;
  }

  /** Where a file is to be written. */
  #file(id, ending) {
    return this.#files(id, ending)[0];
  }

  #find(id, ending) {
    return this.#files(id, ending).find((file) => existsSync(file)) ?? null;
  }

  #put(id, ending, content) {
    writeWhole(this.#file(id, ending), content);
  }
}
