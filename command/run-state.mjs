// The state of a run: a saved trainer, and what else it needs to continue.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Refusal } from './exit-codes.mjs';
import { reasonOf, writeInParts } from './files.mjs';

export class RunState {
  #file;
  #id;

  /** @param {string} file @param {string} id Hash of everything that determines the bits of the run. */
  constructor(file, id) {
    this.#file = file;
    this.#id = id;
    this.exists = existsSync(file);
  }

  /** The file of the trainer that `write` was given, and the facts. @returns {{ model: Uint8Array, facts: any }} */
  read() {
    const bytes = this.#bytes();
    const end = bytes.indexOf(10);
    try {
      const { id, ...facts } = JSON.parse(bytes.toString('utf8', 0, end));
      if (id === this.#id) return { model: new Uint8Array(bytes.subarray(end + 1)), facts };
    } catch {
      // Reported below.
    }
    throw new Refusal(
      `${this.#file} belongs to another run; expected the same text and options, another --out, or no such file`,
    );
  }

  #bytes() {
    try {
      return readFileSync(this.#file);
    } catch (error) {
      throw new Refusal(`${this.#file} cannot be read: ${reasonOf(error)}`);
    }
  }

  /** @param {Pick<import('./tied-embeddings.js').LabTrainer, 'save'>} trainer @param {object} facts */
  async write(trainer, facts) {
    await writeInParts(this.#file, async (to) => {
      const writer = to.getWriter();
      await writer.write(Buffer.from(`${JSON.stringify({ id: this.#id, ...facts })}\n`));
      writer.releaseLock();
      await trainer.save({ to });
    });
  }

  remove() {
    rmSync(this.#file, { force: true });
  }
}
