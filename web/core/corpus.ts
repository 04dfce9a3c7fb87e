/** Texts that are ready to train on: opened in parts, held as token ids. */
import { BigramTable } from './bigram-table.js';
import { bindMethods } from './bind-methods.js';
import { isBlob } from './blob.js';
import type {
  CorpusOptions,
  CorpusPart,
  CorpusStage,
  Corpus as CorpusOfUsers,
  OneWayOptions,
  TokenPair,
} from './corpus-types.js';
import { invalidArgument, TiedError } from './errors.js';
import { oneWayPairs } from './one-way-pairs.js';
import { checkIdsBelow, completeTokenizer, type CompleteTokenizer } from './options.js';
import { checkIrreversibility, type CheckedIrreversibility, type IrreversibilityRun } from './irreversibility.js';
import { finishJob, type Job } from './pace.js';
import { disposeSymbol } from './symbols.js';
import type { TextWork } from './text-work.js';
import type { CoreTokenizer } from './tokenizer.js';
import type {
  BigramBounds,
  Bigrams,
  Irreversibility,
  IrreversibilityOptions,
  Matrix,
  NextTokenOptions,
} from './types.js';
import {
  checkAbsent,
  checkChoice,
  checkFunction,
  checkOptions,
  checkRange,
  checkSignal,
  checkTokenIds,
  checkInteger,
} from './validate.js';

/** More than any vocabulary has. */
const MAX_IDS = 2 ** 24;

/** A larger table of pairs would take seconds and hundreds of megabytes: only `bigrams()` makes one. */
const MAX_BOUNDED_TOKENS = 4096;

const PARTS: readonly CorpusPart[] = ['training', 'validation'];

/** What a corpus asks of its core. */
export interface CorpusVerbs {
  bigrams(tokenIds: Uint32Array, vocabSize: number): Bigrams;
  bigramBounds(counts: Matrix): BigramBounds;
  startIrreversibility(counts: Matrix, options: CheckedIrreversibility): IrreversibilityRun;
}

/** All that a corpus is made of; another core makes the same corpus of it. */
export interface CorpusData {
  vocabSize: number;
  trainingIds: Uint32Array;
  validationIds: Uint32Array;
  characters: number | null;
  bounds: BigramBounds | null;
}

/** The same, as another worker gets it. */
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

  /** By a private field: `instanceof` would ask the prototype of a proxy that may have been revoked. */
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

  tokenIds(part: CorpusPart = 'training'): Uint32Array {
    return this.idsOf(checkChoice('part', part, PARTS)).slice();
  }

  /** @internal The ids themselves: not to be changed. */
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

  /** @internal The table itself, counted once: not to be changed. */
  table(): Bigrams {
    const { trainingIds, vocabSize } = this.#live();
    return (this.#bigrams ??= this.#verbs.bigrams(trainingIds, vocabSize));
  }

  irreversibility(options?: IrreversibilityOptions): Irreversibility {
    const checked = checkIrreversibility(options);
    return finishJob(this.startIrreversibility(checked), checked);
  }

  /** @internal The work of it, to be advanced and ended by the caller. */
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

const CORPUS_OPTIONS = ['tokenizer', 'vocabSize', 'validation', 'onProgress', 'signal'] as const;

export interface CheckedCorpus {
  /** Null for token ids. */
  tokenizer: CompleteTokenizer | null;
  vocabSize: number | null;
  validation: number;
  onProgress: CorpusOptions['onProgress'];
  signal: AbortSignal | undefined;
}

/** Checks of the options of `openCorpus`, common to the core and the lab. */
export function checkCorpusOptions(source: unknown, options: CorpusOptions = {}): CheckedCorpus {
  const given = checkOptions('options', options, CORPUS_OPTIONS);
  const { validation = 0.1, onProgress, signal } = given;
  const ofIds = typeof source === 'object' && source !== null && ArrayBuffer.isView(source);
  if (ofIds) checkAbsent('options.tokenizer', given.tokenizer, 'a corpus of text');
  else checkAbsent('options.vocabSize', given.vocabSize, 'a corpus of token ids');
  checkRange('options.validation', validation, 0, 0.9);
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  return {
    tokenizer: ofIds ? null : completeTokenizer(given.tokenizer ?? { kind: 'bpe' }, 'options.tokenizer'),
    vocabSize: ofIds ? checkInteger('options.vocabSize', given.vocabSize, 2, MAX_IDS) : null,
    validation,
    onProgress,
    signal,
  };
}

/** Token ids that were given, checked. */
export function idsOfSource(source: unknown, vocabSize: number): Uint32Array {
  const ids = checkTokenIds('source', source, 2);
  checkIdsBelow('source', ids, vocabSize);
  return ids.slice();
}

/** How much of the whole each stage is, about. */
const LEARNED = 0.55;
const ENCODED = 0.95;

/** Where the tokens come from: a text that is cut, or ids. */
export type CorpusSource =
  | { characters: number; work: TextWork; tokenizer: (address: number) => CoreTokenizer }
  | { ids: Uint32Array; vocabSize: number };

/** The work of opening a corpus. */
export class CorpusOpening implements Job<CoreCorpus, [fraction: number, stage: CorpusStage]> {
  readonly #verbs: CorpusVerbs;
  readonly #source: CorpusSource;
  readonly #validation: number;
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
    if ('work' in this.#source && !this.#source.work.finished) this.#source.work.takeFor(milliseconds);
    else this.#corpus = this.#count();
  }

  #count(): CoreCorpus {
    const source = this.#source;
    if ('ids' in source) return this.#split(source.ids, source.vocabSize, null, null);
    const { ids, tokenizer: address } = source.work.result();
    source.work.end();
    const tokenizer = source.tokenizer(address);
    try {
      return this.#split(ids, tokenizer.vocabSize, source.characters, tokenizer);
    } catch (error) {
      tokenizer.dispose();
      throw error;
    }
  }

  #split(ids: Uint32Array, vocabSize: number, characters: number | null, tokenizer: CoreTokenizer | null): CoreCorpus {
    const spared = Math.floor(ids.length * this.#validation);
    // A single token predicts nothing.
    const held = spared < 2 ? 0 : spared;
    const trainingIds = ids.slice(0, ids.length - held);
    const validationIds = ids.slice(ids.length - held);
    if (trainingIds.length < 2) {
      throw new TiedError(
        'invalid-argument',
        `source has ${trainingIds.length} tokens to train on; expected at least 2`,
      );
    }
    const bounded = vocabSize <= MAX_BOUNDED_TOKENS;
    const bigrams = bounded ? this.#verbs.bigrams(trainingIds, vocabSize) : null;
    const bounds = bigrams && this.#verbs.bigramBounds(bigrams.counts);
    const data = { vocabSize, trainingIds, validationIds, characters, bounds };
    return new CoreCorpus(this.#verbs, data, tokenizer, bigrams);
  }

  news(): [fraction: number, stage: CorpusStage] {
    if (this.#corpus) return [1, 'counting'];
    if (!('work' in this.#source) || this.#source.work.finished) return [ENCODED, 'counting'];
    const { learned, encoded } = this.#source.work;
    if (learned < 1) return [LEARNED * learned, 'learning'];
    return [LEARNED + (ENCODED - LEARNED) * encoded, 'encoding'];
  }

  result(): CoreCorpus {
    return this.#corpus!;
  }

  cancelled(cause?: unknown): TiedError {
    const percent = Math.floor(100 * this.news()[0]);
    return new TiedError('cancelled', `opening the corpus was cancelled after ${percent}%`, { cause });
  }

  end(): void {
    if ('work' in this.#source) this.#source.work.end();
  }
}

/** What a Blob is told by a verb that cannot wait for it. */
export function refuseBlob(source: unknown): void {
  if (isBlob(source)) {
    throw invalidArgument('source', source, "a string or token ids; a lab's openCorpus reads files");
  }
}
