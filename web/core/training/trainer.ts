/** The trainer handle with its verbs. */
import { bindMethods } from '../runtime/bind-methods.js';
import { checkEvaluate, EvaluationRun, type PartEvaluation } from './evaluation-run.js';
import { FileWriting } from '../checkpoint/writing/file-writing.js';
import { checkGguf, GgufWriting, type WrittenSubject } from '../checkpoint/writing/gguf-writing.js';
import { checkGenerate, type CheckedGenerate, type TextGeneration } from './generation.js';
import { AttachedTokenizer, type OpenTokenizer } from '../text/attached-tokenizer.js';
import { trainerFacts } from '../model/option-numbers.js';
import { finishJob, type Job } from '../runtime/pace.js';
import { checkBatch } from './pair-batch.js';
import type { FindModule } from '../runtime/running-modules.js';
import { ReadSequences } from '../diagnostics/read-sequences.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import { disposeSymbol } from '../runtime/symbols.js';
import { Remembered } from './remembered.js';
import { TRAINER_WORK } from './trainer-work.js';
import { withVerbs } from '../runtime/verb.js';
import { ledgerOf, withKept } from './trainer-answers.js';
import { TrainerGenerations } from './trainer-generations.js';
import { checkEvaluatePairs, TrainerPairs, type PairEvaluationRun } from './trainer-pairs.js';
import { TrainerParameters } from './trainer-parameters.js';
import { checkIdsOf, TrainerTokens } from './trainer-tokens.js';
import { checkRewind, Replay } from './replay.js';
import { checkRun, recordsOf, TrainingRun, type CheckedRun } from './training-run.js';
import type {
  Attention,
  EvaluateOptions,
  EvaluatePairsOptions,
  Evaluation,
  FileBytes,
  GenerateOptions,
  Generation,
  GgufOptions,
  GradientLedger,
  HiddenStatesOptions,
  LogitsOptions,
  Matrix,
  ModelConfig,
  NextTokenOptions,
  PairAttentions,
  PairBatch,
  PairEvaluation,
  PairInput,
  ParameterInfo,
  RewindOptions,
  RunOptions,
  StepColumns,
  StepRecord,
  Tokenizer,
  TokenPairs,
  Trainer,
  TrainingConfig,
  TransformersFiles,
  TranslateOptions,
  Translation,
} from '../types.js';
import { TransformersWriting } from '../checkpoint/writing/transformers-writing.js';
import type { CoreModule, HandleAddress } from '../runtime/wasm-module.js';

/** Time between two reports of a rewind. */
const REWIND_PROGRESS_MS = 33;

type Declared = Pick<Trainer, keyof typeof TRAINER_WORK>;

export class CoreTrainer extends withVerbs<Declared>(TRAINER_WORK) implements Trainer {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  readonly #runtime: Runtime<CoreModule>;
  /** @internal See ReadTrainer. */
  readonly modules: FindModule;
  /** @internal See ReadTrainer. */
  readonly remembered: Remembered;
  readonly #handle: Handle<CoreModule>;
  readonly #tokensPerStep: number;
  readonly #tokenizer: AttachedTokenizer | null;
  readonly #generations: TrainerGenerations;
  readonly #parameters: TrainerParameters;
  /** @internal See ReadTrainer. */
  readonly tokens: TrainerTokens;
  readonly #pairs: TrainerPairs;
  /** @internal What was computed for the text being read. */
  readonly sequences = new ReadSequences();
  /** How often parameters have changed. */
  #changes = 0;

  constructor(runtime: Runtime<CoreModule>, address: HandleAddress, openTokenizer: OpenTokenizer, modules: FindModule) {
    super();
    this.#runtime = runtime;
    this.modules = modules;
    this.#handle = new Handle(runtime, 'trainer', address, (module, trainer) => module.deleteTrainer(trainer));
    const { model, training, tokensPerStep } = this.#handle.call(
      [],
      (module, trainer) => module.trainerOptions(trainer),
      (answer) => trainerFacts(answer.numbers(0)),
    );
    // The core returns the fields of the model's kind.
    this.model = withKept(model as ModelConfig, this.#handle);
    this.training = training;
    this.#tokensPerStep = tokensPerStep;
    const kept = this.#handle.call(
      [],
      (module, trainer) => module.attachment(trainer),
      (answer) => answer.bytes(0),
    );
    this.#tokenizer = kept.length === 0 ? null : new AttachedTokenizer(kept, openTokenizer);
    this.remembered = new Remembered(() => this.#changes);
    this.#generations = new TrainerGenerations({
      ...{ runtime, handle: this.#handle, tokenizer: this.#tokenizer, vocabSize: this.model.vocabSize },
      changes: () => this.#changes,
    });
    this.#parameters = new TrainerParameters(this.#handle, () => this.#change());
    this.tokens = new TrainerTokens(this.#handle, this.model, this.sequences);
    this.#pairs = new TrainerPairs({ handle: this.#handle, model: this.model, tokenizer: this.#tokenizer });
    bindMethods(this);
  }

  /** Whether the model reads pairs instead of a text. */
  get #readsPairs(): boolean {
    return this.model.kind === 'encoder-decoder';
  }

  get step(): number {
    return this.#handle.get((module, trainer) => module.stepsDone(trainer));
  }

  get tyingChangedAt(): number | null {
    return this.#handle.get((module, trainer) => module.tyingChangedAt(trainer)) || null;
  }

  get tyingChanges(): readonly number[] {
    if (!Array.isArray(this.model.tying)) return this.tyingChangedAt === null ? [] : [this.tyingChangedAt];
    return this.#handle.call(
      [],
      (module, trainer) => module.tyingChanges(trainer),
      (answer) => [...answer.numbers(0)],
    );
  }

  // -------------------------------------------------------------- training

  run(steps: number, options: RunOptions & { columns: true }): StepColumns;
  run(steps: number, options?: RunOptions & { columns?: false }): StepRecord[];
  run(steps: number, options: RunOptions): StepRecord[] | StepColumns;
  run(steps: number, options: RunOptions = {}): StepRecord[] | StepColumns {
    const checked = checkRun(steps, options);
    const { onProgress, signal } = checked;
    const run = this.startRun(checked);
    if (signal?.aborted) throw run.cancelled(signal.reason);
    // Only onProgress can abort a synchronous run, so run straight to the next callback.
    const most = onProgress ? checked.recordEvery : checked.steps;
    while (!run.finished) {
      run.take(most, onProgress !== undefined);
      if (run.newest) onProgress?.(run.fraction, run.newest);
      if (signal?.aborted && !run.finished) throw run.cancelled(signal.reason);
    }
    return run.result();
  }

  /** @internal A run with checked arguments; the caller advances it. */
  startRun(checked: CheckedRun): TrainingRun {
    // A run of zero steps never calls the core.
    this.#handle.check();
    return new TrainingRun(
      checked,
      (some, every, recordLast) => this.#run(some, every, recordLast),
      () => this.#replayTo(this.#handle.get((module, trainer) => module.furthestStep(trainer))),
      this.#readsPairs,
    );
  }

  /** Call this before parameters change. */
  #change(): void {
    this.#changes++;
    this.sequences.forget();
  }

  #run(steps: number, recordEvery: number, recordLast: boolean): StepRecord[] {
    const start = performance.now();
    this.#change();
    return this.#handle.call(
      [],
      (module, trainer) => module.run(trainer, steps, recordEvery, recordLast),
      (answer) => {
        const seconds = Math.max(performance.now() - start, 1e-3) / 1000;
        return recordsOf(answer.numbers(0), (steps * this.#tokensPerStep) / seconds, this.#readsPairs);
      },
    );
  }

  rewind(step = 0, options: RewindOptions = {}): void {
    const checked = checkRewind(step, options);
    const { onProgress, signal } = checked;
    const replay = this.startRewind(checked.step);
    if (signal?.aborted) throw replay.cancelled(signal.reason);
    while (!replay.finished) {
      replay.takeFor(onProgress ? REWIND_PROGRESS_MS : Infinity);
      onProgress?.(replay.fraction);
      if (signal?.aborted && !replay.finished) throw replay.cancelled(signal.reason);
    }
  }

  /** @internal A rewind to a checked step; the caller advances it. */
  startRewind(step: number): Replay {
    this.#handle.check();
    return this.#replayTo(step);
  }

  #replayTo(step: number): Replay {
    return new Replay(step, (most) => {
      this.#change();
      this.#handle.call(
        [],
        (module, trainer) => module.rewind(trainer, step, most),
        () => undefined,
      );
      return this.step;
    });
  }

  evaluate(tokenIds?: Uint32Array, options: EvaluateOptions = {}): Evaluation {
    const checked = checkEvaluate(options);
    return finishJob(this.startEvaluation(tokenIds), { signal: checked.signal });
  }

  /** @internal An evaluation; the caller advances it. */
  startEvaluation(given?: Uint32Array): Job<Evaluation, [fraction: number]> {
    if (given === undefined && this.#readsPairs) return this.#pairs.loss();
    const tokenIds = given === undefined ? undefined : checkIdsOf(this.model, 'tokenIds', given, 2);
    const size = tokenIds?.length ?? this.#handle.get((module, trainer) => module.evaluationSize(trainer));
    const { kind, contextLength = 1 } = this.model;
    // Without ids the core evaluates everything: it reports why there are none.
    const byParts = kind === 'transformer' && size > 1;
    return new EvaluationRun({
      tokens: Math.max(1, size - 1),
      sequenceLength: byParts ? contextLength : Infinity,
      evaluate: (first, tokens) => this.#evaluatePart(tokenIds, byParts, first, tokens),
      bytes: (tokens) =>
        (tokenIds
          ? this.#tokenizer?.bytesPredicted(tokenIds, tokens)
          : this.#tokenizer?.bytesOfStream(() => this.#evaluationIds(), tokens)) ?? null,
    });
  }

  #evaluatePart(tokenIds: Uint32Array | undefined, byParts: boolean, first: number, tokens: number): PartEvaluation {
    const part = byParts ? tokenIds?.subarray(first, first + tokens + 1) : tokenIds;
    return this.#handle.call(
      [part],
      (module, trainer, [ids]) => module.evaluate(trainer, ids!, part?.length ?? 0, first, byParts ? tokens : 0),
      (answer) => {
        const [loss, perplexity, predicted, lost] = answer.numbers(0);
        const lostTokens = this.model.head?.kind === 'culled' ? { lostTokens: lost! } : {};
        return { loss: loss!, perplexity: perplexity!, tokens: predicted!, ...lostTokens };
      },
    );
  }

  /** @internal Whether it has data to train on. */
  get trains(): boolean {
    return this.#tokensPerStep > 0;
  }

  /** @internal Bytes of all checked ids but the first; null without a tokenizer, or if one of them is unknown. */
  predictedBytes(tokenIds: Uint32Array): number | null {
    return this.#tokenizer?.bytesPredicted(tokenIds, tokenIds.length - 1) ?? null;
  }

  #evaluationIds(): Uint32Array {
    return this.#handle.call(
      [],
      (module, trainer) => module.evaluationIds(trainer),
      (answer) => answer.ids(0),
    );
  }

  gradient(batch?: PairBatch | TokenPairs): GradientLedger {
    return this.#readsPairs ? this.#pairs.gradient(batch as TokenPairs) : this.#gradient(batch as PairBatch);
  }

  #gradient(batch: PairBatch | undefined): GradientLedger {
    const { inputs, targets, sequenceLength } = checkBatch(batch, this.model);
    return this.#handle.call(
      [inputs, targets],
      (module, trainer, [from, to]) => module.gradient(trainer, from!, to!, inputs?.length ?? 0, sequenceLength),
      (answer) => ledgerOf(answer, this.model),
      { inputs: 'batch.inputs', sequenceLength: 'batch.sequenceLength' },
    );
  }

  // -------------------------------------------------------------- parameters

  parameters(): ParameterInfo[] {
    return this.#parameters.infos();
  }

  matrix(name: string): Matrix {
    return this.#parameters.matrix(name);
  }

  setMatrix(name: string, matrix: Matrix): void {
    this.#parameters.set(name, matrix);
  }

  /** @internal Sets rows of a parameter from `firstRow` on, in a trainer that has done no step. `begin` must follow. */
  fill(name: string, firstRow: number, data: Float32Array): void {
    this.#parameters.fill(name, firstRow, data);
  }

  /** @internal Makes the current values those of step 0. */
  begin(): void {
    this.#parameters.begin();
  }

  // -------------------------------------------------------------- what the model computes

  nextTokenLogits(options: NextTokenOptions): Matrix {
    return this.tokens.nextToken(options, false);
  }

  nextTokenProbabilities(options: NextTokenOptions): Matrix {
    return this.tokens.nextToken(options, true);
  }

  logits(tokenIds: Uint32Array, options?: LogitsOptions): Matrix {
    return this.tokens.logits(tokenIds, options);
  }

  hiddenStates(tokenIds: Uint32Array, options?: HiddenStatesOptions): Matrix[] {
    return this.tokens.hiddenStates(tokenIds, options);
  }

  /** @internal See ReadTrainer. */
  get relaxed(): boolean {
    return this.#runtime.check().relaxed();
  }

  attention(tokenIds: Uint32Array): Attention[] {
    return this.tokens.attention(tokenIds);
  }

  // -------------------------------------------------------------- pairs

  evaluatePairs(pairs?: TokenPairs, options?: EvaluatePairsOptions): PairEvaluation {
    const checked = checkEvaluatePairs(options);
    return finishJob(this.startPairEvaluation(pairs, checked.translate), checked);
  }

  /** @internal An evaluation; the caller advances it. */
  startPairEvaluation(pairs: TokenPairs | undefined, translates: boolean): PairEvaluationRun {
    return this.#pairs.evaluation(pairs, translates);
  }

  translate(options: TranslateOptions): Translation {
    return this.#pairs.translate(options);
  }

  pairLogits(pair: PairInput): Matrix {
    return this.#pairs.logits(pair);
  }

  pairAttention(pair: PairInput): PairAttentions {
    return this.#pairs.attention(pair);
  }

  // -------------------------------------------------------------- writing

  generate(options: GenerateOptions): Generation {
    const checked = checkGenerate(options);
    const { onTokens, signal } = checked;
    const generation = this.startGeneration(checked);
    try {
      if (signal?.aborted) throw generation.cancelled(signal.reason);
      const most = onTokens ? 1 : Infinity;
      while (!generation.finished) {
        generation.take(most);
        if (onTokens) onTokens(...generation.news()!);
        if (signal?.aborted && !generation.finished) throw generation.cancelled(signal.reason);
      }
      return generation.result();
    } finally {
      generation.end();
    }
  }

  /** @internal A generation; the caller advances and ends it. */
  startGeneration(checked: CheckedGenerate): TextGeneration {
    return this.#generations.start(checked);
  }

  /** @internal Throws if the attached bytes are not a tokenizer, or have another vocabulary size. */
  checkTokenizer(argument: string): void {
    this.#tokenizer?.check(argument, this.model.vocabSize);
  }

  tokenizer(): Tokenizer | null {
    this.#handle.check();
    return this.#tokenizer?.open() ?? null;
  }

  // -------------------------------------------------------------- files

  save(): FileBytes {
    return finishJob(this.startFile('save'), {});
  }

  toSafetensors(): FileBytes {
    return finishJob(this.startFile('toSafetensors'), {});
  }

  toGguf(options?: GgufOptions): FileBytes {
    return finishJob(this.startGguf(options), {});
  }

  /** @internal The work of `toGguf`, advanced and ended by the caller. */
  startGguf(options?: GgufOptions): GgufWriting {
    const { type } = checkGguf(options);
    return new GgufWriting(this.#written(), type);
  }

  toTransformers(): TransformersFiles {
    return finishJob(this.startTransformers(), {});
  }

  /** @internal The work of `toTransformers`, advanced and ended by the caller. */
  startTransformers(): TransformersWriting {
    return new TransformersWriting(this.#written());
  }

  #written(): WrittenSubject {
    return {
      model: this.model,
      parameters: () => this.parameters(),
      matrix: (name: string) => this.matrix(name),
      savedTokenizer: () => this.#tokenizer?.bytes ?? null,
    };
  }

  /** @internal The work of this verb, advanced and ended by the caller. It outlives the handle. */
  startFile(verb: 'save' | 'toSafetensors'): FileWriting {
    this.#handle.check();
    this.modules.checkPart('files', this.#runtime);
    const isSafetensors = verb === 'toSafetensors';
    const tokenizer = isSafetensors ? (this.#tokenizer?.bytes ?? null) : null;
    return new FileWriting(this.#runtime, this.#handle, isSafetensors, tokenizer);
  }

  dispose(): void {
    this.sequences.forget();
    this.#generations.endAll();
    this.#tokenizer?.dispose();
    this.#handle.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
