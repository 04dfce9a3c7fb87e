/** Public types of corpora and comparisons; a part of types.ts. */

import type { TextModelConfig, TrainingConfig } from '../model/types.js';
import type { BigramBounds, Irreversibility, IrreversibilityOptions, Matrix } from '../direct-path/types.js';
import type { LabTokenizer, LabTrainer, Remote } from '../runtime/lab-types.js';
import type { Bigrams, Tokenizer, TokenizerOptions } from './types.js';
import type { ARM_VERBS } from '../training/trainer-verbs.js';
import type { Trainer } from '../training/trainer-types.js';
import type { Evaluation, NextTokenOptions, StepColumns } from '../training/types.js';

// ---------------------------------------------------------------- corpus

/** The current stage of `openCorpus`. */
export type CorpusStage = 'reading' | 'writing' | 'learning' | 'encoding' | 'counting';

export interface CorpusOptions {
  /** The tokenizer of the text. Default `{ kind: 'bpe' }`. Only for a text. */
  tokenizer?: TokenizerOptions;
  /** Required for token ids, and only for them: every id is below it. */
  vocabSize?: number;
  /** Fraction of the tokens, at the end of the text, to hold out: 0 to 0.9. Default 0.1. */
  validation?: number;
  /** Called with the fraction of the work done, 0 to 1, and its current stage. */
  onProgress?: ((fraction: number, stage: CorpusStage) => void) | undefined;
  /** Cancels the preparation; the promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}

/** A text ready to train on. In a lab, text, ids and tables stay in the worker until a verb returns them. */
export interface Corpus {
  readonly vocabSize: number;
  /** Number of tokens, including held-out ones. */
  readonly tokens: number;
  /** Tokens held out at the end. */
  readonly validationTokens: number;
  /** `length` of the text; null if the corpus was opened from token ids or a chain. */
  readonly characters: number | null;
  /** Disposed of with the corpus; null if the corpus was opened from token ids or a chain. */
  readonly tokenizer: Tokenizer | null;
  /** Floors of the training part, nats per token; null if the vocabulary has more than 4,096 tokens. */
  readonly bounds: BigramBounds | null;
  /**
   * The token ids of one part ('training' by default), or a range of them.
   *
   * @throws {TiedError} 'invalid-argument' if there is no such part or the range is not made of integers; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 3, validation: 0 });
   * corpus.tokenIds(); // → [0, 1, 2, 0, 1, 2, 0]
   * corpus.tokenIds('training', { first: 2, count: 3 }); // → [2, 0, 1]
   * ```
   */
  tokenIds(part?: CorpusPart, range?: TokenRange): Uint32Array;
  /**
   * How often each token occurs in the training part, [V].
   *
   * @throws {TiedError} 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 3, validation: 0 });
   * corpus.frequencies(); // → [3, 2, 2]
   * ```
   */
  frequencies(): Uint32Array;
  /**
   * The pairs of the training part: a table [V, V].
   *
   * @throws {TiedError} 'out-of-memory' if the table does not fit; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 3, validation: 0 });
   * corpus.bigrams().total; // → 6
   * ```
   */
  bigrams(): Bigrams;
  /**
   * `irreversibility` of the pairs of the training part.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range; 'out-of-memory' if the table of pairs does not fit; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus('to and fro and to and fro', { tokenizer: { kind: 'word' }, validation: 0 });
   * const { js, null: chance } = corpus.irreversibility({ nullRuns: 50 });
   * js > 2 * chance.mean; // → true
   * ```
   */
  irreversibility(options?: IrreversibilityOptions): Irreversibility;
  /**
   * [from, to]: P(to | from) in the training part; a row of zeros if no token ever follows.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize`; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), { vocabSize: 3, validation: 0 });
   * corpus.nextTokenProbabilities({ from: Uint32Array.of(2) }).data; // → [1, 0, 0]
   * ```
   */
  nextTokenProbabilities(options: NextTokenOptions): Matrix;
  /**
   * Pairs of tokens with a fixed order in the training part, best first, with no token in two pairs. They are frequent, rarely
   * or never reversed, and their tokens mostly occur next to each other ("New York" rather than "of the").
   *
   * @throws {TiedError} 'invalid-argument' if `count` is not an integer or an id is not below `vocabSize`; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus(Uint32Array.of(0, 1, 2, 0, 1, 2, 0, 1, 3), { vocabSize: 4, validation: 0 });
   * const [pair] = corpus.oneWayPairs({ count: 1 });
   * [pair!.from, pair!.to]; // → [0, 1]
   * ```
   */
  oneWayPairs(options: OneWayOptions): TokenPair[];
  /** Disposes of the tokenizer too. Comparisons on the corpus continue. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface OneWayOptions {
  /** Largest number of pairs. */
  count: number;
  /** Ids to exclude from all pairs. Default: none. */
  without?: Uint32Array;
}

/** Ids of a token and of a token that follows it. */
export interface TokenPair {
  from: number;
  to: number;
}

export type CorpusPart = 'training' | 'validation';

export interface TokenRange {
  /** Index of the first token. Default 0. */
  first?: number;
  /** Maximum number of tokens. Default: all. */
  count?: number;
}

type Remotely<T> = Omit<Remote<Omit<T, 'dispose' | typeof Symbol.dispose>>, 'tokenizer'>;

/** {@link Corpus} in a lab: every verb returns a promise. */
export interface LabCorpus extends Remotely<Corpus> {
  readonly tokenizer: LabTokenizer | null;
  dispose(): void;
  [Symbol.dispose](): void;
}

// ---------------------------------------------------------------- comparison

/** `vocabSize` defaults to that of the corpus. */
export type ComparedModel = WithoutVocabSize<TextModelConfig> & { vocabSize?: number };
type WithoutVocabSize<Model> = Model extends unknown ? Omit<Model, 'vocabSize'> : never;
/** `seed` defaults to that of the comparison. */
export type ComparedTraining = Omit<TrainingConfig, 'seed'> & { seed?: number };

export interface ComparedArm {
  model: ComparedModel;
  /** A direct path without a `batchSize` trains on the whole table of pairs; anything else on the tokens. */
  training: ComparedTraining;
}

export interface CompareOptions<Name extends string = string> {
  /** 1 to 16 models by name. */
  arms: Readonly<Record<Name, ComparedArm>>;
  /** Planned end: iteration and `play` stop there. Without it they continue until stopped. */
  steps?: number;
  /** Seed of every arm without one. Default 0. */
  seed?: number;
  /** When all arms are evaluated. Default: never. */
  measure?: {
    /** Evaluates at step 0, then every `every` steps, and at the planned end. */
    every: number;
    /** Reads only the first tokens of the held-out part. Default: all of them. */
    tokens?: number;
  };
}

export interface CompareControls<Name extends string = string> {
  /**
   * Ends the training. The current call and later ones that would train, rewind or look back fail with code 'cancelled'; a loop over the frames
   * just ends. The models stay as they are in the newest frame: `arm(name)` reads and saves them until `dispose()`.
   */
  signal?: AbortSignal | undefined;
  /** Called with every frame, whichever verb produced it. */
  onFrame?: ((frame: ComparisonFrame<Name>) => void) | undefined;
}

/** The progress of all arms since the previous frame. */
export interface ComparisonFrame<Name extends string = string> {
  /** Number of steps that every arm has done. */
  readonly step: number;
  /** By arm, the records of the steps since the previous frame: `columns.tied.loss[i]` is the loss of step `columns.tied.step[i]`. */
  readonly columns: Readonly<Record<Name, StepColumns>>;
  /** By arm, at `step`: on the held-out tokens, or on the training data if there are none. Null if none was due. */
  readonly measured: Readonly<Record<Name, Evaluation>> | null;
}

export interface FrameOptions {
  /** Steps in this frame, at most 4,096. Default: about 30 ms of training. */
  steps?: number;
  /** The frame ends at this step at the latest, and is empty if all steps are done. Default: no limit. */
  until?: number;
}

export interface PlayOptions {
  /** Where to stop. Default: the planned end. In a lab `Infinity` plays until `pause()`. */
  until?: number;
}

/** Verbs of a trainer that do not change it. */
export type ArmVerb = (typeof ARM_VERBS)[number];

/** One of the models, read-only. */
export type Arm = Pick<Trainer, ArmVerb | 'model' | 'training' | 'step' | 'tyingChangedAt' | 'tyingChanges'>;
/** An arm in a lab: reads the weights between two frames, so all arms are at the same step. */
export type LabArm = Pick<LabTrainer, ArmVerb | 'model' | 'training' | 'step' | 'tyingChangedAt' | 'tyingChanges'>;

/** Models that train side by side on one corpus, always at the same step. */
export interface Comparison<Name extends string = string> {
  /** Names of the arms, in the order given. */
  readonly names: readonly Name[];
  /** Number of steps that every arm has done. */
  readonly step: number;
  /**
   * Trains all arms for some more steps.
   *
   * @throws {TiedError} 'not-finite' if a loss is no longer finite, until `rewind`; 'disposed' after `dispose`; 'cancelled' after the comparison's signal
   * @example
   * ```ts
   * const corpus = core.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = core.compare(corpus, { arms, steps: 20 });
   * comparison.next({ steps: 3 }).columns.tied.step; // → [1, 2, 3]
   * ```
   */
  next(options?: FrameOptions): ComparisonFrame<Name>;
  /** Frames up to the planned end. */
  [Symbol.iterator](): Iterator<ComparisonFrame<Name>, undefined>;
  /**
   * Produces frames up to the end. `onFrame` may stop it with `pause()`.
   *
   * @throws {TiedError} 'not-finite' if a loss is no longer finite, until `rewind`; 'invalid-argument' if there is no end; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = core.compare(corpus, { arms, steps: 20 });
   * comparison.play();
   * comparison.step; // → 20
   * ```
   */
  play(options?: PlayOptions): void;
  /**
   * Makes `play` and iteration stop after the current frame.
   *
   * @throws {TiedError} never; nor does a paused call throw 'cancelled'
   * @example
   * ```ts
   * const corpus = core.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = core.compare(corpus, { arms, steps: 20 });
   * for (const frame of comparison) if (frame.step > 0) comparison.pause();
   * comparison.step; // → 1
   * ```
   */
  pause(): void;
  /**
   * All arms return to the exact weights after `step` steps, and training continues from there.
   *
   * @throws {TiedError} 'invalid-argument' if the step has not been done; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = core.compare(corpus, { arms, steps: 20 });
   * comparison.play();
   * comparison.rewind(5);
   * comparison.next({ steps: 1 }).step; // → 6
   * ```
   */
  rewind(step?: number): void;
  /**
   * All arms show the weights after an earlier step. The next frame continues from the newest step.
   *
   * @throws {TiedError} 'invalid-argument' if the step has not been done; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = core.compare(corpus, { arms, steps: 20 });
   * comparison.play();
   * comparison.lookBack(5);
   * comparison.arm('tied').step; // → 5
   * comparison.next({ steps: 1 }).step; // → 21
   * ```
   */
  lookBack(step: number): void;
  /**
   * One of the models, read-only: matrices, gradients, generated text and so on.
   *
   * @throws {TiedError} 'invalid-argument' if no arm has the name; 'disposed' after `dispose`
   * @example
   * ```ts
   * const corpus = core.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = core.compare(corpus, { arms, steps: 20 });
   * comparison.arm('tied').matrix('embedding').cols; // → 2
   * ```
   */
  arm(name: Name): Arm;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** {@link Comparison} in a lab, its arms spread over several workers. */
export interface LabComparison<Name extends string = string> {
  /** Names of the live arms, in the order given. An arm whose worker stopped is omitted. */
  readonly names: readonly Name[];
  readonly step: number;
  /** Number of workers that train the arms. */
  readonly workers: number;
  /**
   * Trains all arms for some more steps. Nothing runs ahead: the next steps start when the next frame is requested.
   *
   * @throws {TiedError} 'not-finite' if a loss is no longer finite, until `rewind`; 'stopped' if a worker stopped, naming its arms; 'disposed' or 'cancelled' if the comparison has ended
   * @example
   * ```ts
   * const lab = await createLab();
   * const corpus = await lab.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = await lab.compare(corpus, { arms, steps: 20 });
   * (await comparison.next({ steps: 3 })).columns.tied.step; // → [1, 2, 3]
   * lab.dispose();
   * ```
   */
  next(options?: FrameOptions): Promise<ComparisonFrame<Name>>;
  /** Frames up to the planned end; each is requested by the loop. */
  [Symbol.asyncIterator](): AsyncIterator<ComparisonFrame<Name>, undefined>;
  /**
   * Produces frames up to the end or to `pause()`.
   *
   * @throws {TiedError} as `next`; 'invalid-argument' if there is no end
   * @example
   * ```ts
   * const lab = await createLab();
   * const corpus = await lab.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = await lab.compare(corpus, { arms, steps: 20 });
   * await comparison.play();
   * comparison.step; // → 20
   * lab.dispose();
   * ```
   */
  play(options?: PlayOptions): Promise<void>;
  /**
   * Makes `play` and iteration stop after the current frame.
   *
   * @throws {TiedError} never; nor does a paused call reject with 'cancelled'
   * @example
   * ```ts
   * const lab = await createLab();
   * const corpus = await lab.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = await lab.compare(corpus, { arms, steps: 20 });
   * for await (const frame of comparison) if (frame.step > 0) comparison.pause();
   * comparison.step; // → 1
   * lab.dispose();
   * ```
   */
  pause(): void;
  /**
   * All arms return to the exact weights after `step` steps, and training continues from there.
   *
   * @throws {TiedError} 'invalid-argument' if the step has not been done; otherwise as `next`, 'stopped' included
   * @example
   * ```ts
   * const lab = await createLab();
   * const corpus = await lab.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = await lab.compare(corpus, { arms, steps: 20 });
   * await comparison.play();
   * await comparison.rewind(5);
   * comparison.step; // → 5
   * lab.dispose();
   * ```
   */
  rewind(step?: number): Promise<void>;
  /**
   * All arms show the weights after an earlier step. The next frame continues from the newest step.
   *
   * @throws {TiedError} 'invalid-argument' if the step has not been done; otherwise as `next`, 'stopped' included
   * @example
   * ```ts
   * const lab = await createLab();
   * const corpus = await lab.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = await lab.compare(corpus, { arms, steps: 20 });
   * await comparison.play();
   * await comparison.lookBack(5);
   * (await comparison.next({ steps: 1 })).step; // → 21
   * lab.dispose();
   * ```
   */
  lookBack(step: number): Promise<void>;
  /**
   * One of the models, read-only. Its verbs run between two frames, so all arms are at the same step.
   *
   * @throws {TiedError} 'invalid-argument' if no arm has the name; 'stopped' if its worker stopped; 'disposed' after `dispose`
   * @example
   * ```ts
   * const lab = await createLab();
   * const corpus = await lab.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const training = { learningRate: 0.1 };
   * const arms = { tied: { model: { kind: 'direct-path', dModel: 2, tying: 'tied' }, training } } as const;
   * const comparison = await lab.compare(corpus, { arms, steps: 20 });
   * (await comparison.arm('tied').matrix('embedding')).cols; // → 2
   * lab.dispose();
   * ```
   */
  arm(name: Name): LabArm;
  dispose(): void;
  [Symbol.dispose](): void;
}
