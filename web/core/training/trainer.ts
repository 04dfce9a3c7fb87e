/** The trainer handle with its verbs. */
import { bindMethods } from '../runtime/bind-methods.js';
import { readsPairs, type HeldTrainer, type Partners } from './held-trainer.js';
import { AttachedTokenizer, type OpenTokenizer } from '../text/attached-tokenizer.js';
import { trainerFacts } from '../model/option-numbers.js';
import { checkBatch } from './pair-batch.js';
import type { FindModule } from '../runtime/running-modules.js';
import { ReadSequences } from '../diagnostics/read-sequences.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import { disposeSymbol } from '../runtime/symbols.js';
import { Remembered } from './remembered.js';
import { TRAINER_WORK } from './trainer-verbs.js';
import { withVerbs } from '../runtime/verb.js';
import { ledgerOf, withKept } from './trainer-answers.js';
import { TrainerPairs } from './trainer-pairs.js';
import { TrainerParameters } from './trainer-parameters.js';
import { TrainerTokens } from './trainer-tokens.js';
import type {
  Attention,
  GradientLedger,
  HiddenStatesOptions,
  LogitsOptions,
  Matrix,
  ModelConfig,
  NextTokenOptions,
  PairAttentions,
  PairBatch,
  PairInput,
  ParameterInfo,
  Tokenizer,
  TokenPairs,
  Trainer,
  TrainingConfig,
  TranslateOptions,
  Translation,
} from '../types.js';
import type { CoreModule, HandleAddress } from '../runtime/wasm-module.js';

type Declared = Pick<Trainer, keyof typeof TRAINER_WORK>;

export class CoreTrainer extends withVerbs<Declared>(TRAINER_WORK) implements Trainer, HeldTrainer {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  // See HeldTrainer and ReadTrainer, for its verbs.
  /** @internal */
  readonly runtime: Runtime<CoreModule>;
  /** @internal */
  readonly handle: Handle<CoreModule>;
  /** @internal */
  readonly modules: FindModule;
  /** @internal */
  readonly attached: AttachedTokenizer | null;
  /** @internal */
  readonly tokensPerStep: number;
  /** @internal */
  readonly generations = new Set<Handle<CoreModule>>();
  /** @internal */
  changes = 0;
  /** @internal */
  partners: Partners | null = null;
  /** @internal */
  readonly tokens: TrainerTokens;
  /** @internal */
  readonly pairs: TrainerPairs;
  /** @internal */
  readonly remembered = new Remembered(() => this.changes);
  /** @internal */
  readonly sequences = new ReadSequences();
  readonly #parameters: TrainerParameters;

  constructor(runtime: Runtime<CoreModule>, address: HandleAddress, openTokenizer: OpenTokenizer, modules: FindModule) {
    super();
    this.runtime = runtime;
    this.modules = modules;
    this.handle = new Handle(runtime, 'trainer', address, (module, trainer) => module.deleteTrainer(trainer));
    const { model, training, tokensPerStep } = this.handle.call(
      [],
      (module, trainer) => module.trainerOptions(trainer),
      trainerFacts,
    );
    // The core returns the fields of the model's kind.
    this.model = withKept(model as ModelConfig, this.handle);
    this.training = training;
    this.tokensPerStep = tokensPerStep;
    const kept = this.handle.call(
      [],
      (module, trainer) => module.attachment(trainer),
      (answer) => answer.bytes(),
    );
    this.attached = kept.length === 0 ? null : new AttachedTokenizer(kept, openTokenizer);
    this.#parameters = new TrainerParameters(this.handle, () => this.change());
    this.tokens = new TrainerTokens(this.handle, this.model, this.sequences);
    this.pairs = new TrainerPairs({ handle: this.handle, model: this.model, tokenizer: this.attached });
    bindMethods(this);
  }

  get step(): number {
    return this.handle.get((module, trainer) => module.stepsDone(trainer));
  }

  get threads(): number {
    return 1 + (this.partners?.size ?? 0);
  }

  get tyingChangedAt(): number | null {
    return this.handle.get((module, trainer) => module.tyingChangedAt(trainer)) || null;
  }

  get tyingChanges(): readonly number[] {
    if (!Array.isArray(this.model.tying)) return this.tyingChangedAt === null ? [] : [this.tyingChangedAt];
    return this.handle.call(
      [],
      (module, trainer) => module.tyingChanges(trainer),
      (answer) => [...answer.read('numbers')],
    );
  }

  /** @internal Call this before parameters change. */
  change(): void {
    this.changes++;
    this.sequences.forget();
  }

  /** @internal Whether it has data to train on. */
  get trains(): boolean {
    return this.tokensPerStep > 0;
  }

  /** @internal Bytes of all checked ids but the first; null without a tokenizer, or if one of them is unknown. */
  predictedBytes(tokenIds: Uint32Array): number | null {
    return this.attached?.bytesPredicted(tokenIds, tokenIds.length - 1) ?? null;
  }

  gradient(batch?: PairBatch | TokenPairs): GradientLedger {
    return readsPairs(this) ? this.pairs.gradient(batch as TokenPairs) : this.#gradient(batch as PairBatch);
  }

  #gradient(batch: PairBatch | undefined): GradientLedger {
    const { inputs, targets, sequenceLength } = checkBatch(batch, this.model);
    return this.handle.call(
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
    return this.runtime.check().relaxed();
  }

  attention(tokenIds: Uint32Array): Attention[] {
    return this.tokens.attention(tokenIds);
  }

  // -------------------------------------------------------------- pairs

  translate(options: TranslateOptions): Translation {
    return this.pairs.translate(options);
  }

  pairLogits(pair: PairInput): Matrix {
    return this.pairs.logits(pair);
  }

  pairAttention(pair: PairInput): PairAttentions {
    return this.pairs.attention(pair);
  }

  /** @internal Throws if the attached bytes are not a tokenizer, or have another vocabulary size. */
  checkTokenizer(argument: string): void {
    this.attached?.check(argument, this.model.vocabSize);
  }

  tokenizer(): Tokenizer | null {
    this.handle.check();
    return this.attached?.open() ?? null;
  }

  dispose(): void {
    this.partners?.end();
    this.sequences.forget();
    for (const generation of this.generations) generation.dispose();
    this.generations.clear();
    this.attached?.dispose();
    this.handle.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
