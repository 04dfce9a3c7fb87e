/** The functions of the modules that measure models; wasm-module.ts explains how they are called. */
import type { Address, HandleAddress, MemoryModule } from './wasm-module.js';

type MatrixAt = [data: Address, rows: number, cols: number];
type ListAt = [data: Address, size: number];

/** Long work on tables; `start...` returns a handle to it. */
export interface DiagnosticWork extends MemoryModule {
  /** -> fraction of the work done */
  advanceDiagnostic(diagnostic: HandleAddress, blocks: number): boolean;
  finishDiagnostic(diagnostic: HandleAddress): boolean;
  deleteDiagnostic(diagnostic: HandleAddress): void;
}

/** graphs.wasm: graphs of nearest neighbors and of pairs, and what takes long on a square of all pairs. */
export interface GraphsModule extends DiagnosticWork {
  /** `sample` 0 = all rows. -> SPECTRAL_DISTANCE */
  startSpectralDistance(
    ...of: [
      ...a: MatrixAt,
      ...b: MatrixAt,
      k: number,
      dimensions: number,
      centered: boolean,
      sample: number,
      nullRuns: number,
      seed: number,
    ]
  ): HandleAddress;
  /** -> KOLMOGOROV_CYCLES */
  startCycles(counts: Address, vocabSize: number, listed: number, nullRuns: number, seed: number): HandleAddress;
  /** -> TIED_FLOOR */
  startTiedFloor(counts: Address, vocabSize: number, steps: number, tolerance: number, seed: number): HandleAddress;
  /** `width` 0 = the rank, `tolerance` 0 = rounding. -> RECOVERED_TABLE */
  startRecovery(logits: Address, vocabSize: number, width: number, tolerance: number): HandleAddress;
}

/**
 * diagnostics.wasm: measures of a model's tables. `start...` copies the tables; the handle works in parts, and its
 * results are described at `answer_results_of` in bind_diagnostics.cpp.
 */
export interface DiagnosticsModule extends DiagnosticWork {
  /** `method`: index in ALIGNMENT_METHOD. -> ALIGNMENT */
  startAlignment(
    ...of: [
      ...source: MatrixAt,
      ...target: MatrixAt,
      method: number,
      center: boolean,
      penalty: number,
      holdOut: number,
      nullRuns: number,
      seed: number,
    ]
  ): HandleAddress;
  /** `sample` 0 = all rows. -> NEIGHBOR_OVERLAP */
  startOverlap(
    ...of: [...a: MatrixAt, ...b: MatrixAt, k: number, centered: boolean, sample: number, seed: number]
  ): HandleAddress;
  /** `mean`: 0 kept, 1 subtracted, 2 projected out. -> SPECTRUM */
  startSpectrum(table: Address, rows: number, cols: number, mean: number): HandleAddress;
  /** -> SIMILARITY */
  startSimilarity(...of: [...a: MatrixAt, ...b: MatrixAt, dimensions: number, orFewer: boolean]): HandleAddress;
  /** -> ISOTROPY */
  startIsotropy(...of: [...table: MatrixAt, ...counts: ListAt, seed: number]): HandleAddress;
  /** -> HIDDEN_STATES */
  startHiddenStates(
    ...of: [...hidden: MatrixAt, ...unembedding: MatrixAt, ...embedding: MatrixAt, ...targets: ListAt, seed: number]
  ): HandleAddress;
  /** `vector` 0 = the neighbors of `row`. -> list of NEIGHBOR */
  neighbors(...of: [...table: MatrixAt, vector: Address, row: number, k: number, centered: boolean]): boolean;
  /** -> NORM_FREQUENCY */
  normFrequency(table: Address, rows: number, cols: number, counts: Address, countSize: number): boolean;
}

/** readout.wasm: reads a model's hidden states through its head. A handle holds one head and what reads through it. */
export interface ReadoutModule extends MemoryModule {
  /** 0 for every matrix or vector that the head lacks; `norm`: index in the list of readout.ts. */
  startReadout(
    unembedding: Address,
    vocabSize: number,
    width: number,
    between: Address,
    lowRankA: Address,
    lowRankB: Address,
    rank: number,
    outputBias: Address,
    norm: number,
    normWeight: Address,
    normBias: Address,
    epsilon: number,
  ): HandleAddress;
  deleteReadout(readout: HandleAddress): void;
  /**
   * `states` [layers, tokens, d], `layers` with the last; `weights` and `biases` 0 = a logit lens.
   * -> LENS_READING
   */
  readLens(
    readout: HandleAddress,
    states: Address,
    layers: number,
    tokens: number,
    weights: Address,
    biases: Address,
    targets: Address,
  ): boolean;
  /** Over the tokens that `readLens` read last. -> LENS_TOTALS */
  lensTotals(readout: HandleAddress): boolean;
  /** Translators of zero for `layers` layers, without the last. */
  startLens(readout: HandleAddress, layers: number): boolean;
  /** Adds to the gradient. -> sum of the divergences of each layer */
  trainLens(readout: HandleAddress, states: Address, layers: number, tokens: number, weight: number): boolean;
  updateLens(readout: HandleAddress, learningRate: number): boolean;
  /** -> LENS_MAPS */
  lensMaps(readout: HandleAddress): boolean;
  /** Computes `rows` more rows of the products of the unembedding, which the ledger needs. */
  prepareLedger(readout: HandleAddress, rows: number): boolean;
  /** The states after the last layer [tokens, d]. */
  addToLedger(readout: HandleAddress, states: Address, tokens: number, targets: Address): boolean;
  /** The parts of a gradient by role [V, d], times `weight`. */
  addGradient(readout: HandleAddress, input: Address, output: Address, weight: number): boolean;
  /** Of the parts that were added. -> GRADIENT_ROWS */
  gradientRows(readout: HandleAddress, first: number, rows: number): boolean;
  /** -> LEDGER_SUMMARY */
  finishLedger(readout: HandleAddress, counts: Address): boolean;
  /** For a text, and a text whose bigrams are the reference. */
  startBigrams(
    text: Address,
    size: number,
    reference: Address,
    referenceSize: number,
    vocabSize: number,
  ): HandleAddress;
  deleteBigrams(bigrams: HandleAddress): void;
  /** -> BIGRAM_FACTS */
  bigramFacts(bigrams: HandleAddress): boolean;
  /** -> CORRELATION */
  lossCorrelation(bigrams: HandleAddress, losses: Address, inputs: Address, targets: Address, size: number): boolean;
  /** 0 for every matrix or vector that the model lacks. */
  startFeedForward(
    readout: HandleAddress,
    norm: number,
    normWeight: Address,
    normBias: Address,
    epsilon: number,
    hidden: number,
    up: Address,
    upBias: Address,
    gate: Address,
    gateBias: Address,
    down: Address,
    downBias: Address,
  ): boolean;
  startPath(readout: HandleAddress, bigrams: HandleAddress): boolean;
  /**
   * The states of the tokens from `first` on, at most 32. `bigrams` 0: nothing is measured.
   * -> PATH_ROWS, with logits where nothing is measured
   */
  addPathRows(readout: HandleAddress, bigrams: HandleAddress, states: Address, rows: number, first: number): boolean;
  /** -> PATH_SUMMARY */
  finishPath(readout: HandleAddress, bigrams: HandleAddress): boolean;
  /** -> U + A Bᵀ [V, d] */
  readUnembedding(readout: HandleAddress): boolean;
  /** `logits` [tokens, V]. -> losses [tokens] */
  tokenLosses(logits: Address, tokens: number, vocabSize: number, targets: Address): boolean;
  /** -> list of LOSS_BAND */
  lossBands(losses: Address, targets: Address, size: number, counts: Address, vocabSize: number): boolean;
}
