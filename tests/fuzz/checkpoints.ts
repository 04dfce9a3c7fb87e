/**
 * Checkpoints of every format, built from a grammar and then corrupted in their structure: numbers, names and strings of headers,
 * lengths, and single bytes. Each is refused with a message, or opened, and then its tables are read.
 */
import {
  loadCore,
  type Checkpoint,
  type CheckpointSource,
  type OpenCheckpointOptions,
  type RunnableCheckpoint,
} from '../../web/index.js';
import type { TiedCore } from '../../web/core/core.js';
import { checkOpening } from '../../web/core/checkpoint/options.js';
import type { ModelHost } from '../../web/core/checkpoint/model-host.js';
import { decoderOfCore } from '../../web/core/checkpoint/verbs.js';
import { openCheckpoint } from '../../web/core/checkpoint/open-checkpoint.js';
import type { TableSums, TableSumsOptions } from '../../web/core/checkpoint/card/table-sums.js';
import type { CheckpointComparison } from '../../web/core/checkpoint/comparison/comparison-types.js';
import type { IdentityCard } from '../../web/core/checkpoint/card/identity-card-types.js';
import { fileOf } from '../web/checkpoint/checkpoint-files.js';
import { ReferenceDecoder } from '../web/checkpoint/reference-decoder.js';
import type { Draw } from './draw.js';
import { CHECKPOINT_GRAMMAR, type CheckpointFormatName, type CheckpointSample } from './files/checkpoint-grammar.js';
import { spoiledCheckpoint } from './files/checkpoint-spoiling.js';
import { drawFor, type Report, type Table } from './session.js';
import { Fault, judgeError, type Outcome } from './verdict.js';

export const CHECKPOINTS_PER_EPISODE = 1000;
export const FORMAT_NAMES = Object.keys(CHECKPOINT_GRAMMAR) as readonly CheckpointFormatName[];
/** The largest number of floats per byte of a file: 256 in a block of 66 bytes, and fewer after decoding. */
const FLOATS_PER_BYTE = 8;

/** Sums come from the core; elements are decoded by the oracle. */
class FuzzedDecoder extends ReferenceDecoder {
  readonly #core: Promise<TiedCore>;

  constructor() {
    super();
    this.#core = loadCore({ modules: ['checkpoint'] }) as Promise<unknown> as Promise<TiedCore>;
  }

  override async startTableSums(options: TableSumsOptions): Promise<TableSums> {
    return (await this.#core).startTableSums(options);
  }

  readonly models: ModelHost = {
    startModel: async (options) => decoderOfCore(await this.#core).models!.startModel(options),
    loadTokenizer: async (source) => decoderOfCore(await this.#core).models!.loadTokenizer(source),
  };
}

/** Cards take most of the time. */
const CARD_ODDS = 0.2;
const COMPARISON_ODDS = 0.1;
const REPORT_ODDS = 0.3;

/** Ids if the strings contain lone surrogates, which a text must not. */
const isWellFormed = (text: string | Uint32Array): boolean => typeof text !== 'string' || !/\p{Surrogate}/u.test(text);

const sourceOf = (files: CheckpointSample['files']): CheckpointSource =>
  files.length === 1 ? files[0]!.bytes : files.map(({ name, bytes }) => fileOf(name, bytes));

export class CheckpointFuzzer {
  readonly #report: Report;
  readonly #table: Table;
  readonly #names: readonly string[];
  readonly #decoder = new FuzzedDecoder();

  constructor(report: Report, table: Table, names: readonly string[] = FORMAT_NAMES) {
    this.#report = report;
    this.#table = table;
    this.#names = names;
  }

  async episode(seed: number, episode: number, to = CHECKPOINTS_PER_EPISODE, from = 0): Promise<void> {
    for (let number = from; number < to; number++) {
      const draw = drawFor(this.#report, seed, episode, number);
      const name = draw.of(this.#names) as CheckpointFormatName;
      const sample = CHECKPOINT_GRAMMAR[name](draw);
      const isWhole = draw.odds(0.15);
      const isValid = isWhole && sample.refusedFor === undefined && sample.isAnything !== true;
      const files = isWhole ? sample.files : spoiledCheckpoint(draw, sample.files);
      this.#report.onCall?.(number);
      this.#report.script?.call(number, 'core', this, 'openCheckpoint', [sourceOf(files), sample.options]);
      const counts = this.#table[name]!;
      counts.calls++;
      try {
        const must = { isValid, runs: name === 'models that run', refusedFor: isWhole ? sample.refusedFor : undefined };
        counts[await this.#outcome({ ...sample, files }, must, draw)]++;
      } catch (fault) {
        this.#report.onFault(name, number, fault as Fault);
      }
    }
  }

  async #outcome(
    { files, options }: CheckpointSample,
    { isValid, runs, refusedFor }: { isValid: boolean; runs: boolean; refusedFor: string | undefined },
    draw: Draw,
  ): Promise<Outcome> {
    const before = files.map(({ bytes }) => bytes.slice());
    let outcome: Outcome;
    try {
      const checkpoint = await this.#open(files, options);
      const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
      await this.#use(checkpoint, size);
      if (draw.odds(REPORT_ODDS)) await this.#measure(checkpoint, draw);
      if (draw.odds(CARD_ODDS)) await this.#look(checkpoint);
      if (draw.odds(COMPARISON_ODDS)) await this.#compare(checkpoint);
      (await checkpoint.tokenizer())?.dispose();
      await this.#run(checkpoint, isValid && runs);
      if (refusedFor !== undefined) throw new Fault(`opened what is refused because it ${refusedFor}`);
      outcome = 'returned';
    } catch (error) {
      outcome = judgeError(error, new Set());
      if (isValid) throw new Fault(`refused a valid file: ${String(error)}`);
      if (refusedFor !== undefined && !String(error).includes(refusedFor))
        throw new Fault(`says '${String(error)}' where it ${refusedFor}`);
    }
    if (files.some(({ bytes }, i) => Buffer.compare(bytes, before[i]!) !== 0)) throw new Fault('changed its bytes');
    return outcome;
  }

  #open(files: CheckpointSample['files'], options: OpenCheckpointOptions): Promise<RunnableCheckpoint> {
    return openCheckpoint(this.#decoder, checkOpening(sourceOf(files), options));
  }

  async #use(checkpoint: Checkpoint, size: number): Promise<void> {
    const { format, tables, tensors, tokens } = checkpoint;
    const table = tables.input ?? tables.output;
    if (table === null) throw new Fault('opened without a table');
    if (tokens !== null && tokens.length !== table.shape[0]) throw new Fault('has more or fewer tokens than rows');
    // A text file, or one that is compressed, is not stored in the form in which it is read; of ONNX, the file with the numbers may be missing.
    for (const { name, bytes } of ['csv', 'json', 'npz', 'onnx'].includes(format) ? [] : tensors)
      if (!(bytes >= 0 && bytes <= size)) throw new Fault(`says that '${name}' has ${bytes} of ${size} bytes`);
    for (const role of ['input', 'output'] as const) {
      if (tables[role] === null) continue;
      const { rows, cols, data } = await checkpoint.matrix(role);
      if (data.length !== rows * cols || data.length > FLOATS_PER_BYTE * size)
        throw new Fault(`gave ${data.length} elements of ${rows} x ${cols} from ${size} bytes`);
    }
    // Each table at most three times, to compare and to return it, and headers.
    if (checkpoint.bytesRead > 8 * size + 65_536) throw new Fault(`read ${checkpoint.bytesRead} of ${size} bytes`);
  }

  /** The model, if it can run. `must`: nothing in it was corrupted. */
  async #run(checkpoint: RunnableCheckpoint, must: boolean): Promise<void> {
    let logits: Float32Array;
    const obstacle = checkpoint.obstacle();
    try {
      const trainer = await checkpoint.toTrainer();
      logits = trainer.logits(Uint32Array.of(0)).data;
      trainer.dispose();
    } catch (error) {
      const { code } = error as { code?: unknown };
      const refusals = ['bad-file', 'unsupported', 'shape-mismatch', 'not-finite', 'invalid-argument'];
      if (must || !refusals.includes(code as string)) throw error;
      judgeError(error, new Set());
      return;
    }
    if (obstacle !== null) throw new Fault(`runs in spite of an obstacle: ${obstacle}`);
    if (logits.length !== checkpoint.tables.input!.shape[0]) throw new Fault(`gave ${logits.length} logits`);
  }

  /** Any tensor, of any type and shape, and a window of it that may be none. */
  async #measure(checkpoint: Checkpoint, draw: Draw): Promise<void> {
    const name = draw.of([draw.of(checkpoint.tensors).name, 'input', 'output']);
    try {
      const blocks = { rows: draw.whole(1, 9), cols: draw.whole(1, 9) };
      const report = await checkpoint.tensorReport(name, { blocks });
      const { rows, cols, elements, nan, infinite, zeros, histogram } = report;
      const counted = histogram?.counts.reduce((sum, count) => sum + count, histogram.below + histogram.above) ?? 0;
      if (elements !== rows * cols || counted + nan + infinite !== elements || zeros > counted)
        throw new Fault(`counts ${counted} + ${nan} + ${infinite} of ${elements} elements of ${rows} x ${cols}`);
      if (counted > 0 && !(report.least <= report.mean && report.mean <= report.greatest))
        throw new Fault(`has the mean ${report.mean} between ${report.least} and ${report.greatest}`);
      const range = (size: number): { from: number; to: number } => {
        const from = draw.whole(0, size);
        return draw.odds(0.1) ? { from: -1, to: size + 1 } : { from, to: draw.whole(from, size) };
      };
      const asked = { rows: range(rows), cols: range(cols) };
      const window = await checkpoint.tensorWindow(name, asked);
      const expected = [asked.rows.to - asked.rows.from, asked.cols.to - asked.cols.from];
      if (
        window.rows !== expected[0] ||
        window.cols !== expected[1] ||
        window.data.length !== window.rows * window.cols
      )
        throw new Fault(`gave ${window.rows} x ${window.cols} for a window of ${expected.join(' x ')}`);
    } catch (error) {
      judgeError(error, new Set());
    }
  }

  /** An identity card, unless an entry is not finite or all are zero. */
  async #look(checkpoint: Checkpoint): Promise<void> {
    const { tables } = checkpoint;
    let card: IdentityCard;
    try {
      const text = checkpoint.tokens === null ? Uint32Array.of(0, 0) : checkpoint.tokens.slice(0, 4).join(' ');
      card = await checkpoint.identityCard({ sample: 8, text: isWellFormed(text) ? text : Uint32Array.of(0, 0) });
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string };
      if (code === 'not-finite' || message.includes(' is all zeros; expected ')) return;
      throw error;
    }
    const { data, norms, markdown } = card;
    for (const role of ['input', 'output'] as const) {
      const [found, table, lengths] = [data.tables[role], tables[role], norms[role]];
      if ((found === null) !== (table === null))
        throw new Fault(`has a card of ${role} without a table, or none with one`);
      if (found !== null && lengths!.length !== found.shape[0])
        throw new Fault(`has ${lengths!.length} lengths of ${role}`);
    }
    if (/NaN|undefined|Infinity/.test(markdown)) throw new Fault(`says of a card: ${markdown}`);
  }

  /** Compared with itself, from which it has not moved. */
  async #compare(checkpoint: Checkpoint): Promise<void> {
    let comparison: CheckpointComparison;
    try {
      comparison = await checkpoint.compareWith([checkpoint]);
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string };
      if (code === 'not-finite' || message.includes(' is all zeros; expected ')) return;
      throw error;
    }
    const { data, markdown } = comparison;
    const { input, output } = data.checkpoints[1]!.change;
    for (const change of [input, output])
      if (change !== null && change.distance !== 0) throw new Fault(`is ${change.distance} from itself`);
    if (/NaN|undefined|Infinity/.test(markdown)) throw new Fault(`says of itself: ${markdown}`);
  }
}
