/**
 * The functions that cpp/bindings exports. Arrays are passed as addresses of blocks in the core's memory, results are
 * returned in one answer; runtime.ts and answer.ts handle them. Verbs that return a boolean or a handle can fail
 * (false, 0); the answer is then the error. A name after -> is that of a record in generated/records.ts.
 */
import type { DiagnosticsModule, GraphsModule, ReadoutModule } from './diagnostics-modules.js';
import type { ModuleName } from './modules.js';

/** Address of a block of the module's memory; 0 = none. */
export type Address = number;
/** Address of a C++ object, valid until deleted; 0 = creation failed. */
export type HandleAddress = number;

/** Bound in every module. */
export interface MemoryModule {
  /** Returns 0 if memory is exhausted. */
  allocate(bytes: number): Address;
  release(block: Address): void;
  /** Address of a table of (address, bytes), one row per part of the answer. */
  answerParts(): Address;
  clearAnswer(): void;
  /** Whether this is the build with relaxed multiply-add. */
  relaxed(): boolean;
}

/** analysis.wasm: text; direct paths, symmetry, best fits and bounds. */
export interface AnalysisModule extends MemoryModule {
  /**
   * Begins to learn a tokenizer, in parts, and then to encode the text if requested; stores a copy of the text. `kind`:
   * index in the list of options.ts; `vocabSize` 0 = the kind's default.
   */
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
  /**
   * Works for about as long as it takes to read `bytes` bytes.
   * -> TEXT_PROGRESS
   */
  advanceText(work: HandleAddress, bytes: number): boolean;
  /** -> ids; the learned tokenizer, or 0 */
  finishText(work: HandleAddress): HandleAddress;
  deleteText(work: HandleAddress): void;
  /** `format`: index in the list of options.ts. */
  loadTokenizer(file: Address, bytes: number, format: number): HandleAddress;
  deleteTokenizer(tokenizer: HandleAddress): void;
  /** Index in TOKENIZER_KIND. */
  tokenizerKind(tokenizer: HandleAddress): number;
  /** -1 if there is none. */
  startToken(tokenizer: HandleAddress): number;
  /** -> printable forms, each followed by a zero byte */
  tokenizerTokens(tokenizer: HandleAddress): boolean;
  /** -> text */
  decode(tokenizer: HandleAddress, ids: Address, count: number): boolean;
  /** -> bytes */
  saveTokenizer(tokenizer: HandleAddress): boolean;
  /** Begins to count pairs, and then to find the floors of the table if requested. */
  startBigrams(vocabSize: number, bounded: boolean): HandleAddress;
  /** The next ids of the sequence. */
  countBigrams(work: HandleAddress, ids: Address, count: number): boolean;
  /** After all pairs have been counted: works on that many rows. -> whether it is finished */
  advanceBigrams(work: HandleAddress, rows: number): boolean;
  /** -> BIGRAM_COUNTING, and BIGRAM_BOUNDS if requested */
  finishBigrams(work: HandleAddress): boolean;
  deleteBigrams(work: HandleAddress): void;
  /** -> matrix [states, states] */
  randomMarkovChain(states: number, seed: number, concentration: number): boolean;
  startSample(transition: Address, states: number, length: number, seed: number): HandleAddress;
  /** -> the next ids, at most `most` */
  advanceSample(sample: HandleAddress, most: number): boolean;
  deleteSample(sample: HandleAddress): void;

  /** -> matrix [V, V] */
  directPath(embedding: Address, unembedding: Address, between: Address, vocabSize: number, dModel: number): boolean;
  /** -> SYMMETRY */
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
  /** -> FIT_BOUNDS */
  fitBounds(target: Address, size: number, dModel: number): boolean;
  /** -> BIGRAM_BOUNDS */
  bigramBounds(counts: Address, vocabSize: number): boolean;
  /** -> MARKOV_BOUNDS */
  markovBounds(transition: Address, states: number): boolean;
  /** -> net flow [V, V]; BIGRAM_ENTROPIES of the counts. The handle draws the null. */
  startIrreversibility(counts: Address, vocabSize: number, runs: number, seed: number): HandleAddress;
  /** -> REVERSIBLE_CHAINS */
  advanceIrreversibility(irreversibility: HandleAddress, pairs: number): boolean;
  deleteIrreversibility(irreversibility: HandleAddress): void;
}

/** accounting.wasm: parameters, compute and memory of any transformer; advice. */
export interface AccountingModule extends MemoryModule {
  /** `architecture`, `listed`: see architecture-options.ts; `tying`: index in TABLE_TYING. -> PARAMETER_COUNT */
  countParameters(architecture: Address, tying: number, listed: Address, nListed: number): boolean;
  /** `batch`: a BATCH; `cutoffs`: of its adaptive head. -> COMPUTE_COUNT */
  countCompute(architecture: Address, batch: Address, cutoffs: Address, nCutoffs: number): boolean;
  /** `context`: an ADVICE_CONTEXT. -> ADVICE */
  adviseTying(architecture: Address, context: Address, listed: Address, nListed: number): boolean;
}

/** stories.wasm: generated text. */
export interface StoriesModule extends MemoryModule {
  startStories(seed: number, length: number): HandleAddress;
  /** -> fraction written; the next piece of the text, about `characters` characters long */
  advanceStories(writing: HandleAddress, characters: number): boolean;
  deleteStories(writing: HandleAddress): void;
  /** `task`: index in PAIR_TASK. -> lines of a source, a tab and a target */
  writePairs(task: number, seed: number, length: number, from: number, count: number): boolean;
}

/** core.wasm: models and their training. */
export interface CoreModule extends MemoryModule {
  /** A hash of the tables of fields; equals `FIELDS_VERSION` if this JavaScript writes what the module reads. */
  fieldsVersion(): number;
  /** `model` and `training`: see model/option-numbers.ts. */
  trainerFits(model: Address, training: Address, wholeTable: boolean, dataBytes: number): boolean;
  createTrainerFromTokens(
    model: Address,
    training: Address,
    ids: Address,
    count: number,
    validationIds: Address,
    validationCount: number,
    keptIds: Address,
    keptCount: number,
  ): HandleAddress;
  createTrainerFromCounts(model: Address, training: Address, counts: Address): HandleAddress;
  loadTrainer(file: Address, bytes: number): HandleAddress;
  /** A copy that only computes shards, of the file of one. */
  loadCopy(file: Address, bytes: number): HandleAddress;
  /** `format`: index in the list of create-trainer.ts. Returns 0 if it failed. */
  modelVocabSize(file: Address, bytes: number, format: number): number;
  /** No `training` = a model without training; it has no ids. */
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
  /** A model of these options, to be filled. No `training` = a model without training; it has no ids. Returns 0 if it failed. */
  createBlank(
    model: Address,
    training: Address,
    ids: Address,
    count: number,
    validationIds: Address,
    validationCount: number,
  ): HandleAddress;
  /** Sets rows of a parameter, which must have them. */
  fillParameter(trainer: HandleAddress, parameter: number, firstRow: number, values: Address, rows: number): boolean;
  /** Makes the current values those of step 0. */
  beginTrainer(trainer: HandleAddress): boolean;
  deleteTrainer(trainer: HandleAddress): void;
  /** Stores bytes with the trainer: the saved form of a tokenizer. */
  attach(trainer: HandleAddress, bytes: Address, size: number): boolean;
  /** -> bytes */
  attachment(trainer: HandleAddress): boolean;
  /** -> the fields of model and training, tokens per step, and the changes of tying after the first */
  trainerOptions(trainer: HandleAddress): boolean;
  stepsDone(trainer: HandleAddress): number;
  /** The step at which the tying changed; 0 = it has not. */
  tyingChangedAt(trainer: HandleAddress): number;
  /** -> the steps at which the tying changed, for a model with several changes */
  tyingChanges(trainer: HandleAddress): boolean;
  /** The last step that `rewind` can reach; if `run` failed, the last step whose loss was finite. */
  furthestStep(trainer: HandleAddress): number;
  /** -> list of STEP_RECORD */
  run(trainer: HandleAddress, steps: number, recordEvery: number, recordLast: boolean): boolean;
  /**
   * No ids = the trainer's own data; if `tokens` is not 0, only that many predictions, from index `first` on.
   * -> EVALUATION
   */
  evaluate(trainer: HandleAddress, ids: Address, count: number, first: number, tokens: number): boolean;
  /** How many ids `evaluate` reads by default; 0 for a whole table. */
  evaluationSize(trainer: HandleAddress): number;
  /** -> the ids that `evaluate` reads by default */
  evaluationIds(trainer: HandleAddress): boolean;
  /** -> list of PARAMETER */
  parameters(trainer: HandleAddress): boolean;
  /** `parameter`: index in the list. -> matrix */
  readParameter(trainer: HandleAddress, parameter: number): boolean;
  setParameter(trainer: HandleAddress, parameter: number, data: Address, rows: number, cols: number): boolean;
  /** No pairs = the data of the next step. -> GRADIENT_LEDGER */
  gradient(trainer: HandleAddress, inputs: Address, targets: Address, count: number, sequenceLength: number): boolean;
  /** Shards [first, end) of the next step, a node of the tree of its sum, which are kept for it. -> the address of gradients; bytes: a message for trainers in the same state; ids: first and number of the gradients that follow them */
  computeShards(trainer: HandleAddress, first: number, end: number): boolean;
  /** Memory for the next message, until the next call; 0 if there is none. */
  shardRoom(trainer: HandleAddress, bytes: number): Address;
  /** Keeps such a message, which is in that room, for the next step. */
  giveShards(trainer: HandleAddress, first: number, end: number, message: Address, bytes: number): boolean;
  /** -> whether both tables are one; bytes: all weights, where they are; ids: first and number of those that the last step changed */
  weights(trainer: HandleAddress): boolean;
  /** The weights of a copy have been written. */
  follow(trainer: HandleAddress, step: number, joined: boolean): boolean;
  /** No `to` = all tokens. -> matrix [from, to] */
  nextToken(
    trainer: HandleAddress,
    from: Address,
    fromCount: number,
    to: Address,
    toCount: number,
    probabilities: boolean,
  ): boolean;
  /** -> matrix [count, V]; `withoutLayer` -1 = with all layers; `resumes`: the previous call had the same tokens and a later layer left out */
  logits(trainer: HandleAddress, ids: Address, count: number, withoutLayer: number, resumes: boolean): boolean;
  /** -> matrices [count, d], one block; with `headInput`, one more */
  hiddenStates(trainer: HandleAddress, ids: Address, count: number, headInput: boolean): boolean;
  /** -> matrices [count, count] by layer and head, one block */
  attention(trainer: HandleAddress, ids: Address, count: number): boolean;
  /** `topK` 0 = all; `keeps`: see GenerateOptions.beyondContext. The generation must be deleted before its trainer. */
  startGeneration(
    trainer: HandleAddress,
    prompt: Address,
    count: number,
    temperature: number,
    topK: number,
    seed: number,
    keeps: boolean,
  ): HandleAddress;
  /** `changed`: whether parameters have changed since the last call. -> ids */
  generate(generation: HandleAddress, count: number, changed: boolean): boolean;
  deleteGeneration(generation: HandleAddress): void;
  /** Begins a file of the trainer, which must not change or be deleted before the file is. `kind`: index in FILE_KINDS. -> bytes of the file */
  startFile(trainer: HandleAddress, kind: number): HandleAddress;
  /** -> the next bytes */
  nextFilePart(file: HandleAddress): boolean;
  deleteFile(file: HandleAddress): void;
  /** Replays at most `most` steps; call until `stepsDone` is `step`. */
  rewind(trainer: HandleAddress, step: number, most: number): boolean;
  /** -> list of MEMORY_PART */
  memoryParts(model: Address, training: Address): boolean;
}

/** models.wasm: core.wasm with all heads and encoder-decoders. Pairs are packed as in pair-lists.ts. */
export interface ModelsModule extends CoreModule {
  /** -> the ids that a culled head was given; none if it keeps the most frequent */
  keptTokens(trainer: HandleAddress): boolean;
  pairTrainerFits(model: Address, training: Address, dataBytes: number): boolean;
  createTrainerFromPairs(
    model: Address,
    training: Address,
    pairs: Address,
    count: number,
    validationPairs: Address,
    validationCount: number,
  ): HandleAddress;
  /** How many pairs `evaluatePairs` reads by default. */
  pairEvaluationSize(trainer: HandleAddress): number;
  /** No pairs = the trainer's own, from `first` on. -> PAIR_EVALUATION */
  evaluatePairs(trainer: HandleAddress, pairs: Address, first: number, count: number, translates: boolean): boolean;
  /** No pairs = the data of the next step. -> GRADIENT_LEDGER */
  pairGradient(trainer: HandleAddress, pairs: Address, count: number): boolean;
  /** `topK` 0 = all. -> list of TRANSLATED */
  translate(
    trainer: HandleAddress,
    source: Address,
    size: number,
    maxTokens: number,
    beams: number,
    temperature: number,
    topK: number,
    seed: number,
  ): boolean;
  /** -> matrix [1 + targetSize, V] */
  pairLogits(trainer: HandleAddress, source: Address, size: number, target: Address, targetSize: number): boolean;
  /** -> PAIR_WEIGHTS, matrices by layer and head */
  pairAttention(trainer: HandleAddress, source: Address, size: number, target: Address, targetSize: number): boolean;
}

/** checkpoint.wasm: tables as files store them. Types are indices in ELEMENT_TYPES. */
export interface CheckpointModule extends MemoryModule {
  /** -> floats */
  decodeElements(type: number, bytes: Address, byteLength: number, elements: number): boolean;
  /** Begins sums over the rows of two tables; `norm`: `cols` elements, or none; the rest is a PanelShare. */
  startMoments(
    cols: number,
    tied: boolean,
    narrow: boolean,
    norm: Address,
    first: number,
    end: number,
    of: number,
  ): HandleAddress;
  /** Rows of both tables (of one table, once): `addMoments` returns their products with all rows added from now on. */
  sampleMoments(moments: HandleAddress, rows: number, input: Address, output: Address): boolean;
  /** Rows of the input table; their sums of exponentials are accumulated from now on. */
  readText(moments: HandleAddress, rows: number, input: Address): boolean;
  /** -> numbers, one for each row of the text */
  textLogSums(moments: HandleAddress): boolean;
  /** -> lengths of the rows of both, their products and the folded products [4, rows]; products of the sample */
  addMoments(
    moments: HandleAddress,
    rows: number,
    inputType: number,
    input: Address,
    inputBytes: number,
    outputType: number,
    output: Address,
    outputBytes: number,
  ): boolean;
  /** `which`: 0 = EᵀE, 1 = DᵀD, 2 = DᵀE. -> numbers [cols, cols], this share's part of it */
  momentsProduct(moments: HandleAddress, which: number): boolean;
  /** `product` [cols, cols], in double precision: another share's part. */
  joinMoments(moments: HandleAddress, which: number, product: Address): boolean;
  /** -> PATH_ASYMMETRY */
  momentsAsymmetry(moments: HandleAddress, folded: boolean): boolean;
  /** `role`: 0 = input, 1 = output. -> TABLE_READING */
  momentsTable(moments: HandleAddress, role: number): boolean;
  /** -> TABLE_ALIGNMENT */
  momentsAlignment(moments: HandleAddress, nullRuns: number, seed: number): boolean;
  /** -> TABLE_DRIFT */
  momentsDrift(moments: HandleAddress): boolean;
  deleteMoments(moments: HandleAddress): void;
}

/** What each module of modules.ts binds. */
export interface Bindings extends Record<ModuleName, MemoryModule> {
  core: CoreModule;
  files: CoreModule;
  models: ModelsModule;
  analysis: AnalysisModule;
  accounting: AccountingModule;
  diagnostics: DiagnosticsModule;
  graphs: GraphsModule;
  readout: ReadoutModule;
  checkpoint: CheckpointModule;
  stories: StoriesModule;
}
