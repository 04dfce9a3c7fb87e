/** The synchronous verbs: they check their arguments, copy them into the core and return copies. */
import { BIGRAM_BOUNDS, FIT_BOUNDS } from './generated/records.js';
import { adviseTying, countKnown } from './accounting/advise-tying.js';
import { CORE_WORK } from './api/core-verbs.js';
import { withVerbs } from './runtime/verb.js';
import { bindMethods } from './runtime/bind-methods.js';
import { countBigrams } from './text/bigram-counting.js';
import { cardOf } from './diagnostics/model-card/card-of.js';
import { CoreTableSums, type TableSumsOptions } from './checkpoint/card/table-sums.js';
import type { BlankOptions } from './checkpoint/model-host.js';
import { checkpointOf, type OpeningArguments } from './checkpoint/opening.js';
import { decodeStored, decoderOfCore, type StoredElements } from './checkpoint/verbs.js';
import { checkCompare, checkControls } from './training/compare-options.js';
import { CoreComparison } from './training/comparison.js';
import { copyData } from './runtime/copy-data.js';
import { CoreCorpus, type SharedCorpus } from './text/corpus.js';
import { countCompute } from './accounting/count-compute.js';
import { countParameters } from './accounting/count-parameters.js';
import { TrainerFactory } from './training/create-trainer.js';
import { neighbors, normFrequency } from './diagnostics/diagnostics.js';
import {
  checkFactors,
  checkSymmetryOptions,
  directPath,
  directPathSymmetry,
  solveUnembedding,
  symmetry,
} from './direct-path/direct-path.js';
import { invalidArgument } from './runtime/errors.js';
import type * as KindsAndModels from './accounting/kinds-and-models.js';
import {
  TOKENIZER_FORMATS,
  tokenizerFile,
  type LoadTokenizerOptions,
  type TokenizerFile,
} from './text/load-tokenizer.js';
import { markovBounds, randomMarkovChain, type MarkovChainOptions } from './text/markov-chains.js';
import { checkIdsBelow } from './model/options.js';
import { openFile, READABLE } from './training/open-file.js';
import { atOnce } from './runtime/work.js';
import { encodePairs, parsePairs, textOfPairs, writePairs } from './text/pair-texts.js';
import type { RunningModules } from './runtime/running-modules.js';
import { sizedBy } from './runtime/answer.js';
import type { Runtime } from './runtime/runtime.js';
import { disposeSymbol } from './runtime/symbols.js';
import { CoreTokenizer } from './text/tokenizer.js';
import type { CoreTrainer } from './training/trainer.js';
import type {
  Architecture,
  Batch,
  BigramBounds,
  Bigrams,
  Checkpoint,
  CompareControls,
  CompareOptions,
  Comparison,
  ComputeCount,
  Core,
  Corpus,
  DirectPathFactors,
  EncodedPairs,
  EncodePairsOptions,
  ExperimentOptions,
  ExperimentRecords,
  ExperimentSpec,
  FitBounds,
  IdentityCard,
  IdentityCardOptions,
  ImportedModel,
  KnownModel,
  MarkovBounds,
  Matrix,
  MemoryEstimate,
  ModelCard,
  ModelCardOptions,
  ModelConfig,
  Neighbor,
  NeighborOptions,
  NormFrequency,
  PairTaskOptions,
  ParameterCount,
  RunnableCheckpoint,
  Simd,
  Symmetry,
  SymmetryOptions,
  TableTying,
  TextPair,
  Tokenizer,
  Trainer,
  TrainerOptions,
  TrainingConfig,
  TyingAdvice,
  TyingContext,
} from './types.js';
import { checkMatrix, checkTokenIds, checkInteger } from './runtime/validate.js';
import { VERSION } from './runtime/version.js';
import type { Address, AnalysisModule } from './runtime/wasm-module.js';

type Declared = Pick<Core, keyof typeof CORE_WORK>;

export class TiedCore extends withVerbs<Declared>(CORE_WORK) implements Core {
  readonly version = VERSION;
  readonly simd: Simd;
  /** Text and direct paths. Each module has its own memory. */
  readonly #analysis: Runtime<AnalysisModule>;
  /** @internal All modules, including the optional ones. */
  readonly modules: RunningModules;
  /** @internal */
  readonly trainers: TrainerFactory;
  readonly #kinds: typeof KindsAndModels | null;

  /** `kinds`: null in a lab's worker, which is never asked for them (web/worker/lab-kinds.ts). */
  constructor(modules: RunningModules, kinds: typeof KindsAndModels | null = null) {
    super();
    this.simd = modules.simd;
    this.modules = modules;
    this.#kinds = kinds;
    this.#analysis = modules.get('analysis');
    this.trainers = new TrainerFactory(
      modules.get('core'),
      (bytes) => this.#openTokenizer(bytes, 'tied-embeddings'),
      modules,
    );
    bindMethods(this);
  }

  // -------------------------------------------------------------- direct path and symmetry

  directPath(factors: DirectPathFactors): Matrix {
    return directPath(this.#analysis, checkFactors(factors));
  }

  symmetry(square: Matrix, options: SymmetryOptions = {}): Symmetry {
    return symmetry(this.#analysis, checkMatrix('square', square, { square: true }), checkSymmetryOptions(options));
  }

  directPathSymmetry(factors: DirectPathFactors, options: SymmetryOptions = {}): Symmetry {
    return directPathSymmetry(this.#analysis, checkFactors(factors), checkSymmetryOptions(options));
  }

  solveUnembedding(options: { embedding: Matrix; target: Matrix }): Matrix {
    return solveUnembedding(this.#analysis, options);
  }

  fitBounds(target: Matrix, dModel: number): FitBounds {
    const { rows, data } = checkMatrix('target', target, { square: true });
    checkInteger('dModel', dModel, 1);
    return this.#analysis.call(
      [data],
      (module, [address]) => module.fitBounds(address!, rows, dModel),
      (answer) => answer.read(FIT_BOUNDS),
      sizedBy('target'),
    );
  }

  bigramBounds(counts: Matrix): BigramBounds {
    const { rows, data } = checkMatrix('counts', counts, { square: true });
    const verb = (module: AnalysisModule, [address]: Address[]): boolean => module.bigramBounds(address!, rows);
    return this.#analysis.call([data], verb, (answer) => answer.read(BIGRAM_BOUNDS), sizedBy('counts'));
  }

  // -------------------------------------------------------------- text

  /** @internal A corpus that another core shared. */
  adoptCorpus({ tokenizer, ...data }: SharedCorpus): CoreCorpus {
    return new CoreCorpus(this.#analysis, data, tokenizer && this.#openTokenizer(tokenizer, 'tied-embeddings'));
  }

  loadTokenizer(bytes: Uint8Array, options: LoadTokenizerOptions): Tokenizer {
    const { file, format, given } = tokenizerFile(bytes, options);
    if (given === 'gpt2') return this.#openTokenizer(file, format);
    const expected = given === 'llama2c' ? READABLE.llama2cTokenizer : READABLE.tokenizer;
    return openFile(file, expected, () => this.#openTokenizer(file, format));
  }

  #openTokenizer(bytes: Uint8Array, format: TokenizerFile['format']): CoreTokenizer {
    return this.#analysis.call(
      [bytes],
      (module, [address]) => module.loadTokenizer(address!, bytes.length, TOKENIZER_FORMATS.indexOf(format)),
      (_, tokenizer) => new CoreTokenizer(this.#analysis, tokenizer),
      { ...sizedBy('bytes'), 'tokenizer file': 'bytes' },
    );
  }

  bigrams(tokenIds: Uint32Array, vocabSize: number): Bigrams {
    const ids = checkTokenIds('tokenIds', tokenIds, 2);
    checkInteger('vocabSize', vocabSize, 2);
    checkIdsBelow('tokenIds', ids, vocabSize);
    return atOnce(countBigrams(this.#analysis, ids, vocabSize, false)).table;
  }

  writePairs(options: PairTaskOptions): TextPair[] {
    return writePairs(this.modules.get('stories'), options);
  }

  parsePairs(text: string): TextPair[] {
    this.modules.checkLive();
    return parsePairs(text);
  }

  pairTokenizer(pairs: readonly TextPair[]): Tokenizer {
    return this.trainTokenizer(textOfPairs('pairs', pairs), { kind: 'character' });
  }

  encodePairs(options: EncodePairsOptions): EncodedPairs {
    return encodePairs(options);
  }

  randomMarkovChain(options: MarkovChainOptions): Matrix {
    return randomMarkovChain(this.#analysis, options);
  }

  markovBounds(transition: Matrix): MarkovBounds {
    return markovBounds(this.#analysis, transition);
  }

  // -------------------------------------------------------------- training

  createTrainer(options: TrainerOptions): Trainer {
    return this.trainers.create(options);
  }

  async runExperiment(spec: ExperimentSpec, options?: ExperimentOptions): Promise<ExperimentRecords> {
    // Copied before the first await, so later changes to the caller's object have no effect.
    const copied = copyData(spec) as ExperimentSpec;
    const { hostOfCore, runExperiment } = await import('./experiment-runner.js');
    return runExperiment({ cores: 1, open: () => Promise.resolve([hostOfCore(this)]) }, copied, options);
  }

  async openCheckpoint(...opening: OpeningArguments): Promise<RunnableCheckpoint> {
    this.modules.check('checkpoint');
    this.modules.checkLive();
    return checkpointOf(decoderOfCore(this), ...opening);
  }

  /** @internal For `toTrainer` of a checkpoint. */
  startModel(options: BlankOptions): CoreTrainer {
    return this.trainers.blank(options);
  }

  modelCard(model: Pick<Trainer, 'modelCard'>, options: ModelCardOptions): ModelCard;
  modelCard(model: Pick<Checkpoint, 'identityCard'>, options?: IdentityCardOptions): Promise<IdentityCard>;
  modelCard(model: object, options?: object): unknown {
    return cardOf(model, options);
  }

  /** @internal For identity cards. */
  startTableSums(options: TableSumsOptions): CoreTableSums {
    return new CoreTableSums(this.modules.get('checkpoint'), options);
  }

  decodeElements(...stored: StoredElements): Float32Array {
    return decodeStored(this.modules.get('checkpoint'), ...stored);
  }

  compare<Name extends string>(
    corpus: Corpus,
    options: CompareOptions<Name>,
    controls: CompareControls<Name> = {},
  ): Comparison<Name> {
    if (!CoreCorpus.is(corpus)) throw invalidArgument('corpus', corpus, 'a corpus of this core');
    const checked = checkCompare(options, corpus.vocabSize);
    // Frames have exactly the arms that were given.
    const listened = checkControls(controls as CompareControls);
    const comparison: Comparison = new CoreComparison(this.trainers.compared(corpus, checked), checked, listened);
    return comparison as Comparison<Name>;
  }

  /** @internal For other workers: see TrainerFactory. */
  loadCopy(file: Uint8Array): CoreTrainer {
    return this.trainers.loadCopy(file);
  }

  loadModel(bytes: Uint8Array, options: Parameters<Core['loadModel']>[1]): Trainer {
    return this.trainers.loadModel(bytes, options);
  }

  estimateMemory(model: ModelConfig, training: TrainingConfig): MemoryEstimate {
    return this.trainers.estimateMemory(model, training);
  }

  // -------------------------------------------------------------- diagnostics

  neighbors(table: Matrix, row: number | Float32Array, options?: NeighborOptions): Neighbor[] {
    return neighbors(this.modules.get('diagnostics'), table, row, options);
  }

  normFrequency(table: Matrix, counts: Uint32Array): NormFrequency {
    return normFrequency(this.modules.get('diagnostics'), table, counts);
  }

  // -------------------------------------------------------------- accounting

  countParameters(architecture: Architecture, tying?: TableTying): ParameterCount {
    return countParameters(this.modules.get('accounting'), architecture, tying);
  }

  countCompute(architecture: Architecture, batch: Batch): ComputeCount {
    return countCompute(this.modules.get('accounting'), architecture, batch);
  }

  adviseTying(architecture: Architecture, context?: TyingContext): TyingAdvice {
    const accounting = this.modules.get('accounting');
    if (this.#kinds) countKnown(accounting, this.#kinds.knownModels);
    return adviseTying(accounting, architecture, context);
  }

  /** @internal What a core without them compares models with. */
  adoptModels(models: readonly KnownModel[]): void {
    countKnown(this.modules.get('accounting'), () => models);
  }

  knownModels(): KnownModel[] {
    this.modules.checkLive();
    return this.#kinds!.knownModels();
  }

  importConfig(config: string | object): ImportedModel {
    this.modules.checkLive();
    return this.#kinds!.importConfig(config);
  }

  dispose(): void {
    this.modules.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
