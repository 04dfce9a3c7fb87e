/** The synchronous verbs: they check their arguments, copy them into the core and return copies. */
import { adviseTying } from './advise-tying.js';
import { bindMethods } from './bind-methods.js';
import { BigramTable } from './bigram-table.js';
import { checkCompare, checkControls } from './compare-options.js';
import { CoreComparison, type ComparedTrainer } from './comparison.js';
import {
  checkCorpusOptions,
  CoreCorpus,
  CorpusOpening,
  idsOfSource,
  refuseBlob,
  type CheckedCorpus,
  type SharedCorpus,
} from './corpus.js';
import { countCompute } from './count-compute.js';
import { countParameters } from './count-parameters.js';
import { TrainerFactory } from './create-trainer.js';
import { invalidArgument } from './errors.js';
import { importConfig } from './import-config.js';
import { checkIrreversibility, IrreversibilityRun, type CheckedIrreversibility } from './irreversibility.js';
import { knownModels } from './known-models/known-models.js';
import { ALPHABETS, completeTokenizer, TOKENIZER_FORMATS, TOKENIZER_KINDS, type TokenizerFormat } from './options.js';
import { finishJob } from './pace.js';
import type { RunningModules } from './running-modules.js';
import type { Answer, Runtime } from './runtime.js';
import { disposeSymbol } from './symbols.js';
import { TextWork } from './text-work.js';
import { CoreTokenizer } from './tokenizer.js';
import type {
  Architecture,
  Batch,
  BigramBounds,
  Bigrams,
  CompareControls,
  CompareOptions,
  ComputeCount,
  Core,
  Corpus,
  CorpusInput,
  CorpusOptions,
  DirectPathFactors,
  FitBounds,
  ImportedModel,
  Irreversibility,
  IrreversibilityOptions,
  KnownModel,
  MarkovBounds,
  Matrix,
  MemoryEstimate,
  ModelConfig,
  ParameterCount,
  Simd,
  Symmetry,
  SymmetryOptions,
  TableTying,
  Tokenizer,
  TokenizerOptions,
  Trainer,
  TrainerOptions,
  TrainingConfig,
  TyingAdvice,
  TyingContext,
} from './types.js';
import {
  checkBytes,
  checkChoice,
  checkElements,
  checkMatrix,
  checkNotNegative,
  checkOptions,
  checkRange,
  checkSeed,
  checkText,
  checkTokenIds,
  checkInteger,
} from './validate.js';
import { VERSION } from './version.js';
import type { AnalysisModule } from './wasm-module.js';

/** Upper limit of `options.worst`. */
const MAX_SYMMETRY_PAIRS = 10_000;
/** Numbers before the list of the worst pairs. */
const SYMMETRY_NUMBERS = 7;

export class TiedCore implements Core {
  readonly version = VERSION;
  readonly simd: Simd;
  /** Text and direct paths. Each module has its own memory. */
  readonly #analysis: Runtime<AnalysisModule>;
  /** All modules, including the optional ones. */
  readonly #modules: RunningModules;
  readonly #trainers: TrainerFactory;

  constructor(modules: RunningModules) {
    this.simd = modules.simd;
    this.#modules = modules;
    this.#analysis = modules.get('analysis');
    this.#trainers = new TrainerFactory(modules.get('core'), (bytes) => this.#openTokenizer(bytes, 'tied-embeddings'));
    bindMethods(this);
  }

  // -------------------------------------------------------------- direct path and symmetry

  directPath(factors: DirectPathFactors): Matrix {
    const { embedding, unembedding, between } = checkFactors(factors);
    const { rows, cols } = embedding;
    return this.#analysis.call(
      [embedding.data, unembedding?.data, between?.data],
      (module, [e, u, m]) => module.directPath(e!, u!, m!, rows, cols),
      (answer) => ({ rows, cols: rows, data: answer.floats(0) }),
    );
  }

  symmetry(square: Matrix, options: SymmetryOptions = {}): Symmetry {
    const { rows, data } = checkMatrix('square', square, { square: true });
    const { tolerance, worst } = checkSymmetryOptions(options);
    return this.#analysis.call(
      [data],
      (module, [address]) => module.symmetry(address!, rows, tolerance, worst),
      symmetryOf,
    );
  }

  directPathSymmetry(factors: DirectPathFactors, options: SymmetryOptions = {}): Symmetry {
    const { embedding, unembedding, between } = checkFactors(factors);
    const { rows, cols } = embedding;
    const { tolerance, worst } = checkSymmetryOptions(options);
    return this.#analysis.call(
      [embedding.data, unembedding?.data, between?.data],
      (module, [e, u, m]) => module.directPathSymmetry(e!, u!, m!, rows, cols, tolerance, worst),
      symmetryOf,
    );
  }

  solveUnembedding(options: { embedding: Matrix; target: Matrix }): Matrix {
    const given = checkOptions('options', options, ['embedding', 'target']);
    const { rows, cols, data: embedding } = checkMatrix('options.embedding', given.embedding);
    const { data: target } = checkMatrix('options.target', given.target, { rows, cols: rows });
    return this.#analysis.call(
      [embedding, target],
      (module, [e, t]) => module.solveUnembedding(e!, t!, rows, cols),
      (answer) => ({ rows, cols, data: answer.floats(0) }),
      { embedding: 'options.embedding', target: 'options.target' },
    );
  }

  fitBounds(target: Matrix, dModel: number): FitBounds {
    const { rows, data } = checkMatrix('target', target, { square: true });
    checkInteger('dModel', dModel, 1);
    return this.#analysis.call(
      [data],
      (module, [address]) => module.fitBounds(address!, rows, dModel),
      (answer) => {
        const [untied, tied, symmetric, skew] = answer.numbers(0);
        return { untied: untied!, tied: tied!, symmetric: symmetric!, skew: skew! };
      },
    );
  }

  bigramBounds(counts: Matrix): BigramBounds {
    const { rows, data } = checkMatrix('counts', counts, { square: true });
    return this.#analysis.call([data], (module, [address]) => module.bigramBounds(address!, rows), boundsOf);
  }

  irreversibility(counts: Matrix, options?: IrreversibilityOptions): Irreversibility {
    const checked = checkIrreversibility(options);
    return finishJob(this.startIrreversibility(counts, checked), checked);
  }

  /** @internal The work of it, to be advanced and ended by the caller. */
  startIrreversibility(counts: Matrix, options: CheckedIrreversibility): IrreversibilityRun {
    return new IrreversibilityRun(this.#analysis, checkMatrix('counts', counts, { square: true }), options);
  }

  // -------------------------------------------------------------- text

  trainTokenizer(text: string, options: TokenizerOptions): Tokenizer {
    const bytes = checkText('text', text);
    const { kind, vocabSize, alphabet } = completeTokenizer(options);
    return this.#analysis.call(
      [bytes],
      (module, [address]) =>
        module.trainTokenizer(
          address!,
          bytes.length,
          TOKENIZER_KINDS.indexOf(kind),
          vocabSize,
          ALPHABETS.indexOf(alphabet),
        ),
      (_, tokenizer) => new CoreTokenizer(this.#analysis, tokenizer),
      { vocabSize: 'options.vocabSize' },
    );
  }

  openCorpus(source: CorpusInput, options: CorpusOptions = {}): CoreCorpus {
    refuseBlob(source);
    const checked = checkCorpusOptions(source, options);
    return finishJob(this.startCorpus(source, checked), checked);
  }

  /** @internal Opens a corpus in parts; the caller advances and ends the work. */
  startCorpus(source: CorpusInput, { tokenizer, vocabSize, validation }: CheckedCorpus): CorpusOpening {
    if (vocabSize !== null) {
      return new CorpusOpening(this, { ids: idsOfSource(source, vocabSize), vocabSize }, validation);
    }
    const { kind, vocabSize: most, alphabet } = tokenizer!;
    if (typeof source !== 'string') throw invalidArgument('source', source, 'a string or a Uint32Array of token ids');
    const bytes = checkText('source', source);
    const names = { text: 'source', vocabSize: 'options.tokenizer.vocabSize' };
    const address = this.#analysis.call(
      [bytes],
      (module, [text]) =>
        module.startLearning(
          text!,
          bytes.length,
          TOKENIZER_KINDS.indexOf(kind),
          most,
          ALPHABETS.indexOf(alphabet),
          true,
        ),
      (_, work) => work,
      names,
    );
    const work = new TextWork(this.#analysis, address, names);
    const open = (made: number): CoreTokenizer => new CoreTokenizer(this.#analysis, made);
    return new CorpusOpening(this, { characters: source.length, work, tokenizer: open }, validation);
  }

  /** @internal A corpus that another core shared. */
  adoptCorpus({ tokenizer, ...data }: SharedCorpus): CoreCorpus {
    return new CoreCorpus(this, data, tokenizer && this.#openTokenizer(tokenizer, 'tied-embeddings'));
  }

  loadTokenizer(bytes: Uint8Array, options: { format: TokenizerFormat }): Tokenizer {
    const file = checkBytes('bytes', bytes);
    const { format } = checkOptions('options', options, ['format']);
    return this.#openTokenizer(file, checkChoice('options.format', format, TOKENIZER_FORMATS));
  }

  #openTokenizer(bytes: Uint8Array, format: TokenizerFormat): CoreTokenizer {
    return this.#analysis.call(
      [bytes],
      (module, [address]) => module.loadTokenizer(address!, bytes.length, TOKENIZER_FORMATS.indexOf(format)),
      (_, tokenizer) => new CoreTokenizer(this.#analysis, tokenizer),
      { 'tokenizer file': 'bytes' },
    );
  }

  bigrams(tokenIds: Uint32Array, vocabSize: number): Bigrams {
    const ids = checkTokenIds('tokenIds', tokenIds, 2);
    checkInteger('vocabSize', vocabSize, 2);
    return this.#analysis.call(
      [ids],
      (module, [address]) => module.bigrams(address!, ids.length, vocabSize),
      (answer) => {
        const counts = { rows: vocabSize, cols: vocabSize, data: answer.floats(0) };
        const [total, asymmetry] = answer.numbers(1);
        return new BigramTable({ counts, total: total!, asymmetry: asymmetry! });
      },
      { ids: 'tokenIds' },
    );
  }

  writeStories(options: { seed: number; length: number }): string {
    const { seed, length } = checkOptions('options', options, ['seed', 'length']);
    checkSeed('options.seed', seed);
    checkInteger('options.length', length, 1);
    return this.#modules.get('stories').call(
      [],
      (module) => module.writeStories(seed, length),
      (answer) => answer.text(0, 'options.length', length),
      { atLeastCharacters: 'options.length' },
    );
  }

  randomMarkovChain(options: { states: number; seed: number; concentration?: number }): Matrix {
    const { states, seed, concentration = 0.3 } = checkOptions('options', options, ['states', 'seed', 'concentration']);
    checkInteger('options.states', states, 2);
    checkSeed('options.seed', seed);
    checkRange('options.concentration', concentration, 1e-3, 1e6);
    return this.#analysis.call(
      [],
      (module) => module.randomMarkovChain(states, seed, concentration),
      (answer) => ({ rows: states, cols: states, data: answer.floats(0) }),
      { states: 'options.states', concentration: 'options.concentration' },
    );
  }

  sampleMarkovChain(options: { transition: Matrix; length: number; seed: number }): Uint32Array {
    const given = checkOptions('options', options, ['transition', 'length', 'seed']);
    const { rows, data } = checkMatrix('options.transition', given.transition, { square: true });
    const length = checkInteger('options.length', given.length, 1);
    const seed = checkSeed('options.seed', given.seed);
    checkElements('the sample', length, 1);
    return this.#analysis.call(
      [data],
      (module, [address]) => module.sampleMarkovChain(address!, rows, length, seed),
      (answer) => answer.ids(0),
      { transition: 'options.transition', length: 'options.length' },
    );
  }

  markovBounds(transition: Matrix): MarkovBounds {
    const { rows, data } = checkMatrix('transition', transition, { square: true });
    return this.#analysis.call(
      [data],
      (module, [address]) => module.markovBounds(address!, rows),
      (answer) => ({ ...boundsOf(answer), stationary: answer.floats(1) }),
      { joint: 'transition' },
    );
  }

  // -------------------------------------------------------------- training

  createTrainer(options: TrainerOptions): Trainer {
    return this.#trainers.create(options);
  }

  compare(corpus: Corpus, options: CompareOptions, controls: CompareControls = {}): CoreComparison {
    if (!CoreCorpus.is(corpus)) throw invalidArgument('corpus', corpus, 'a corpus of this core');
    const checked = checkCompare(options, corpus.vocabSize);
    const listened = checkControls(controls);
    const arms: ComparedTrainer[] = [];
    try {
      for (const arm of checked.arms) arms.push(this.#trainers.compared(corpus, arm, checked.measureTokens));
      return new CoreComparison(arms, checked, listened);
    } catch (error) {
      for (const { trainer } of arms) trainer.dispose();
      throw error;
    }
  }

  loadTrainer(bytes: Uint8Array): Trainer {
    return this.#trainers.load(bytes);
  }

  loadModel(bytes: Uint8Array, options: Parameters<Core['loadModel']>[1]): Trainer {
    return this.#trainers.loadModel(bytes, options);
  }

  estimateMemory(model: ModelConfig, training: TrainingConfig): MemoryEstimate {
    return this.#trainers.estimateMemory(model, training);
  }

  // -------------------------------------------------------------- accounting

  countParameters(architecture: Architecture, tying?: TableTying): ParameterCount {
    return countParameters(this.#modules.get('accounting'), architecture, tying);
  }

  countCompute(architecture: Architecture, batch: Batch): ComputeCount {
    return countCompute(this.#modules.get('accounting'), architecture, batch);
  }

  adviseTying(architecture: Architecture, context?: TyingContext): TyingAdvice {
    return adviseTying(this.#modules.get('accounting'), architecture, context);
  }

  knownModels(): KnownModel[] {
    return knownModels();
  }

  importConfig(config: string | object): ImportedModel {
    return importConfig(config);
  }

  dispose(): void {
    this.#modules.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

function checkFactors(factors: DirectPathFactors): DirectPathFactors {
  const given = checkOptions('factors', factors, ['embedding', 'unembedding', 'between']);
  const embedding = checkMatrix('embedding', given.embedding);
  const { rows, cols } = embedding;
  const checked: DirectPathFactors = { embedding };
  if (given.unembedding !== undefined)
    checked.unembedding = checkMatrix('unembedding', given.unembedding, { rows, cols });
  if (given.between !== undefined) checked.between = checkMatrix('between', given.between, { rows: cols, cols });
  return checked;
}

function checkSymmetryOptions(options: SymmetryOptions): Required<SymmetryOptions> {
  const { tolerance = 0, worst = 0 } = checkOptions('options', options, ['tolerance', 'worst']);
  return {
    tolerance: checkNotNegative('options.tolerance', tolerance),
    worst: checkInteger('options.worst', worst, 0, MAX_SYMMETRY_PAIRS),
  };
}

/** Reads symmetric, whether pairs were compared, maxDifference, asymmetry and three norms; then 4 numbers per pair. */
function symmetryOf(answer: Answer): Symmetry {
  const numbers = answer.numbers(0);
  const [symmetric, compared, maxDifference, asymmetry, norm, symmetricNorm, skewNorm] = numbers;
  const symmetry: Symmetry = {
    symmetric: symmetric === 1,
    maxDifference: compared === 1 ? maxDifference! : null,
    asymmetry: asymmetry!,
    norm: norm!,
    symmetricNorm: symmetricNorm!,
    skewNorm: skewNorm!,
    worst: [],
  };
  for (let i = SYMMETRY_NUMBERS; i < numbers.length; i += 4) {
    const [row, col, forward, backward] = numbers.subarray(i, i + 4);
    symmetry.worst.push({ row: row!, col: col!, forward: forward!, backward: backward! });
  }
  return symmetry;
}

function boundsOf(answer: Answer): BigramBounds {
  const [unigram, bigram, symmetricLogits] = answer.numbers(0);
  return { unigram: unigram!, bigram: bigram!, symmetricLogits: symmetricLogits! };
}
