/** Texts ready to train on: vocabulary learned, text encoded and pairs counted in parts, stored as token ids. */
import type { BigramCounting } from './bigram-counting.js';
import { BigramTable } from './bigram-table.js';
import { bindMethods } from '../runtime/bind-methods.js';
import type {
  CorpusPart,
  CorpusStage,
  Corpus as CorpusOfUsers,
  OneWayOptions,
  TokenPair,
  TokenRange,
} from './corpus-types.js';
import { TiedError } from '../runtime/errors.js';
import { oneWayPairs } from './one-way-pairs.js';
import { checkIdsBelow } from '../model/options.js';
import {
  checkIrreversibility,
  type CheckedIrreversibility,
  type IrreversibilityRun,
} from '../direct-path/irreversibility.js';
import { MarkovSampling } from './markov-sampling.js';
import { finishJob, PartJob, type Job } from '../runtime/pace.js';
import { Handle, type ArgumentNames, type Runtime } from '../runtime/runtime.js';
import { disposeSymbol } from '../runtime/symbols.js';
import type { CoreTokenizer } from './tokenizer.js';
import type {
  BigramBounds,
  Bigrams,
  Irreversibility,
  IrreversibilityOptions,
  Matrix,
  NextTokenOptions,
} from '../types.js';
import { checkChoice, checkInteger, checkOptions, checkTokenIds } from '../runtime/validate.js';
import type { AnalysisModule, HandleAddress } from '../runtime/wasm-module.js';

/** A larger table of pairs would take seconds and hundreds of megabytes; only `bigrams()` creates one. */
const MAX_BOUNDED_TOKENS = 4096;

const PARTS: readonly CorpusPart[] = ['training', 'validation'];

/** What a corpus needs from its core. */
export interface CorpusVerbs {
  startCounting(ids: Uint32Array, vocabSize: number, bounded: boolean): BigramCounting;
  startIrreversibility(counts: Matrix, options: CheckedIrreversibility): IrreversibilityRun;
}

/** The contents of a corpus, from which another core makes the same corpus. */
export interface CorpusData {
  vocabSize: number;
  trainingIds: Uint32Array;
  validationIds: Uint32Array;
  characters: number | null;
  bounds: BigramBounds | null;
}

/** The same, in the form sent to another worker. */
export interface SharedCorpus extends CorpusData {
  /** The tokenizer's file. */
  tokenizer: Uint8Array | null;
}

export class CoreCorpus implements CorpusOfUsers {
  readonly vocabSize: number;
  readonly tokens: number;
  readonly validationTokens: number;
  readonly characters: number | null;
  readonly tokenizer: CoreTokenizer | null;
  readonly bounds: BigramBounds | null;
  readonly #verbs: CorpusVerbs;
  /** Null once disposed of. */
  #data: CorpusData | null;
  #bigrams: Bigrams | null;

  /** Checks a private field: `instanceof` would read the prototype of a proxy that may be revoked. */
  static is(value: unknown): value is CoreCorpus {
    return typeof value === 'object' && value !== null && #verbs in value;
  }

  constructor(verbs: CorpusVerbs, data: CorpusData, tokenizer: CoreTokenizer | null, bigrams: Bigrams | null = null) {
    this.vocabSize = data.vocabSize;
    this.tokens = data.trainingIds.length + data.validationIds.length;
    this.validationTokens = data.validationIds.length;
    this.characters = data.characters;
    this.bounds = data.bounds;
    this.tokenizer = tokenizer;
    this.#verbs = verbs;
    this.#data = data;
    this.#bigrams = bigrams;
    bindMethods(this);
  }

  tokenIds(part: CorpusPart = 'training', range: TokenRange = {}): Uint32Array {
    const ids = this.idsOf(checkChoice('part', part, PARTS));
    const { first = 0, count = ids.length } = checkOptions('range', range, ['first', 'count']);
    checkInteger('range.first', first, 0);
    checkInteger('range.count', count, 0);
    return ids.slice(first, first + count);
  }

  /** @internal The ids themselves, not a copy: do not change them. */
  idsOf(part: CorpusPart): Uint32Array {
    const { trainingIds, validationIds } = this.#live();
    return part === 'training' ? trainingIds : validationIds;
  }

  frequencies(): Uint32Array {
    const counts = new Uint32Array(this.vocabSize);
    for (const id of this.#live().trainingIds) counts[id]!++;
    return counts;
  }

  bigrams(): Bigrams {
    const { counts, total, asymmetry } = this.table();
    return new BigramTable({ counts: { ...counts, data: counts.data.slice() }, total, asymmetry });
  }

  /** @internal The table itself, counted once: do not change it. */
  table(): Bigrams {
    const { trainingIds, vocabSize } = this.#live();
    return (this.#bigrams ??= finishJob(this.#verbs.startCounting(trainingIds, vocabSize, false), {}).table);
  }

  irreversibility(options?: IrreversibilityOptions): Irreversibility {
    const checked = checkIrreversibility(options);
    return finishJob(this.startIrreversibility(checked), checked);
  }

  /** @internal Its job, which the caller advances and ends. */
  startIrreversibility(options: CheckedIrreversibility): IrreversibilityRun {
    return this.#verbs.startIrreversibility(this.table().counts, options);
  }

  nextTokenProbabilities(options: NextTokenOptions): Matrix {
    const { vocabSize } = this.#live();
    const given = checkOptions('options', options, ['from', 'to']);
    const from = checkTokenIds('options.from', given.from, 1);
    checkIdsBelow('options.from', from, vocabSize);
    const to = given.to === undefined ? undefined : checkTokenIds('options.to', given.to, 1);
    if (to) checkIdsBelow('options.to', to, vocabSize);
    const table = this.table();
    const cols = to?.length ?? vocabSize;
    const data = new Float32Array(from.length * cols);
    from.forEach((id, i) => {
      const row = table.conditional(id);
      data.set(to ? Float32Array.from(to, (next) => row[next]!) : row, i * cols);
    });
    return { rows: from.length, cols, data };
  }

  oneWayPairs(options: OneWayOptions): TokenPair[] {
    const { vocabSize } = this.#live();
    const given = checkOptions('options', options, ['count', 'without']);
    const count = checkInteger('options.count', given.count, 0);
    const without = given.without === undefined ? undefined : checkTokenIds('options.without', given.without, 0);
    if (without) checkIdsBelow('options.without', without, vocabSize);
    return oneWayPairs(this.table().counts, this.frequencies(), count, new Set(without));
  }

  /** @internal For another worker: a copy. */
  share(): SharedCorpus {
    const { trainingIds, validationIds, ...facts } = this.#live();
    return {
      ...facts,
      trainingIds: trainingIds.slice(),
      validationIds: validationIds.slice(),
      tokenizer: this.tokenizer?.save() ?? null,
    };
  }

  #live(): CorpusData {
    if (!this.#data) throw new TiedError('disposed', 'the corpus has been disposed of; expected a live one');
    return this.#data;
  }

  dispose(): void {
    this.#data = null;
    this.#bigrams = null;
    this.tokenizer?.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

// ---------------------------------------------------------------- opening

/** Bytes per part: small enough to stop quickly, large enough to add no overhead. */
const BYTES_PER_PART = 1024;
const MAX_PARTS = 2 ** 20;

export interface TextResult {
  /** Empty where nothing is encoded. */
  ids: Uint32Array;
  /** Address of the learned tokenizer; 0 if none was. */
  tokenizer: HandleAddress;
}

export interface TextPurpose<R> {
  /** Its name in messages. */
  what: string;
  /** Maps the core's names of arguments to the caller's. */
  names: ArgumentNames;
  /** Makes the result, once. */
  finish: (result: TextResult) => R;
  /** Called when the work ends, finished or not. */
  onEnd?: () => void;
}

export class TextWork<R = TextResult> extends PartJob<R> {
  /** Fractions done, 0 to 1. */
  learned = 0;
  encoded = 0;
  readonly #purpose: TextPurpose<R>;
  readonly #handle: Handle<AnalysisModule>;

  constructor(runtime: Runtime<AnalysisModule>, address: HandleAddress, purpose: TextPurpose<R>) {
    super(purpose.what, MAX_PARTS);
    this.#purpose = purpose;
    this.#handle = new Handle(runtime, 'text', address, (module, work) => module.deleteText(work));
  }

  protected take(parts: number): void {
    this.#handle.call(
      [],
      (module, work) => module.advanceText(work, parts * BYTES_PER_PART),
      (answer) => {
        const [learned, encoded, finished] = answer.numbers(0);
        this.learned = learned!;
        this.encoded = encoded!;
        this.finished = finished === 1;
      },
      this.#purpose.names,
    );
    // Work that only learns encodes nothing; work that only encodes has learned everything from the start.
    this.fraction = this.finished ? 1 : this.learned < 1 ? this.learned : this.encoded;
  }

  result(): R {
    let tokenizer = 0;
    const ids = this.#handle.call(
      [],
      (module, work) => {
        tokenizer = module.finishText(work);
        return true;
      },
      (answer) => answer.ids(0),
    );
    return this.#purpose.finish({ ids, tokenizer });
  }

  end(): void {
    this.#handle.dispose();
    this.#purpose.onEnd?.();
  }
}

/** Approximate fraction of the work in each stage. */
const LEARNED = 0.55;
const ENCODED = 0.95;

export interface CutText {
  ids: Uint32Array;
  tokenizer: CoreTokenizer;
}

/** Source of the tokens: a text, a chain, or ids. */
export type CorpusSource =
  | { characters: number; work: TextWork<CutText> }
  | { sampling: MarkovSampling; vocabSize: number }
  | { ids: Uint32Array; vocabSize: number };

/** The job of opening a corpus. */
export class CorpusOpening implements Job<CoreCorpus, [fraction: number, stage: CorpusStage]> {
  readonly #verbs: CorpusVerbs;
  readonly #source: CorpusSource;
  readonly #validation: number;
  #counting: { job: BigramCounting | null; data: CorpusData; tokenizer: CoreTokenizer | null } | null = null;
  #corpus: CoreCorpus | null = null;

  constructor(verbs: CorpusVerbs, source: CorpusSource, validation: number) {
    this.#verbs = verbs;
    this.#source = source;
    this.#validation = validation;
  }

  get finished(): boolean {
    return this.#corpus !== null;
  }

  takeFor(milliseconds: number): void {
    if (this.#corpus) return;
    const reading = this.#reading;
    if (reading && !reading.finished) reading.takeFor(milliseconds);
    else if (!this.#counting) this.#split();
    else if (this.#counting.job?.finished === false) this.#counting.job.takeFor(milliseconds);
    else this.#finish();
  }

  /** Null if the ids were given. */
  get #reading(): TextWork<CutText> | MarkovSampling | null {
    if ('work' in this.#source) return this.#source.work;
    return 'sampling' in this.#source ? this.#source.sampling : null;
  }

  #split(): void {
    const source = this.#source;
    const cut = 'work' in source ? source.work.result() : null;
    const ids = cut?.ids ?? ('sampling' in source ? source.sampling.result() : (source as { ids: Uint32Array }).ids);
    this.#reading?.end();
    const tokenizer = cut?.tokenizer ?? null;
    const vocabSize = 'vocabSize' in source ? source.vocabSize : tokenizer!.vocabSize;
    const spared = Math.floor(ids.length * this.#validation);
    // A single token predicts nothing.
    const held = spared < 2 ? 0 : spared;
    const trainingIds = ids.slice(0, ids.length - held);
    const validationIds = ids.slice(ids.length - held);
    const characters = 'characters' in source ? source.characters : null;
    const data = { vocabSize, trainingIds, validationIds, characters, bounds: null };
    this.#counting = { job: null, data, tokenizer };
    if (trainingIds.length < 2) {
      throw new TiedError(
        'invalid-argument',
        `source has ${trainingIds.length} tokens to train on; expected at least 2`,
      );
    }
    if (vocabSize <= MAX_BOUNDED_TOKENS) {
      this.#counting.job = this.#verbs.startCounting(trainingIds, vocabSize, true);
    }
  }

  #finish(): void {
    const { job, data, tokenizer } = this.#counting!;
    const { table = null, bounds = null } = job?.result() ?? {};
    this.#corpus = new CoreCorpus(this.#verbs, { ...data, bounds }, tokenizer, table);
  }

  news(): [fraction: number, stage: CorpusStage] {
    if (this.#corpus) return [1, 'counting'];
    const reading = this.#reading;
    if (!reading || reading.finished) return [ENCODED + (1 - ENCODED) * this.#counted, 'counting'];
    if (reading instanceof MarkovSampling) return [ENCODED * reading.fraction, 'writing'];
    const { learned, encoded } = reading;
    if (learned < 1) return [LEARNED * learned, 'learning'];
    return [LEARNED + (ENCODED - LEARNED) * encoded, 'encoding'];
  }

  get #counted(): number {
    return this.#counting?.job?.fraction ?? 0;
  }

  result(): CoreCorpus {
    return this.#corpus!;
  }

  cancelled(cause?: unknown): TiedError {
    const percent = Math.floor(100 * this.news()[0]);
    return new TiedError('cancelled', `opening the corpus was cancelled after ${percent}%`, { cause });
  }

  end(): void {
    this.#reading?.end();
    this.#counting?.job?.end();
    if (!this.#corpus) this.#counting?.tokenizer?.dispose();
  }
}
