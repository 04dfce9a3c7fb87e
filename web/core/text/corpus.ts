/** Texts ready to train on, stored as token ids. */
import { countBigrams } from './bigram-counting.js';
import { BigramTable } from './bigram-table.js';
import { bindMethods } from '../runtime/bind-methods.js';
import type { CorpusPart, Corpus as CorpusOfUsers, OneWayOptions, TokenPair, TokenRange } from './corpus-types.js';
import { TiedError } from '../runtime/errors.js';
import { oneWayPairs } from './one-way-pairs.js';
import { checkIdsBelow } from '../model/options.js';
import { checkIrreversibility, measureIrreversibility } from '../direct-path/irreversibility.js';
import type { Runtime } from '../runtime/runtime.js';
import { disposeSymbol } from '../runtime/symbols.js';
import type { CoreTokenizer } from './tokenizer.js';
import type { BigramBounds, Bigrams, IrreversibilityOptions, Matrix, NextTokenOptions } from '../types.js';
import { checkChoice, checkInteger, checkOptions, checkTokenIds } from '../runtime/validate.js';
import { verb, withVerbs, type Declaring } from '../runtime/verb.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';
import { atOnce } from '../runtime/work.js';

const PARTS: readonly CorpusPart[] = ['training', 'validation'];

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

/** What its verbs need. */
export interface Counted {
  readonly analysis: Runtime<AnalysisModule>;
  table(): Bigrams;
}

const irreversibility = verb({
  what: 'irreversibility',
  optionsAt: 0,
  check: (options?: IrreversibilityOptions) => checkIrreversibility(options),
  work: (corpus: Counted, checked) => measureIrreversibility(corpus.analysis, corpus.table().counts, checked),
});

/** The long verbs of a corpus. */
export const CORPUS_WORK = { irreversibility } as const satisfies Declaring<CorpusOfUsers>;
type Declared = Pick<CorpusOfUsers, keyof typeof CORPUS_WORK>;

export class CoreCorpus extends withVerbs<Declared>(CORPUS_WORK) implements CorpusOfUsers {
  readonly vocabSize: number;
  readonly tokens: number;
  readonly validationTokens: number;
  readonly characters: number | null;
  readonly tokenizer: CoreTokenizer | null;
  readonly bounds: BigramBounds | null;
  /** @internal */
  readonly analysis: Runtime<AnalysisModule>;
  /** Null once disposed of. */
  #data: CorpusData | null;
  #bigrams: Bigrams | null;

  /** Checks a private field: `instanceof` would read the prototype of a proxy that may be revoked. */
  static is(value: unknown): value is CoreCorpus {
    return typeof value === 'object' && value !== null && #data in value;
  }

  constructor(
    analysis: Runtime<AnalysisModule>,
    data: CorpusData,
    tokenizer: CoreTokenizer | null,
    bigrams: Bigrams | null = null,
  ) {
    super();
    this.vocabSize = data.vocabSize;
    this.tokens = data.trainingIds.length + data.validationIds.length;
    this.validationTokens = data.validationIds.length;
    this.characters = data.characters;
    this.bounds = data.bounds;
    this.tokenizer = tokenizer;
    this.analysis = analysis;
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
    return (this.#bigrams ??= atOnce(countBigrams(this.analysis, trainingIds, vocabSize, false)).table);
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
