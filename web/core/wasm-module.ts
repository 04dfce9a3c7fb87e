/**
 * What the modules of cpp/bindings offer, written by hand: functions of numbers. Arrays are passed by the address of a
 * block in the core's memory, results are left in one answer; runtime.ts does both. Verbs that return a boolean or a
 * handle can fail (false, 0), and the answer is then the error.
 */
import type { ModuleName } from './modules.js';

/** Address of a block of the module's memory; 0 = none. */
export type Address = number;
/** Address of a tokenizer or a trainer, alive until it is deleted; 0 = it could not be made. */
export type HandleAddress = number;

/** Bound in every module. */
export interface MemoryModule {
  /** 0 where there is no room. */
  allocate(bytes: number): Address;
  release(block: Address): void;
  /** Address of a table of (address, bytes), one row a part of the answer. */
  answerParts(): Address;
  clearAnswer(): void;
  /** Whether this is the build with relaxed multiply-add. */
  relaxed(): boolean;
}

/** analysis.wasm: text; the direct path, its symmetry, best fits and floors. */
export interface AnalysisModule extends MemoryModule {
  /** `kind`: place in the list of options.ts; `vocabSize` 0 = the kind's default. */
  trainTokenizer(text: Address, bytes: number, kind: number, vocabSize: number, alphabet: number): HandleAddress;
  /** `format`: place in the list of options.ts. */
  /** Begins to learn a tokenizer as above, in parts, and then to encode the text if asked; it keeps a copy of the text. */
  startLearning(
    text: Address,
    bytes: number,
    kind: number,
    vocabSize: number,
    alphabet: number,
    encodes: boolean,
  ): HandleAddress;
  /** The tokenizer must be deleted after the work. */
  startEncoding(tokenizer: HandleAddress, text: Address, bytes: number): HandleAddress;
  /** Works for about as long as reading so many bytes takes. -> [share learned, share encoded, whether it is finished] */
  advanceText(work: HandleAddress, bytes: number): boolean;
  /** -> ids; the tokenizer that was learned, or 0 */
  finishText(work: HandleAddress): HandleAddress;
  deleteText(work: HandleAddress): void;
  loadTokenizer(file: Address, bytes: number, format: number): HandleAddress;
  deleteTokenizer(tokenizer: HandleAddress): void;
  /** Place in the list of options.ts. */
  tokenizerKind(tokenizer: HandleAddress): number;
  /** -1 where there is none. */
  startToken(tokenizer: HandleAddress): number;
  /** -> printable forms, a zero byte after each */
  tokenizerTokens(tokenizer: HandleAddress): boolean;
  /** -> ids */
  encode(tokenizer: HandleAddress, text: Address, bytes: number): boolean;
  /** -> text */
  decode(tokenizer: HandleAddress, ids: Address, count: number): boolean;
  /** -> bytes */
  saveTokenizer(tokenizer: HandleAddress): boolean;
  /** -> matrix [V, V]; [total, asymmetry] */
  bigrams(ids: Address, count: number, vocabSize: number): boolean;
  /** -> matrix [states, states] */
  randomMarkovChain(states: number, seed: number, concentration: number): boolean;
  /** -> ids */
  sampleMarkovChain(transition: Address, states: number, length: number, seed: number): boolean;

  /** -> matrix [V, V] */
  directPath(embedding: Address, unembedding: Address, between: Address, vocabSize: number, dModel: number): boolean;
  /** -> numbers, see `symmetryOf` in core.ts */
  symmetry(square: Address, size: number, tolerance: number, worst: number): boolean;
  directPathSymmetry(
    embedding: Address,
    unembedding: Address,
    between: Address,
    vocabSize: number,
    dModel: number,
    tolerance: number,
    worst: number,
  ): boolean;
  /** -> matrix [V, d] */
  solveUnembedding(embedding: Address, target: Address, vocabSize: number, dModel: number): boolean;
  /** -> [untied, tied, symmetric, skew] */
  fitBounds(target: Address, size: number, dModel: number): boolean;
  /** -> [unigram, bigram, symmetricLogits] */
  bigramBounds(counts: Address, vocabSize: number): boolean;
  /** -> [unigram, bigram, symmetricLogits]; stationary distribution */
  markovBounds(transition: Address, states: number): boolean;
  /** -> net flow [V, V]; [JS, mutual information] of the counts. The handle draws the null. */
  startIrreversibility(counts: Address, vocabSize: number, runs: number, seed: number): HandleAddress;
  /** -> [share of the null that is drawn, JS of each complete sample] */
  advanceIrreversibility(irreversibility: HandleAddress, pairs: number): boolean;
  deleteIrreversibility(irreversibility: HandleAddress): void;
}

/** accounting.wasm: parameters, work and memory of any transformer; advice. */
export interface AccountingModule extends MemoryModule {
  /** `architecture`: see architecture-options.ts; `tying`: place in the list there. -> counts, numbers, names */
  countParameters(architecture: Address, tying: number): boolean;
  /** `batch`: see count-compute.ts. -> counts */
  countCompute(architecture: Address, batch: Address, numbers: number): boolean;
  /** `context`, `precedents`, `measured`: see advise-tying.ts. -> numbers; counts */
  adviseTying(
    architecture: Address,
    context: Address,
    precedents: Address,
    precedentCount: number,
    measured: Address,
    measuredCount: number,
  ): boolean;
}

/** stories.wasm: generated text. */
export interface StoriesModule extends MemoryModule {
  /** -> text */
  writeStories(seed: number, length: number): boolean;
}

/** core.wasm: models and their training. */
export interface CoreModule extends MemoryModule {
  /** `model` and `training`: see option-numbers.ts. */
  trainerFits(model: Address, training: Address, wholeTable: boolean, dataBytes: number): boolean;
  createTrainerFromTokens(
    model: Address,
    training: Address,
    ids: Address,
    count: number,
    validationIds: Address,
    validationCount: number,
  ): HandleAddress;
  createTrainerFromCounts(model: Address, training: Address, counts: Address): HandleAddress;
  loadTrainer(file: Address, bytes: number): HandleAddress;
  /** `format`: place in the list of create-trainer.ts. 0 = it failed. */
  modelVocabSize(file: Address, bytes: number, format: number): number;
  /** No `training` = a model to be looked at, and no ids. */
  loadModel(
    file: Address,
    bytes: number,
    format: number,
    training: Address,
    ids: Address,
    count: number,
    validationIds: Address,
    validationCount: number,
  ): HandleAddress;
  deleteTrainer(trainer: HandleAddress): void;
  /** Bytes that the trainer keeps: the saved form of a tokenizer. */
  attach(trainer: HandleAddress, bytes: Address, size: number): boolean;
  /** -> bytes */
  attachment(trainer: HandleAddress): boolean;
  /** -> the numbers of model and training, tokens per step */
  trainerOptions(trainer: HandleAddress): boolean;
  stepsDone(trainer: HandleAddress): number;
  /** How far `rewind` can go forward; where `run` failed, the last step whose loss was finite. */
  furthestStep(trainer: HandleAddress): number;
  /** -> rows of numbers, see `recordsOf` in trainer-answers.ts */
  run(trainer: HandleAddress, steps: number, recordEvery: number, recordLast: boolean): boolean;
  /**
   * No ids = the trainer's own data; where `tokens` is not 0, only so many predictions of them, from place `first` on.
   * -> [loss, perplexity, tokens]
   */
  evaluate(trainer: HandleAddress, ids: Address, count: number, first: number, tokens: number): boolean;
  /** How many ids `evaluate` reads where it is given none; 0 for a whole table. */
  evaluationSize(trainer: HandleAddress): number;
  /** -> those ids */
  evaluationIds(trainer: HandleAddress): boolean;
  /** -> rows of [rows, cols, isVector, tiedTo or -1]; names, a zero byte after each */
  parameters(trainer: HandleAddress): boolean;
  /** `parameter`: place in the list. -> matrix */
  readParameter(trainer: HandleAddress, parameter: number): boolean;
  setParameter(trainer: HandleAddress, parameter: number, data: Address, rows: number, cols: number): boolean;
  /** No pairs = the data of the next step. -> input, output, total [V, d]; [inputRows, outputRows] */
  gradient(trainer: HandleAddress, inputs: Address, targets: Address, count: number, sequenceLength: number): boolean;
  /** No `to` = all tokens. -> matrix [from, to] */
  nextToken(
    trainer: HandleAddress,
    from: Address,
    fromCount: number,
    to: Address,
    toCount: number,
    probabilities: boolean,
  ): boolean;
  /** -> matrix [count, V] */
  logits(trainer: HandleAddress, ids: Address, count: number): boolean;
  /** -> matrices [count, d], one block */
  hiddenStates(trainer: HandleAddress, ids: Address, count: number): boolean;
  /** -> matrices [count, count] by layer and head, one block */
  attention(trainer: HandleAddress, ids: Address, count: number): boolean;
  /** `topK` 0 = all. The generation must be deleted before its trainer. */
  startGeneration(
    trainer: HandleAddress,
    prompt: Address,
    count: number,
    temperature: number,
    topK: number,
    seed: number,
  ): HandleAddress;
  /** `changed`: whether parameters have changed since the last call. -> ids */
  generate(generation: HandleAddress, count: number, changed: boolean): boolean;
  deleteGeneration(generation: HandleAddress): void;
  /** -> bytes */
  toSafetensors(trainer: HandleAddress): boolean;
  /** -> bytes */
  saveTrainer(trainer: HandleAddress): boolean;
  /** Replays at most `most` steps of the way: to be called until `stepsDone` is `step`. */
  rewind(trainer: HandleAddress, step: number, most: number): boolean;
  /** -> bytes of each part; names, a zero byte after each */
  memoryParts(model: Address, training: Address): boolean;
}

/** What each module of modules.ts binds. */
export interface Bindings extends Record<ModuleName, MemoryModule> {
  core: CoreModule;
  analysis: AnalysisModule;
  accounting: AccountingModule;
  stories: StoriesModule;
}
