// One file per result, written under another name and then renamed: a file is whole or it is not there.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './exit-codes.mjs';
import { reasonOf, writeWhole } from './files.mjs';

const experimentEnding = '.experiment.json';

export class ResultFolder {
  /** @param {string} path */
  constructor(path) {
    this.path = path;
  }

  /** @param {{ id: string }} job */
  has({ id }) {
    return existsSync(this.#file(id, 'jsonl'));
  }

  hasFailed(job) {
    return this.has(job) && this.#lines(job)[0].run.status === 'failed';
  }

  /** The result of a job: its run, its metrics, and the model where others are compared with it. */
  read(job) {
    const [{ run }, ...rows] = this.#lines(job);
    const model = this.#file(job.id, 'model');
    return {
      run,
      metrics: rows.map(({ metric }) => metric),
      model: existsSync(model) ? new Uint8Array(readFileSync(model)) : null,
    };
  }

  /** The model comes first: what has a result is complete. */
  write({ id }, { run, metrics, model }) {
    if (model !== null) this.#put(id, 'model', model);
    const rows = [{ run }, ...metrics.map((metric) => ({ metric }))];
    this.#put(id, 'jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    rmSync(this.#file(id, 'state'), { force: true });
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
      const bytes = readFileSync(this.#file(id, 'state'));
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
    const file = this.#file(id, 'jsonl');
    try {
      return readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    } catch (error) {
      throw new Refusal(`${file} is damaged: ${error.message}; delete it, and run the experiment again`);
    }
  }

  #file(id, ending) {
    return join(this.path, `${id}.${ending}`);
  }

  #put(id, ending, content) {
    writeWhole(this.#file(id, ending), content);
  }
}
