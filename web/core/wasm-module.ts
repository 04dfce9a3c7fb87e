/**
 * What the bindings of cpp/bindings offer, written by hand. Every verb copies what it takes and what it gives; one that
 * can fail returns its value or a {@link Failure}.
 */

/** An error of the C++ side, in the parts that its message shows. Field names are C++'s, in snake_case. */
export interface Failure {
  code: string;
  argument: string;
  value: string;
  expected: string;
}

export type Outcome<T> = T | Failure;

interface Handle {
  delete(): void;
}

/** Choices are places in the lists of options.ts; sizes and seeds are whole numbers below 2^53. */
export interface ModelNumbers {
  vocabSize: number;
  dModel: number;
  tying: number;
  outputBias: boolean;
  initStd: number;
  dFeedForward: number;
}

export interface TrainingNumbers {
  optimizer: number;
  decay: number;
  learningRate: number;
  warmupSteps: number;
  totalSteps: number;
  finalLearningRateFraction: number;
  weightDecay: number;
  /** 0 = no clipping. */
  gradientClip: number;
  momentum: number;
  beta1: number;
  beta2: number;
  epsilon: number;
  /** 0 where a whole table is used. */
  batchSize: number;
  inputGradientScale: number;
  seed: number;
  initSeed: number;
}

export interface ParameterEntry {
  name: string;
  rows: number;
  cols: number;
  isVector: boolean;
  /** Index of the parameter whose storage it shares, or -1. */
  tiedTo: number;
}

export interface TrainerHandle extends Handle {
  /** Rows of 8 numbers, see trainer.ts. */
  run(steps: number, recordEvery: number, recordLast: boolean): Outcome<Float64Array>;
  stepsDone(): number;
  tokensPerStep(): number;
  /** [loss, perplexity, tokens] */
  evaluate(): Outcome<Float64Array>;
  evaluateOn(tokenIds: Uint32Array): Outcome<Float64Array>;
  parameters(): ParameterEntry[];
  matrix(name: string): Outcome<Float32Array<ArrayBuffer>>;
  setMatrix(name: string, data: Float32Array, rows: number, cols: number): Outcome<undefined>;
  /** Fills three arrays [V, d]; [inputRows, outputRows] */
  gradient(input: Float32Array, output: Float32Array, total: Float32Array): Outcome<Float64Array>;
  gradientOn(
    inputs: Uint32Array,
    targets: Uint32Array,
    input: Float32Array,
    output: Float32Array,
    total: Float32Array,
  ): Outcome<Float64Array>;
  /** Fills `out` [from, to]; an empty `to` means all tokens. */
  nextToken(out: Float32Array, from: Uint32Array, to: Uint32Array, probabilities: boolean): Outcome<undefined>;
  save(): Outcome<Uint8Array<ArrayBuffer>>;
  rewind(step: number): Outcome<undefined>;
  model(): ModelNumbers;
  training(): TrainingNumbers;
}

export interface TokenizerHandle extends Handle {
  /** Place in the list of kinds in options.ts. */
  kind(): number;
  /** Printable forms as UTF-8, a zero byte after each. */
  tokens(): Uint8Array;
  encode(text: Uint8Array): Outcome<Uint32Array<ArrayBuffer>>;
  decode(ids: Uint32Array): Outcome<Uint8Array>;
  save(): Outcome<Uint8Array<ArrayBuffer>>;
}

export interface WasmModule {
  /** Fills `out` [V, V]; null = no such factor. */
  directPath(
    out: Float32Array,
    embedding: Float32Array,
    unembedding: Float32Array | null,
    between: Float32Array | null,
    vocabSize: number,
    dModel: number,
  ): Outcome<undefined>;
  /** SYMMETRY_NUMBERS numbers, then 4 for each of the worst pairs: row, col, forward, backward. */
  symmetry(square: Float32Array, size: number, tolerance: number, worst: number): Outcome<Float64Array>;
  directPathSymmetry(
    embedding: Float32Array,
    unembedding: Float32Array | null,
    between: Float32Array | null,
    vocabSize: number,
    dModel: number,
    tolerance: number,
    worst: number,
  ): Outcome<Float64Array>;
  /** Fills `out` [V, d]. */
  solveUnembedding(
    out: Float32Array,
    embedding: Float32Array,
    target: Float32Array,
    vocabSize: number,
    dModel: number,
  ): Outcome<undefined>;
  /** [untied, tied, symmetric] */
  fitBounds(target: Float32Array, size: number, dModel: number): Outcome<Float64Array>;
  /** [unigram, bigram, symmetricLogits] */
  bigramBounds(counts: Float32Array, vocabSize: number): Outcome<Float64Array>;
  /** [unigram, bigram, symmetricLogits, stationary...] */
  markovBounds(transition: Float32Array, states: number): Outcome<Float64Array>;

  /** `kind`: place in the list of options.ts; `vocabSize` 0 = the kind's default. */
  trainTokenizer(text: Uint8Array, kind: number, vocabSize: number): Outcome<TokenizerHandle>;
  loadTokenizer(file: Uint8Array): Outcome<TokenizerHandle>;
  /** Fills `out` [V, V]; [total, asymmetry] */
  bigrams(out: Float32Array, tokenIds: Uint32Array, vocabSize: number): Outcome<Float64Array>;
  /** Fills `out` [states, states]. */
  randomMarkovChain(out: Float32Array, states: number, seed: number, concentration: number): Outcome<undefined>;
  sampleMarkovChain(
    transition: Float32Array,
    states: number,
    length: number,
    seed: number,
  ): Outcome<Uint32Array<ArrayBuffer>>;
  writeStories(seed: number, length: number): Outcome<Uint8Array>;

  createTrainerFromTokens(
    model: ModelNumbers,
    training: TrainingNumbers,
    tokenIds: Uint32Array,
    validationTokenIds: Uint32Array,
  ): Outcome<TrainerHandle>;
  createTrainerFromCounts(model: ModelNumbers, training: TrainingNumbers, counts: Float32Array): Outcome<TrainerHandle>;
  loadTrainer(file: Uint8Array): Outcome<TrainerHandle>;
  memoryParts(model: ModelNumbers, training: TrainingNumbers): Outcome<{ name: string; bytes: number }[]>;
}
