/** The direct path of a transformer, as a matrix and compared with the bigrams of a text. */
import type { DiagnosticOptions } from '../runtime/types.js';
import type { Matrix, Symmetry, SymmetryOptions } from './types.js';

/** What the path passes through between embedding and unembedding. Positions and attention are always left out. */
export interface PathOptions extends DiagnosticOptions {
  /** The model's final norm, if it has one. Default false. */
  finalNorm?: boolean;
  /** The feed-forward part of the first layer: x + mlp(norm(x)). Default false. */
  mlp0?: boolean;
}

/** Measures of a path with logits S [V, V], on the pairs of neighboring tokens of a text. P: softmax of the rows of S. */
export interface PathMeasures {
  /** ‖(S - Sᵀ)/2‖_F / ‖S‖_F */
  asymmetry: number;
  /** Fraction of tokens in the vocabulary whose own logit is the largest in their row: they predict themselves. */
  selfPrediction: number;
  /**
   * Of the pairs of different tokens i j in the text, the fraction with P(j|i) P(i|j) > P(i|i) P(j|j), which no S = W_E W_Eᵀ can
   * express. NaN if there are no such pairs.
   */
  breaking: number;
  /** Mean of -ln P(next | current), nats per token. */
  loss: number;
  /** Pearson's correlation of ln P with that of the bigrams, over the pairs; NaN if either does not vary. */
  correlation: number;
}

export interface DirectPathReportOptions extends DiagnosticOptions {
  /** The text whose bigrams the paths are compared with. Default: `tokenIds`. */
  bigramsOf?: Uint32Array;
}

export interface DirectPathReport {
  /** Tokens predicted: one fewer than there are ids. */
  tokens: number;
  /** Tokens without a prediction: the first. */
  leftOut: number;
  paths: {
    /** The embedding read by the head, without the final norm. */
    embeddings: PathMeasures;
    /** With the final norm; null if the model has none. */
    finalNorm: PathMeasures | null;
    /** With the feed-forward part of the first layer and the final norm. */
    mlp0: PathMeasures;
  };
  /** The whole model, reading each token with its context. */
  model: Pick<PathMeasures, 'loss' | 'correlation'>;
  /**
   * The bigrams themselves, with ½ added to every count: P(j|i) = (c_ij + ½) / (c_i + V/2). Here `selfPrediction` is the fraction
   * of tokens with a next token whose most frequent next token is themselves.
   */
  bigrams: Pick<PathMeasures, 'selfPrediction' | 'breaking' | 'loss'>;
  /** With independent random logits; for `loss` and `correlation`, with the frequencies of single tokens. */
  chance: PathMeasures;
}

/** Verbs of transformer trainers; a lab fetches their wasm module on the first call, `loadCore` takes `modules: ['readout']`. */
export interface PathVerbs {
  /**
   * The logits [V, V] after each token if the layers are left out: row i is token i's embedding, read by the head, without rows of n-grams. With
   * `symmetry: true`, or options for it, returns how symmetric they are, without forming V x V; see `directPathSymmetry` of the core.
   *
   * @throws {TiedError} 'unsupported' for a direct path, whose logits `nextTokenLogits` gives; 'out-of-memory' if V x V elements do not fit; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 4, nLayers: 1, nHeads: 2, contextLength: 4, tying: 'tied' },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
   * });
   * trainer.run(20);
   * trainer.directPath({ finalNorm: true }).rows; // → 8
   * trainer.directPath({ symmetry: true }).symmetric; // → true
   * trainer.directPath({ mlp0: true, symmetry: true }).asymmetry > 0; // → true
   * ```
   */
  directPath(options: PathOptions & { symmetry: true | SymmetryOptions }): Symmetry;
  directPath(options?: PathOptions & { symmetry?: false }): Matrix;
  /**
   * How well a text's bigrams are predicted by the direct path, by the path with the final norm, by the path with the first
   * feed-forward part, and by the whole model; see {@link DirectPathReport}. Texts longer than the context are read in sequences of
   * `contextLength`.
   *
   * @throws {TiedError} 'unsupported' for a direct path; 'invalid-argument' if there are fewer than two ids or one is not below `vocabSize`; 'not-finite' if a logit is not; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const tokenIds = Uint32Array.from({ length: 64 }, (_, i) => i % 8);
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8, tying: 'tied' },
   *   training: { learningRate: 0.01, batchSize: 4, seed: 1 },
   *   tokenIds,
   * });
   * trainer.run(100);
   * const { paths, model, bigrams } = trainer.directPathReport(tokenIds);
   * [bigrams.breaking, paths.embeddings.breaking]; // → [1, 0]
   * model.loss < paths.mlp0.loss; // → true
   * ```
   */
  directPathReport(tokenIds: Uint32Array, options?: DirectPathReportOptions): DirectPathReport;
}
