/** The synchronous verbs: arguments are checked, copied into the core, and what comes back is a copy as well. */
import { BigramTable } from './bigram-table.js';
import { invalidArgument } from './errors.js';
import { completeModel, completeTokenizer, completeTraining, TOKENIZER_KINDS } from './options.js';
import type { Runtime } from './runtime.js';
import { disposeSymbol } from './symbols.js';
import { CoreTokenizer } from './tokenizer.js';
import { CoreTrainer, modelNumbers, trainingNumbers } from './trainer.js';
import type {
  BigramBounds,
  Bigrams,
  Core,
  DirectPathFactors,
  FitBounds,
  MarkovBounds,
  Matrix,
  MemoryEstimate,
  ModelConfig,
  Symmetry,
  SymmetryOptions,
  Tokenizer,
  TokenizerOptions,
  Trainer,
  TrainerOptions,
  TrainingConfig,
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
  checkString,
  checkTokenIds,
  checkWhole,
  newFloats,
} from './validate.js';
import { VERSION } from './version.js';

/** The longest list of pairs that `worst` asks for. */
const MOST_SYMMETRY_PAIRS = 10_000;
const NO_IDS = new Uint32Array(0);
/** Before the worst pairs: symmetric, maxDifference, asymmetry, norm, symmetricNorm, skewNorm. */
const SYMMETRY_NUMBERS = 6;

export class TiedCore implements Core {
  readonly version = VERSION;
  readonly simd = 'simd128';
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  // -------------------------------------------------------------- direct path and symmetry

  directPath(factors: DirectPathFactors): Matrix {
    const { embedding, unembedding, between } = checkFactors(factors);
    const { rows, cols } = embedding;
    const data = newFloats('the direct path', rows, rows);
    this.#runtime.call((module) =>
      module.directPath(data, embedding.data, unembedding?.data ?? null, between?.data ?? null, rows, cols),
    );
    return { rows, cols: rows, data };
  }

  symmetry(square: Matrix, options: SymmetryOptions = {}): Symmetry {
    const { rows, data } = checkMatrix('square', square, { square: true });
    const { tolerance, worst } = checkSymmetryOptions(options);
    return symmetryOf(this.#runtime.call((module) => module.symmetry(data, rows, tolerance, worst)));
  }

  directPathSymmetry(factors: DirectPathFactors, options: SymmetryOptions = {}): Symmetry {
    const { embedding, unembedding, between } = checkFactors(factors);
    const { rows, cols, data } = embedding;
    const { tolerance, worst } = checkSymmetryOptions(options);
    return symmetryOf(
      this.#runtime.call((module) =>
        module.directPathSymmetry(data, unembedding?.data ?? null, between?.data ?? null, rows, cols, tolerance, worst),
      ),
    );
  }

  solveUnembedding(options: { embedding: Matrix; target: Matrix }): Matrix {
    const given = checkOptions('options', options, ['embedding', 'target']);
    const { rows, cols, data: embedding } = checkMatrix('embedding', given.embedding);
    const { data: target } = checkMatrix('target', given.target, { rows, cols: rows });
    const data = newFloats('the unembedding', rows, cols);
    this.#runtime.call((module) => module.solveUnembedding(data, embedding, target, rows, cols));
    return { rows, cols, data };
  }

  fitBounds(target: Matrix, dModel: number): FitBounds {
    const { rows, data } = checkMatrix('target', target, { square: true });
    checkWhole('dModel', dModel, 1);
    const [untied, tied, symmetric] = this.#runtime.call((module) => module.fitBounds(data, rows, dModel));
    return { untied: untied!, tied: tied!, symmetric: symmetric!, skew: symmetric! };
  }

  bigramBounds(counts: Matrix): BigramBounds {
    const { rows, data } = checkMatrix('counts', counts, { square: true });
    return boundsOf(this.#runtime.call((module) => module.bigramBounds(data, rows)));
  }

  // -------------------------------------------------------------- text

  trainTokenizer(text: string, options: TokenizerOptions): Tokenizer {
    checkString('text', text);
    const { kind, vocabSize } = completeTokenizer(options);
    const bytes = new TextEncoder().encode(text);
    return new CoreTokenizer(
      this.#runtime,
      this.#runtime.call((module) => module.trainTokenizer(bytes, TOKENIZER_KINDS.indexOf(kind), vocabSize)),
    );
  }

  loadTokenizer(bytes: Uint8Array, options: { format: 'tied-embeddings' }): Tokenizer {
    checkBytes('bytes', bytes);
    const { format } = checkOptions('options', options, ['format']);
    checkChoice('options.format', format, ['tied-embeddings']);
    return new CoreTokenizer(
      this.#runtime,
      this.#runtime.call((module) => module.loadTokenizer(bytes)),
    );
  }

  bigrams(tokenIds: Uint32Array, vocabSize: number): Bigrams {
    checkTokenIds('tokenIds', tokenIds, 2);
    checkWhole('vocabSize', vocabSize, 2);
    const data = newFloats('the table of bigrams', vocabSize, vocabSize);
    const [total, asymmetry] = this.#runtime.call((module) => module.bigrams(data, tokenIds, vocabSize));
    return new BigramTable({
      counts: { rows: vocabSize, cols: vocabSize, data },
      total: total!,
      asymmetry: asymmetry!,
    });
  }

  writeStories(options: { seed: number; length: number }): string {
    const { seed, length } = checkOptions('options', options, ['seed', 'length']);
    checkSeed('options.seed', seed);
    checkWhole('options.length', length, 1);
    return new TextDecoder().decode(this.#runtime.call((module) => module.writeStories(seed, length)));
  }

  randomMarkovChain(options: { states: number; seed: number; concentration?: number }): Matrix {
    const { states, seed, concentration = 0.3 } = checkOptions('options', options, ['states', 'seed', 'concentration']);
    checkWhole('options.states', states, 2);
    checkSeed('options.seed', seed);
    checkRange('options.concentration', concentration, 1e-3, 1e6);
    const data = newFloats('the chain', states, states);
    this.#runtime.call((module) => module.randomMarkovChain(data, states, seed, concentration));
    return { rows: states, cols: states, data };
  }

  sampleMarkovChain(options: { transition: Matrix; length: number; seed: number }): Uint32Array {
    const given = checkOptions('options', options, ['transition', 'length', 'seed']);
    const { rows, data } = checkMatrix('options.transition', given.transition, { square: true });
    const length = checkElements('the sample', checkWhole('options.length', given.length, 1), 1);
    const seed = checkSeed('options.seed', given.seed);
    return this.#runtime.call((module) => module.sampleMarkovChain(data, rows, length, seed));
  }

  markovBounds(transition: Matrix): MarkovBounds {
    const { rows, data } = checkMatrix('transition', transition, { square: true });
    const numbers = this.#runtime.call((module) => module.markovBounds(data, rows));
    return { ...boundsOf(numbers), stationary: Float32Array.from(numbers.subarray(3)) };
  }

  // -------------------------------------------------------------- training

  createTrainer(options: TrainerOptions): Trainer {
    const given = checkOptions('options', options, [
      'model',
      'training',
      'tokenIds',
      'validationTokenIds',
      'bigramCounts',
    ]) as Partial<Record<'tokenIds' | 'validationTokenIds' | 'bigramCounts', unknown>> & TrainerOptions;
    const wholeTable = given.bigramCounts !== undefined;
    for (const stream of ['tokenIds', 'validationTokenIds'] as const) {
      if (wholeTable && given[stream] !== undefined) {
        throw invalidArgument(
          `options.${stream}`,
          given[stream],
          'no such option beside bigramCounts; one or the other',
        );
      }
    }
    const model = completeModel(given.model);
    const training = completeTraining(given.training, wholeTable);
    if (wholeTable) {
      const size = model.vocabSize;
      const { data } = checkMatrix('options.bigramCounts', given.bigramCounts, { rows: size, cols: size });
      return new CoreTrainer(
        this.#runtime,
        this.#runtime.call((module) =>
          module.createTrainerFromCounts(modelNumbers(model), trainingNumbers(training), data),
        ),
      );
    }
    const tokenIds = checkTokenIds('options.tokenIds', given.tokenIds, 2);
    const validationTokenIds =
      given.validationTokenIds === undefined
        ? NO_IDS
        : checkTokenIds('options.validationTokenIds', given.validationTokenIds, 2);
    return new CoreTrainer(
      this.#runtime,
      this.#runtime.call((module) =>
        module.createTrainerFromTokens(modelNumbers(model), trainingNumbers(training), tokenIds, validationTokenIds),
      ),
    );
  }

  loadTrainer(bytes: Uint8Array): Trainer {
    checkBytes('bytes', bytes);
    return new CoreTrainer(
      this.#runtime,
      this.#runtime.call((module) => module.loadTrainer(bytes)),
    );
  }

  estimateMemory(model: ModelConfig, training: TrainingConfig): MemoryEstimate {
    const wholeTable = training?.batchSize === undefined;
    const completed = { model: completeModel(model), training: completeTraining(training, wholeTable) };
    const parts = this.#runtime.call((module) =>
      module.memoryParts(modelNumbers(completed.model), trainingNumbers(completed.training)),
    );
    return { bytes: parts.reduce((sum, part) => sum + part.bytes, 0), parts };
  }

  dispose(): void {
    this.#runtime.dispose();
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
    worst: checkWhole('options.worst', worst, 0, MOST_SYMMETRY_PAIRS),
  };
}

function symmetryOf(numbers: Float64Array): Symmetry {
  const [symmetric, maxDifference, asymmetry, norm, symmetricNorm, skewNorm] = numbers;
  const symmetry: Symmetry = {
    symmetric: symmetric === 1,
    maxDifference: maxDifference!,
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

function boundsOf(numbers: Float64Array): BigramBounds {
  const [unigram, bigram, symmetricLogits] = numbers;
  return { unigram: unigram!, bigram: bigram!, symmetricLogits: symmetricLogits! };
}
