/** The verbs of a lab that differ from the core's, and how it returns the others. */

import type { Checkpoint, CheckpointSource, OpenCheckpointOptions, RunnableCheckpoint } from '../checkpoint/types.js';
import type { IdentityCard, IdentityCardOptions } from '../checkpoint/card/identity-card-types.js';
import type { Corpus, CorpusOptions } from '../text/corpus-types.js';
import type {
  ArmVerb,
  CompareControls,
  CompareOptions,
  ComparisonFrame,
  FrameOptions,
  PlayOptions,
} from '../training/comparison-types.js';
import type { TiedError } from '../runtime/errors.js';
import type { LoadOptions } from '../runtime/load-types.js';
import type { FileBytes, Simd } from '../runtime/types.js';
import type { Matrix, Symmetry, SymmetryOptions } from '../direct-path/types.js';
import type { ExperimentVerbs } from '../experiment/types.js';
import type { ModelCard, ModelCardOptions } from '../diagnostics/model-card/types.js';
import type { PathOptions } from '../direct-path/path-types.js';
import type { CorpusInput, MarkovText, Tokenizer, TokenizerOptions } from '../text/types.js';
import type { Trainer } from '../training/trainer-types.js';
import type {
  GgufOptions,
  RunOptions,
  StepColumns,
  StepRecord,
  TrainerOptions,
  TransformersFiles,
} from '../training/types.js';
import type { Core } from './core-types.js';

/** Options of long-running verbs, which a lab does in slices. */
export interface WorkOptions {
  /** Called with the fraction of the work done, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Cancels the verb; its promise rejects with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}

/** Options of verbs that write a file to a stream instead of making it in memory. */
export interface StreamOptions extends WorkOptions {
  /**
   * Gets the bytes of the file in parts of up to 2 MiB, each once the one before it has been written: a file that the page has opened
   * (`createWritable()`), or any other stream. It stays open, also after an error, so whoever opened it closes or aborts it, and can write more
   * before that. What it fails with is what the verb rejects with. The verb resolves with the number of bytes; `toTransformers`, which
   * writes `model.safetensors` to it, with the other files.
   */
  to: WritableStream<FileBytes>;
}

/** The verbs of a lab that differ from the core's. */
export interface LabVerbs {
  /**
   * As in a core, in slices.
   *
   * @throws {TiedError} as in a core; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const lab = await createLab();
   * let done = 0;
   * const tokenizer = await lab.trainTokenizer('New York', { kind: 'word', onProgress: (fraction) => (done = fraction) });
   * done; // → 1
   * tokenizer.vocabSize; // → 3
   * lab.dispose();
   * ```
   */
  trainTokenizer(text: string, options: TokenizerOptions & WorkOptions): Promise<LabTokenizer>;
  /**
   * As in a core, in slices.
   *
   * @throws {TiedError} as in a core; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const lab = await createLab();
   * const text = await lab.writeStories({ seed: 1, length: 500, signal: AbortSignal.timeout(60_000) });
   * text.length >= 500; // → true
   * lab.dispose();
   * ```
   */
  writeStories(options: { seed: number; length: number } & WorkOptions): Promise<string>;
  /**
   * As in a core, in slices. To train on a chain, use `openCorpus`, which keeps the states in the worker.
   *
   * @throws {TiedError} as in a core; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const lab = await createLab();
   * const transition = await lab.randomMarkovChain({ states: 4, seed: 1 });
   * const states = await lab.sampleMarkovChain({ transition, length: 10, seed: 1 });
   * states.length; // → 10
   * lab.dispose();
   * ```
   */
  sampleMarkovChain(options: MarkovText & WorkOptions): Promise<Uint32Array>;
  /**
   * As in a core, in the worker. A File or Blob is read there, as UTF-8 like `Blob.text()`: invalid bytes become U+FFFD. Its text
   * never exists on the page.
   *
   * @throws {TiedError} as in a core; 'bad-file' if the file cannot be read
   * @example
   * ```ts
   * const lab = await createLab();
   * const file = new Blob(['the cat sat on the mat']);
   * const corpus = await lab.openCorpus(file, { tokenizer: { kind: 'character' } });
   * corpus.tokens; // → 22
   * lab.dispose();
   * ```
   */
  openCorpus(source: CorpusInput | Blob, options?: CorpusOptions): Promise<LabCorpus>;
  /**
   * As in a core, in the worker. A File or Blob is read there in parts, into the core's memory: no other memory holds the whole file.
   *
   * @throws {TiedError} as in a core; 'bad-file' if the file cannot be read; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const lab = await createLab();
   * const trainer = await lab.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
   *   training: { learningRate: 0.1, batchSize: 1, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 0),
   * });
   * const file = new Blob([await trainer.save()]);
   * (await lab.loadTrainer(file)).step; // → 0
   * lab.dispose();
   * ```
   */
  loadTrainer(bytes: Uint8Array | Blob, options?: WorkOptions): Promise<LabTrainer>;
  /**
   * As in a core, over several workers. If one of them stops, frames reject once with 'stopped', naming its arms; the
   * other arms continue with the next frame.
   *
   * @throws {TiedError} what `createTrainer` throws, 'invalid-argument' and 'out-of-memory' among it; 'cancelled' after the signal was aborted
   * @example
   * ```ts
   * const lab = await createLab();
   * const corpus = await lab.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const model = { kind: 'direct-path', dModel: 4 } as const;
   * const training = { learningRate: 0.1 };
   * const arms = {
   *   tied: { model: { ...model, tying: 'tied' }, training },
   *   untied: { model: { ...model, tying: 'untied' }, training },
   * } as const;
   * const comparison = await lab.compare(corpus, { arms, steps: 20 });
   * for await (const { columns } of comparison) columns.tied.loss.length === columns.untied.loss.length;
   * comparison.step; // → 20
   * lab.dispose();
   * ```
   */
  compare<Name extends string>(
    corpus: LabCorpus,
    options: CompareOptions<Name>,
    controls?: CompareControls<Name>,
  ): Promise<LabComparison<Name>>;
  /**
   * Creates several trainers that can train at the same time. They are distributed over as many workers as the machine has
   * cores, at most 4; on a single core they take turns. Each trainer is like one from `createTrainer`, with the same bits. A worker ends
   * with its last trainer. If it stops by itself, calls of its trainers reject with 'stopped', and the others continue.
   *
   * @param options the options of each trainer; either all trainers are created or none
   * @throws {TiedError} what `createTrainer` throws, such as 'invalid-argument' and 'out-of-memory', starting with the place in the list (`options[1]: model.dModel is 0; …`)
   * @example
   * ```ts
   * const lab = await createLab();
   * const training = { learningRate: 0.1, batchSize: 2, seed: 1 };
   * const tokenIds = Uint32Array.of(0, 1, 0, 2, 0, 1);
   * const model = { kind: 'direct-path', vocabSize: 3, dModel: 2 } as const;
   * const trainers = await lab.createTrainers([
   *   { model: { ...model, tying: 'tied' }, training, tokenIds },
   *   { model: { ...model, tying: 'untied' }, training, tokenIds },
   * ]);
   * await Promise.all(trainers.map((trainer) => trainer.run(10)));
   * trainers.map(({ step }) => step); // → [10,10]
   * lab.dispose();
   * ```
   */
  createTrainers(options: readonly LabTrainerOptions[]): Promise<LabTrainer[]>;
  /**
   * As in a core. The file is read on the thread that opened the lab; the worker decodes elements and runs models.
   *
   * @throws {TiedError} as in a core; 'bad-file' if the file is damaged or of another kind
   * @example
   * ```ts
   * const lab = await createLab();
   * const checkpoint = await lab.openCheckpoint(new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']));
   * checkpoint.tokens; // → ["York","City"]
   * lab.dispose();
   * ```
   */
  openCheckpoint(source: CheckpointSource, options?: OpenCheckpointOptions): Promise<LabCheckpoint>;
}

/** A checkpoint of a lab: its trainers and tokenizers are handles of the lab. */
export type LabCheckpoint = RunnableCheckpoint<LabTrainer, LabTokenizer>;

/** Handles that a lab returns: the same verbs, each returning a promise; plain properties stay plain. */
export type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: { [I in keyof A]: FromRemote<A[I]> }) => Promise<Awaited<Remotely<R>>>
    : T[K];
};
type Remotely<R> = R extends Trainer ? LabTrainer : R extends Tokenizer ? LabTokenizer : R;
/** Options that take a tokenizer take one of the same lab. */
type FromRemote<A> = A extends unknown
  ? 'tokenizer' extends keyof A
    ? [A['tokenizer']] extends [undefined]
      ? A
      : Omit<A, 'tokenizer'> & { tokenizer?: LabTokenizer }
    : A
  : never;
/** A tokenizer among them is one of the lab. */
export type LabTrainerOptions = FromRemote<TrainerOptions>;
type WithoutDispose<T> = Omit<T, 'dispose' | typeof Symbol.dispose>;
interface Disposable_ {
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Declared separately: their results depend on their options, or they have extra options in a lab. */
type OwnVerbs = 'run' | 'save' | 'toSafetensors' | 'toGguf' | 'toTransformers' | 'directPath';
interface LabPath {
  directPath(options: PathOptions & { symmetry: true | SymmetryOptions }): Promise<Symmetry>;
  directPath(options?: PathOptions & { symmetry?: false }): Promise<Matrix>;
}

/** `step`, `tyingChangedAt` and `tyingChanges` are as of the last verb of this handle that returned. */
export type LabTrainer = Remote<Omit<WithoutDispose<Trainer>, OwnVerbs>> &
  LabPath & {
    run(steps: number, options: RunOptions & { columns: true }): Promise<StepColumns>;
    run(steps: number, options?: RunOptions & { columns?: false }): Promise<StepRecord[]>;
    run(steps: number, options: RunOptions): Promise<StepRecord[] | StepColumns>;
    save(options: StreamOptions): Promise<number>;
    save(options?: WorkOptions): Promise<FileBytes>;
    toSafetensors(options: StreamOptions): Promise<number>;
    toSafetensors(options?: WorkOptions): Promise<FileBytes>;
    toGguf(options: GgufOptions & StreamOptions): Promise<number>;
    toGguf(options?: GgufOptions & WorkOptions): Promise<FileBytes>;
    toTransformers(options: StreamOptions): Promise<Omit<TransformersFiles, 'model.safetensors'>>;
    toTransformers(options?: WorkOptions): Promise<TransformersFiles>;
  } & Disposable_;
export type LabTokenizer = Remote<Omit<WithoutDispose<Tokenizer>, 'encode'>> & {
  encode(text: string, options?: WorkOptions): Promise<Uint32Array>;
} & Disposable_;

export interface LabOptions extends LoadOptions {
  /**
   * URL of worker.js, if it is not beside the script: for bundlers that do not include it, on pages whose content
   * security policy allows workers from files only. In Node the URL of a file.
   */
  workerUrl?: string | URL;
  /**
   * The most workers that train one model, 1 to 8; 1 leaves each trainer in its own. Default: as many as the machine has cores (and, where a
   * browser tells, gibibytes of memory), at most 8. A trainer uses several if `training.shards` is more than 1 and its steps are long
   * enough; the bits depend on `shards` alone.
   */
  threads?: number;
}

export type Lab = Remote<
  Omit<WithoutDispose<Core>, 'version' | 'simd' | keyof LabVerbs | keyof ExperimentVerbs | keyof LabCardVerbs>
> &
  LabVerbs &
  LabCardVerbs &
  ExperimentVerbs & {
    readonly version: string;
    readonly simd: Simd;
    /**
     * 'worker': a Web Worker, or a Node thread, which keeps the process alive only during a call. 'same-thread' if neither can
     * start: the work is done in time slices on the page's own thread.
     */
    readonly mode: 'worker' | 'same-thread';
    /** How many threads it has at the moment: its own, and those of the workers that are open for arms, jobs and parts of one model. */
    readonly threads: number;
    /**
     * Resolves when the lab no longer accepts calls, with the error that calls reject with from then on: code
     * 'disposed' after `dispose()`, 'stopped' if the worker stopped unexpectedly. Never rejects.
     */
    readonly closed: Promise<TiedError>;
  } & Disposable_;

/** {@link CardVerbs} of a lab. */
export interface LabCardVerbs {
  /**
   * As in a core. Both cards are promises, and trainers are those of a lab.
   *
   * @throws {TiedError} as in a core; 'invalid-argument' if `model` has no card
   * @example
   * ```ts
   * const lab = await createLab();
   * const trainer = await lab.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, batchSize: 4, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 0, 1),
   * });
   * const { markdown } = await lab.modelCard(trainer, { tokenIds: Uint32Array.of(0, 1, 2, 0) });
   * markdown.includes('saved by this coupling'); // → true
   * lab.dispose();
   * ```
   */
  modelCard(model: Pick<LabTrainer, 'modelCard'>, options: ModelCardOptions): Promise<ModelCard>;
  modelCard(checkpoint: Pick<Checkpoint, 'identityCard'>, options?: IdentityCardOptions): Promise<IdentityCard>;
}

type RemoteParts<T> = Omit<Remote<Omit<T, 'dispose' | typeof Symbol.dispose>>, 'tokenizer'>;

/** {@link Corpus} in a lab: every verb returns a promise. */
export interface LabCorpus extends RemoteParts<Corpus> {
  readonly tokenizer: LabTokenizer | null;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** An arm in a lab: reads the weights between two frames, so all arms are at the same step. */
export type LabArm = Pick<LabTrainer, ArmVerb | 'model' | 'training' | 'step' | 'tyingChangedAt' | 'tyingChanges'>;

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
