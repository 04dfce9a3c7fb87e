// One file per result, written under another name and then renamed. Results of many jobs are spread over 256 folders, by the first two
// digits of their ids; each is looked up in both places. If renaming is not atomic, or a disk loses its last writes, a file may be cut off.
// So the first line of a result records the length of the rest, and jobs with incomplete results run again.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './exit-codes.mjs';
import { reasonOf, writeWhole } from './files.mjs';

const experimentEnding = '.experiment.json';

/** Longer than the first line of nearly every result. */
const headBytes = 4096;
const lineEnd = 10;

/** More files than a person looks through, and well below what slows down a shared file system. */
export const mostInOneFolder = 1000;

export class ResultFolder {
  #shards;
  #head = Buffer.alloc(headBytes);
  /** Thousands of rows name the same few metrics, and each line of JSON would create its own copy of the name. @type {Map<string, string>} */
  #names = new Map();

  /** @param {string} path @param {number} jobs Number of jobs that write to the folder. */
  constructor(path, jobs = 0) {
    this.path = path;
    this.#shards = jobs > mostInOneFolder;
  }

  /** @param {{ id: string }} job */
  has(job) {
    return this.#result(job) !== null;
  }

  hasFailed(job) {
    return this.#result(job)?.run.status === 'failed';
  }

  /** The result of a job: its run, its metrics, and the model if others are compared with it. */
  read(job) {
    const [{ run, whole }, ...rows] = this.#lines(job);
    for (const [field, value] of Object.entries(run)) if (typeof value === 'string') run[field] = this.#same(value);
    const metrics = rows.map(({ metric }) => {
      const { step, metric: name, layer, band, value, unit } = metric;
      return { id: run.id, step, metric: this.#same(name), layer, band, value, unit: this.#same(unit) };
    });
    const model = whole?.model === null ? null : this.#find(job.id, 'model', whole?.model);
    return { run, metrics, model: model === null ? null : new Uint8Array(readFileSync(model)) };
  }

  /** The model is written first, so a job with a result is complete. */
  write({ id }, { run, metrics, model }) {
    if (model !== null) this.#put(id, 'model', model);
    const rows = metrics.map((metric) => `${JSON.stringify({ metric })}\n`).join('');
    const whole = { bytes: Buffer.byteLength(rows), model: model?.length ?? null };
    this.#put(id, 'jsonl', `${JSON.stringify({ run, whole })}\n${rows}`);
    for (const file of this.#files(id, 'state')) rmSync(file, { force: true });
  }

  /** Stored so that the folder can be collected without the experiment's file. */
  keepExperiment(specHash, spec) {
    const file = join(this.path, `${specHash}${experimentEnding}`);
    const content = `${JSON.stringify(spec)}\n`;
    if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeWhole(file, content);
  }

  /** Files of the experiments whose results are in this folder. */
  experiments() {
    try {
      const names = readdirSync(this.path).filter((name) => name.endsWith(experimentEnding));
      return names.map((name) => join(this.path, name));
    } catch (error) {
      throw new Refusal(`${this.path} cannot be read: ${reasonOf(error)}`);
    }
  }

  /** The state in which a job was stopped; null if it was not stopped or the state cannot be read. */
  stateOf({ id }) {
    for (const file of this.#files(id, 'state')) {
      try {
        const content = readFileSync(file);
        const end = content.indexOf(lineEnd);
        const { step, metrics, seconds, bytes } = JSON.parse(content.toString('utf8', 0, end));
        const model = new Uint8Array(content.subarray(end + 1));
        if (bytes === undefined || bytes === model.length) return { step, metrics, seconds, model };
      } catch {
        // Absent or cut off: the job starts from the beginning.
      }
    }
    return null;
  }

  writeState({ id }, { model, ...facts }) {
    const line = `${JSON.stringify({ ...facts, bytes: model.length })}\n`;
    this.#put(id, 'state', Buffer.concat([Buffer.from(line), model]));
  }

  #lines(job) {
    const file = this.#result(job)?.file ?? this.#file(job.id, 'jsonl');
    try {
      return readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    } catch (error) {
      throw new Refusal(`${file} is damaged: ${error.message}; delete it, and run the experiment again`);
    }
  }

  /** A complete result: its file and its run. */
  #result({ id }) {
    for (const file of this.#files(id, 'jsonl')) {
      const first = this.#firstLine(file);
      if (first === null) continue;
      const { run, whole } = first.line;
      // Results of earlier versions do not record their length.
      if (whole === undefined) return { file, run };
      if (first.rest !== whole.bytes) continue;
      if (whole.model === null || this.#find(id, 'model', whole.model) !== null) return { file, run };
    }
    return null;
  }

  /** The first line of a file, and how many bytes follow. */
  #firstLine(file) {
    let descriptor;
    try {
      descriptor = openSync(file, 'r');
    } catch (error) {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw new Refusal(`${file} cannot be read: ${reasonOf(error)}`);
    }
    try {
      const { size } = fstatSync(descriptor);
      const read = readSync(descriptor, this.#head, 0, headBytes, 0);
      let head = this.#head.subarray(0, read);
      if (!head.includes(lineEnd)) head = readFileSync(file);
      const end = head.indexOf(lineEnd);
      const last = Buffer.alloc(1);
      readSync(descriptor, last, 0, 1, Math.max(0, size - 1));
      if (end < 0 || last[0] !== lineEnd) return null;
      return { line: JSON.parse(head.toString('utf8', 0, end)), rest: size - end - 1 };
    } catch {
      // Cut off, or not JSON.
      return null;
    } finally {
      closeSync(descriptor);
    }
  }

  #same(name) {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, name);
    return name;
  }

  /** Both places of a file: first the one for this many jobs, then the other. */
  #files(id, ending) {
    const name = `${id}.${ending}`;
    const places = [join(this.path, name), join(this.path, id.slice(0, 2), name)];
    return this.#shards ? places.reverse() : places;
  }

  /** The path to write a file to. */
  #file(id, ending) {
    return this.#files(id, ending)[0];
  }

  /** @param {number} [bytes] */
  #find(id, ending, bytes) {
    const isIt = (file) =>
      bytes === undefined ? existsSync(file) : statSync(file, { throwIfNoEntry: false })?.size === bytes;
    return this.#files(id, ending).find(isIt) ?? null;
  }

  #put(id, ending, content) {
    writeWhole(this.#file(id, ending), content);
  }
}
