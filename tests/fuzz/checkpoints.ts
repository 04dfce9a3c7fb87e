/**
 * Checkpoints of every format, built from a grammar and spoiled in their structure: numbers, names and strings of headers, lengths,
 * and single bytes. Each is refused with a message, or opened, and then its tables are read.
 */
import type { Checkpoint, CheckpointSource, OpenCheckpointOptions } from '../../web/index.js';
import { checkOpening } from '../../web/core/checkpoint-options.js';
import { openCheckpoint } from '../../web/core/checkpoint/open-checkpoint.js';
import { fileOf } from '../web/checkpoint/checkpoint-files.js';
import { ReferenceDecoder } from '../web/checkpoint/reference-decoder.js';
import { Draw } from './draw.js';
import { CHECKPOINT_GRAMMAR, type CheckpointFormatName, type CheckpointSample } from './files/checkpoint-grammar.js';
import { spoiledCheckpoint } from './files/checkpoint-spoiling.js';
import type { Report, Table } from './session.js';
import { Fault, judgeError, type Outcome } from './verdict.js';

export const CHECKPOINTS_PER_EPISODE = 1000;
export const FORMAT_NAMES = Object.keys(CHECKPOINT_GRAMMAR) as readonly CheckpointFormatName[];
/** Most floats for a byte of a file: 256 in a block of 66 bytes, and less for what is decoded. */
const FLOATS_PER_BYTE = 8;

export class CheckpointFuzzer {
  readonly #report: Report;
  readonly #table: Table;
  readonly #names: readonly string[];
  readonly #decoder = new ReferenceDecoder();

  constructor(report: Report, table: Table, names: readonly string[] = FORMAT_NAMES) {
    this.#report = report;
    this.#table = table;
    this.#names = names;
  }

  async episode(seed: number, episode: number, to = CHECKPOINTS_PER_EPISODE, from = 0): Promise<void> {
    for (let number = from; number < to; number++) {
      const draw = new Draw(seed, episode, number);
      const name = draw.of(this.#names) as CheckpointFormatName;
      const sample = CHECKPOINT_GRAMMAR[name](draw);
      const isValid = draw.odds(0.15);
      const files = isValid ? sample.files : spoiledCheckpoint(draw, sample.files);
      this.#report.onCall?.(number);
      this.#report.onArguments?.(name, number, [files]);
      const counts = this.#table[name]!;
      counts.calls++;
      try {
        counts[await this.#outcome({ ...sample, files }, isValid)]++;
      } catch (fault) {
        this.#report.onFault(name, number, fault as Fault);
      }
    }
  }

  async #outcome({ files, options }: CheckpointSample, isValid: boolean): Promise<Outcome> {
    const before = files.map(({ bytes }) => bytes.slice());
    let outcome: Outcome;
    try {
      await this.#use(
        await this.#open(files, options),
        files.reduce((sum, { bytes }) => sum + bytes.length, 0),
      );
      outcome = 'returned';
    } catch (error) {
      outcome = judgeError(error, new Set());
      if (isValid) throw new Fault(`refused a valid file: ${String(error)}`);
    }
    if (files.some(({ bytes }, i) => Buffer.compare(bytes, before[i]!) !== 0)) throw new Fault('changed its bytes');
    return outcome;
  }

  #open(files: CheckpointSample['files'], options: OpenCheckpointOptions): Promise<Checkpoint> {
    const [first] = files;
    const source: CheckpointSource =
      files.length === 1 ? first!.bytes : files.map(({ name, bytes }) => fileOf(name, bytes));
    return openCheckpoint(this.#decoder, checkOpening(source, options));
  }

  async #use(checkpoint: Checkpoint, size: number): Promise<void> {
    const { format, tables, tensors, tokens } = checkpoint;
    const table = tables.input ?? tables.output;
    if (table === null) throw new Fault('opened without a table');
    if (tokens !== null && tokens.length !== table.shape[0]) throw new Fault('has more or fewer tokens than rows');
    // A text is not stored as it is read.
    for (const { name, bytes } of format === 'csv' ? [] : tensors)
      if (!(bytes >= 0 && bytes <= size)) throw new Fault(`says that '${name}' has ${bytes} of ${size} bytes`);
    for (const role of ['input', 'output'] as const) {
      if (tables[role] === null) continue;
      const { rows, cols, data } = await checkpoint.matrix(role);
      if (data.length !== rows * cols || data.length > FLOATS_PER_BYTE * size)
        throw new Fault(`gave ${data.length} elements of ${rows} x ${cols} from ${size} bytes`);
    }
    // Each table at most thrice, to compare and to hand out, and headers.
    if (checkpoint.bytesRead > 8 * size + 65_536) throw new Fault(`read ${checkpoint.bytesRead} of ${size} bytes`);
  }
}
