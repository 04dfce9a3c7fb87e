/**
 * Files of every format, valid and invalid, passed to every reader: each is refused with a message, or accepted and then
 * used.
 */
import { OPTIONAL_MODULES } from '../../web/core/runtime/modules.js';
import { loadCore, type Core } from '../../web/index.js';
import type { Draw } from './draw.js';
import { makeSamples, sign, type Sample } from './files/formats.js';
import { mutated } from './files/mutations.js';
import { READERS, type Reader } from './files/readers.js';
import { compareReferences } from './calls.js';
import { coreFor, drawFor, type Report, type Table } from './session.js';
import { grownBytes, watchMemory } from './memory.js';
import { references } from './references.js';
import { Fault, judgeError, type Outcome } from './verdict.js';

export const FILES_PER_EPISODE = 2000;
export const READER_NAMES: readonly string[] = Object.keys(READERS);
/** Memory that a refused file may take: enough to examine it and for any tokenizer. */
const BYTES_PER_BYTE = 64;
const ROOM = 24 * 2 ** 20;
/** Refuses a trainer that has been made: all else in its file is as it was saved, so it may take what such a file asks for. */
const AFTER_MAKING = /^the tokenizer in bytes /;
/** A core whose memory exceeds this is replaced. */
const LARGEST_CORE = 2 ** 28;

export class FileFuzzer {
  readonly #report: Report;
  readonly #table: Table;
  readonly #readers: readonly string[];
  #expected: Record<string, string> | null = null;
  #core!: Core;
  #grownBefore = 0;

  constructor(report: Report, table: Table, readers: readonly string[] = READER_NAMES) {
    watchMemory();
    this.#report = report;
    this.#table = table;
    this.#readers = readers;
  }

  async #begin(): Promise<void> {
    if (!this.#report.loadCore) this.#core?.dispose();
    this.#core = await coreFor(this.#report);
    this.#grownBefore = grownBytes();
  }

  /** Files `from` to `to` - 1 of an episode: each depends only on the samples of the episode. */
  async episode(seed: number, episode: number, to = FILES_PER_EPISODE, from = 0): Promise<void> {
    this.#expected ??= references(await loadCore({ modules: OPTIONAL_MODULES }));
    await this.#begin();
    const samples = makeSamples(drawFor(this.#report, seed, episode), this.#core);
    for (let number = from; number < to; number++) {
      const draw = drawFor(this.#report, seed, episode, number);
      const name = draw.of(this.#readers);
      this.#report.onCall?.(number);
      this.#one(draw, name, samples, number);
      if (grownBytes() - this.#grownBefore > LARGEST_CORE) await this.#begin();
    }
    if (!this.#report.loadCore) compareReferences(this.#core, this.#expected, to, this.#report);
  }

  #one(draw: Draw, name: string, samples: readonly Sample[], number: number): void {
    const reader = READERS[name]!;
    const own = draw.odds(0.9) ? samples.filter(({ format }) => format === reader.reads) : samples;
    const sample = mutated(draw, draw.of(own), draw.of(samples));
    if (draw.odds(0.85)) sign(sample);
    const counts = this.#table[name]!;
    counts.calls++;
    const verb = name.split(' ')[0]!;
    const args = reader.args(sample.bytes);
    this.#report.script?.call(number, 'core', this.#core, verb, args);
    const make = (): unknown =>
      (this.#core as unknown as Record<string, (...all: unknown[]) => unknown>)[verb]!(...args);
    try {
      counts[this.#outcome(make, reader, sample.bytes)]++;
    } catch (fault) {
      this.#report.onFault(name, number, fault as Fault);
    }
  }

  #outcome(make: () => unknown, reader: Reader, bytes: Uint8Array): Outcome {
    const before = grownBytes();
    const given = bytes.slice();
    try {
      let read: unknown;
      try {
        read = make();
      } catch (error) {
        const outcome = judgeError(error, new Set());
        const grown = grownBytes() - before;
        const wasMade = AFTER_MAKING.test((error as Error).message);
        if (!wasMade && grown > BYTES_PER_BYTE * bytes.length + ROOM) {
          throw new Fault(`took ${grown} bytes before it refused a file of ${bytes.length}: ${String(error)}`);
        }
        return outcome;
      }
      reader.use(this.#core, read as never);
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault(`was accepted, and could not be used: ${String((error as Error).stack ?? error)}`);
    }
    if (Buffer.compare(bytes, given) !== 0) throw new Fault('changed the bytes that it was given');
    return 'returned';
  }
}
