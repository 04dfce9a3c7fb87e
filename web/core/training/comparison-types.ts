/** Public types of comparisons. */

import type { TextModelConfig, TrainingConfig } from '../model/types.js';
import type { PairTrainerVerbs } from './pair-types.js';
import type { Trainer } from './trainer-types.js';
import type { Evaluation, StepColumns } from './types.js';

/** `vocabSize` defaults to that of the corpus. */
export type ComparedModel = WithoutVocabSize<TextModelConfig> & { vocabSize?: number };
type WithoutVocabSize<Model> = Model extends unknown ? Omit<Model, 'vocabSize'> : never;
/** `seed` defaults to that of the comparison. */
export type ComparedTraining = Omit<TrainingConfig, 'seed'> & { seed?: number };

export interface ComparedArm {
  model: ComparedModel;
  /** A direct path without a `batchSize` trains on the whole table of pairs; anything else on the tokens. */
  training: ComparedTraining;
  /**
   * What `save()` of an arm of this model and training wrote: training continues from there, with the same bits as without the pause. Either all arms
   * have it, of the same step, or none. It contains its training data, which should be those of the corpus.
   */
  saved?: Uint8Array;
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
export type ArmVerb = {
  [Name in keyof Trainer & string]: Trainer[Name] extends (...args: never[]) => unknown
    ? Exclude<Name, NotOfArms>
    : never;
}[keyof Trainer & string];
type NotOfArms = 'run' | 'rewind' | 'setMatrix' | 'tokenizer' | 'dispose' | keyof PairTrainerVerbs;

/** One of the models, read-only. */
export type Arm = Pick<Trainer, ArmVerb | 'model' | 'training' | 'step' | 'tyingChangedAt' | 'tyingChanges'>;
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
