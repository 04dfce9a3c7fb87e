/** Reading a trainer's hidden states as predictions, and the gradient that the loss gives its tables. */
import type { Matrix } from '../direct-path/types.js';
import type { DiagnosticOptions } from '../runtime/types.js';

export interface LogitsOptions {
  /** Index of a layer to leave out (0 = the first): neither its attention nor its feed-forward part adds to the residual stream. */
  withoutLayer?: number;
}

export interface HiddenStatesOptions {
  /**
   * Adds one more state: the last one after the final norm, from which the logits are computed; of a direct path with an
   * MLP, after the MLP. If there is neither, the last state is repeated. Default false.
   */
  finalNorm?: boolean;
}

/** Translators of a tuned lens; layer l reads h + h A_l + b_l, where h is the residual stream before it. */
export interface TunedLens {
  /** One per layer; the state after the last layer needs none. `weight`: A_l [d, d]; `bias`: b_l [d]. */
  readonly layers: readonly { readonly weight: Matrix; readonly bias: Float32Array }[];
  /** [steps, layers]: the mean divergence in bits over the tokens of each step, before its update. */
  readonly history: Matrix;
  /** Tokens of the text that no step drew. */
  readonly leftOut: number;
}

export interface TunedLensOptions extends DiagnosticOptions {
  /** The text to learn from; at least one sequence long. */
  tokenIds: Uint32Array;
  /** Default 150. */
  steps?: number;
  /** Approximate number of tokens per step, in whole sequences. Default 1,024. */
  tokensPerStep?: number;
  /** Learning rate of the first step; decreases linearly to 0. Default 0.01. */
  learningRate?: number;
  /** Shifts the positions at which sequences are cut. Default 0. */
  seed?: number;
}

export interface LensOptions extends DiagnosticOptions {
  /** Absent: the logit lens. */
  lens?: Pick<TunedLens, 'layers'>;
}

export interface LensLayer {
  /** The mean over tokens of KL(last layer ‖ this one), in bits; 0 for the last layer. */
  divergence: number;
  /** The mean cross-entropy of the next tokens, in nats; null if no token has a next one. */
  loss: number | null;
  /** The divergence of each token [tokens]. */
  perToken: Float32Array;
  /** The most probable next token [tokens], and its probability [tokens]. */
  predicted: Uint32Array;
  probability: Float32Array;
}

export interface LensReading {
  /** Before the first layer, ..., after the last. */
  layers: LensLayer[];
  /**
   * The lowest divergence, in bits, of a layer that does not distinguish tokens at all: the mean of KL(p ‖ p̄), where p is the last
   * layer's prediction after a token and p̄ the mean of p over tokens. This is the last layer's mutual information with the position; at
   * most log₂ of the number of tokens. It is also the chance level of a tuned lens: no translator that ignores its state gets closer,
   * whatever text it learned from.
   */
  chance: number;
  /** Tokens without a loss: the last one, which has no next token. Its divergence counts. */
  leftOut: number;
}

export interface FrequencyOptions extends DiagnosticOptions {
  /** How often each token occurs [V]. Default: counted in `tokenIds`. */
  counts?: Uint32Array;
}

export interface LossBand {
  /** Predicted tokens that occur `from` to `to` times, both included. */
  from: number;
  to: number;
  /** Number of predictions in the band. */
  tokens: number;
  /** Mean loss, nats per token. */
  loss: number;
  /** Standard error of the mean; NaN for a single prediction. */
  standardError: number;
  /** The mean loss of the same tokens predicted from frequencies alone; see `LossByFrequency`. */
  chance: number;
}

export interface LossByFrequency {
  /** Mean over all predictions, nats per token. */
  loss: number;
  /**
   * The loss of a predictor that gives each token its frequency in `counts`, whatever precedes it. Tokens with a count of 0 share their
   * total frequency in the text equally, which gives the lowest loss that such a predictor can reach. With the text's own counts it is the
   * entropy of its tokens.
   */
  chance: number;
  /** Predictions. */
  tokens: number;
  /** Tokens that nothing predicts: the first. */
  leftOut: number;
  /** The bands that contain predictions; bands begin at 0, 1, 4, 10, 32, 100, ..., at half powers of ten. */
  bands: LossBand[];
}

/**
 * How often tokens follow themselves. π_i is the share of token i in the text. In a text whose tokens are drawn independently, token i follows
 * itself with probability π_i.
 *
 * The law of a shared table: a tied direct path lets each token follow itself at least as often as it occurs in an endless text *of the model*,
 * whatever the table, its width and the output bias, because its table of pairs has no negative eigenvalue. Shares of another text may be
 * higher. No such law holds for untied models, nor for transformers.
 */
export interface SelfTransitions {
  /** The fraction of the tokens of the text whose next token is the same one. */
  observed: number;
  /** The mean over the same tokens of the probability that the model gives to the same token next: Σ π_i P(i|i). */
  predicted: number;
  /** Σ π_i²: this fraction if each next token were drawn with its share, whatever precedes it. */
  chance: number;
  /** How many tokens of the vocabulary occur. */
  occurring: number;
  /**
   * How many of these follow themselves less often than they occur, in the text and by the model. A model's difference below 10⁻⁵ of the share
   * does not count: it may be rounding.
   */
  below: { observed: number; predicted: number };
  /** By token of the vocabulary. */
  perToken: {
    /** How often it occurs, the last token of the text left out [V]. */
    count: Uint32Array;
    /** π_i, this count as a fraction of `tokens` [V]. */
    share: Float32Array;
    /** How often it follows itself, as a fraction of its count [V]; NaN for tokens that do not occur. */
    observed: Float32Array;
    /**
     * P(i|i): the mean, over the positions of the token, of the probability that it comes next again, after the context that ends there [V]; NaN
     * for tokens that do not occur. A direct path has the same probability at each position.
     */
    predicted: Float32Array;
  };
  /** Tokens with a next one. */
  tokens: number;
  /** Tokens without a next one: the last. */
  leftOut: number;
}

export interface CalibrationOptions extends DiagnosticOptions {
  /** How many bins of equal width, 1 to 1,000. Default 15. */
  bins?: number;
}

/**
 * How well a model knows what it knows: its confidence, which is the probability of the token that it finds most probable, beside its accuracy, how often
 * that token comes next.
 */
export interface Calibration {
  /**
   * The expected calibration error: the mean over the predictions of |accuracy - confidence| of their bin (Guo et al. 2017). 0 is a model that is
   * right as often as it is confident, in every bin.
   */
  error: number;
  /** The error expected of a perfectly calibrated model that is as confident, from so many tokens alone; by the normal approximation of each bin. */
  chance: number;
  /** The standard deviation of that error. */
  chanceDeviation: number;
  accuracy: number;
  /** The mean confidence; above `accuracy`, the model is overconfident. */
  confidence: number;
  /** By confidence, above `from` and up to the next one's; means are NaN in bins without tokens. */
  bins: { from: number; tokens: number; accuracy: number; confidence: number }[];
  /** Tokens with a next one. */
  tokens: number;
  /** Tokens without a next one: the last. */
  leftOut: number;
}

/** Which n-grams of a text share rows of the tables `ngrams.2`, `ngrams.3`, …; two that share all of their rows are one to the model. */
export interface NgramCollisions {
  /** For each n from 2 to `order`. */
  lengths: {
    n: number;
    /** Different n-grams of the text. */
    ngrams: number;
    /** Rows that they read; with several heads, the mean over their parts of the table. */
    rows: number;
    /** The share of these n-grams whose numbers are all another one's, too. */
    shared: number;
    /** The same if hashes were drawn at random, 1 - (1 - rows^-heads)^(ngrams - 1). */
    chance: number;
    /** The share of n-grams that have another one's row in a head: the mean over the heads. */
    oneHead: number;
    /** The same by chance, 1 - (1 - 1 / rows)^(ngrams - 1). */
    oneHeadChance: number;
    /** The share of places in the text with an n-gram that shares all of its numbers. */
    tokens: number;
  }[];
}

/** How much each layer contributes: a causal measure, whereas a lens only reads. */
export interface LayerAblation {
  /** Loss of the whole model: mean over all predictions, nats per token. */
  loss: number;
  /** Predictions. */
  tokens: number;
  /** Tokens that nothing predicts: the first. */
  leftOut: number;
  /** From the first layer on. */
  layers: {
    /** Loss without this layer: neither its attention nor its feed-forward part adds to the residual stream. */
    loss: number;
    /** How much leaving it out adds to the loss; 0 if it does nothing, negative if it does harm. */
    increase: number;
    /** Standard error of `increase`; NaN for a single prediction. */
    standardError: number;
  }[];
}

/** Norms of the gradient of the tables, and of the two parts of the output gradient. */
interface GradientNorms {
  /** Norm of the input part [V, d]. */
  input: number;
  /** Norm of the output part [V, d]. */
  output: number;
  /** input / (input + output). 1/2 if both norms are equal, which is not a chance level: there is no norm that a part has by chance. */
  inputShare: number;
  /** Norm of the pull: the part of `output` that moves rows toward the states before their own token. */
  pull: number;
  /** Norm of the push: the part of `output` that moves rows away from the states before other tokens. */
  push: number;
}

export interface GradientBand extends GradientNorms {
  /** Tokens that occur `from` to `to` times, both included. */
  from: number;
  to: number;
  /** Number of rows in the band. */
  count: number;
  /** Number of rows that are pushed more than pulled: their summed logit gradient is positive. */
  pushedRows: number;
}

/**
 * The gradient of the mean loss of a text, by role. Let y be the state that is multiplied by the unembedding, p the probabilities
 * and t the next token: the row of token v gets the mean of (p_v - 1) y over tokens with t = v (pull), and of p_v y over all
 * others (push).
 */
export interface GradientReport extends GradientNorms {
  /** Predictions. */
  tokens: number;
  /** Tokens without a next token to predict: the last one. */
  leftOut: number;
  /** Norm of the input part with one gradient per position, [tokens, d], not summed by token; and its share. */
  inputPositionNorm: number;
  inputPositionShare: number;
  /** Cosine of the input part with the output part. */
  cosine: number;
  /**
   * Mean and standard deviation of `cosine` over all orders of the rows of one part, in closed form. `mean`: <Σ input_v, Σ output_v> / (V
   * |input| |output|). The rows of the output part add up to 0, because the probabilities minus the target do, so the mean is 0 up to rounding.
   * `standardDeviation`: at most 1 / √(V - 1), if rows lie on a line; about 1 / √(d V) if they point equally in all directions.
   */
  cosineNull: { mean: number; standardDeviation: number };
  /**
   * The fraction of the norm of the logits' gradient that reaches the hidden state through the unembedding; no hidden state can
   * change the rest. `chance`: √(d / V), the root mean square of the fraction for a random direction, with independent columns. The gradient of
   * each prediction sums to 0 over the tokens; if the columns of the unembedding do, too, it is √(d / (V - 1)). NaN if the columns depend on each
   * other.
   */
  reach: { share: number; chance: number };
  /** The bands that contain rows. */
  bands: GradientBand[];
}

/** Diagnostics of a trainer; a lab fetches their wasm module on the first call, `loadCore` takes `modules: ['readout']`. */
export interface ReadoutVerbs {
  /**
   * What each layer of a transformer would predict if its hidden state were the last one: read directly by final norm and unembedding
   * (logit lens), or translated first (tuned lens). Texts longer than the context are read in sequences of `contextLength`.
   *
   * @throws {TiedError} 'unsupported' for a direct path; 'invalid-argument' if an id is not below `vocabSize`; 'shape-mismatch' if the lens has other layers or another width; 'not-finite' if a logit is not; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 8, nLayers: 2, nHeads: 2, contextLength: 4, tying: 'tied' },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
   * });
   * const { layers } = trainer.logitLens(Uint32Array.of(1, 2, 3));
   * layers.length; // → 3
   * layers[0]!.divergence > 0; // → true
   * layers[2]!.divergence; // → 0
   * ```
   */
  logitLens(tokenIds: Uint32Array, options?: LensOptions): LensReading;
  /**
   * Trains a tuned lens for `logitLens`: one affine translator per layer, which starts at zero and minimizes KL(last layer ‖ lens) with
   * Adam. The model does not change. With the same options, two models get the same sequences and the same number of steps. The chance
   * level of a lens is `chance` of `logitLens`, on the text read there.
   *
   * @throws {TiedError} 'unsupported' for a direct path; 'invalid-argument' if an option is out of range or an id is not below `vocabSize`; 'not-finite' if a divergence is not; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const tokenIds = Uint32Array.from({ length: 64 }, (_, i) => (i * i) % 8);
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8, tying: 'untied' },
   *   training: { learningRate: 0.01, batchSize: 4, seed: 1 },
   *   tokenIds,
   * });
   * trainer.run(50);
   * const lens = trainer.trainTunedLens({ tokenIds, steps: 40, tokensPerStep: 32 });
   * const [tuned, plain] = [trainer.logitLens(tokenIds, { lens }), trainer.logitLens(tokenIds)];
   * tuned.layers[0]!.divergence < plain.layers[0]!.divergence; // → true
   * ```
   */
  trainTunedLens(options: TunedLensOptions): TunedLens;
  /**
   * The gradient of the tables on a text, by role and by how often tokens occur; see {@link GradientReport}. Changes nothing.
   *
   * @throws {TiedError} 'unsupported' for a direct path, and for tied value embeddings, whose gradient has a third part; 'invalid-argument' if there are fewer than two ids or one is not below `vocabSize`; 'shape-mismatch' if there are not `vocabSize` counts; 'not-finite' if the gradient is not; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const tokenIds = Uint32Array.of(0, 1, 2, 3, 0, 1, 2, 3, 0);
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 16, dModel: 4, nLayers: 1, nHeads: 2, contextLength: 4, tying: 'tied' },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   tokenIds,
   * });
   * const { bands, reach } = trainer.gradientReport(tokenIds);
   * bands.map(({ from, count }) => [from, count]); // → [[0, 12], [1, 4]]
   * bands[0]!.pushedRows; // → 12
   * reach.chance; // → 0.5
   * ```
   */
  gradientReport(tokenIds: Uint32Array, options?: FrequencyOptions): GradientReport;
  /**
   * The loss by how often the predicted token occurs. Texts longer than the context are read in sequences of `contextLength`.
   *
   * @throws {TiedError} 'invalid-argument' if there are fewer than two ids or one is not below `vocabSize`; 'shape-mismatch' if there are not `vocabSize` counts; 'not-finite' if a loss is not; 'cancelled' after `signal` was aborted; 'unsupported' for an encoder-decoder or a culled head
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'untied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2), 3).counts,
   * });
   * const { bands } = trainer.lossByFrequency(Uint32Array.of(0, 1, 0, 2), { counts: Uint32Array.of(50, 25, 25) });
   * bands.map(({ from, to, tokens }) => [from, to, tokens]); // → [[10, 31, 2], [32, 99, 1]]
   * bands.map(({ chance }) => chance / Math.LN2); // → [2, 1]
   * ```
   */
  lossByFrequency(tokenIds: Uint32Array, options?: FrequencyOptions): LossByFrequency;
  /**
   * How often the model lets each token of a text follow itself, beside how often it does and how often it occurs; see {@link SelfTransitions}.
   * Texts longer than the context are read in sequences of `contextLength`.
   *
   * @throws {TiedError} 'invalid-argument' if there are fewer than two ids or one is not below `vocabSize`; 'unsupported' for an encoder-decoder or a culled head; 'not-finite' if a logit is not; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const tokenIds = Uint32Array.of(0, 1, 0, 0, 1);
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
   *   training: { learningRate: 0.1, batchSize: 2, seed: 1 },
   *   tokenIds,
   * });
   * trainer.setMatrix('embedding', { rows: 2, cols: 1, data: Float32Array.of(0, 1) });
   * const { observed, predicted, chance, below, perToken } = trainer.selfTransitions(tokenIds);
   * [observed, chance]; // → [0.25, 0.625]
   * perToken.predicted[0]; // → 0.5
   * [below.observed, below.predicted]; // → [2, 1]
   * predicted > observed; // → true
   * ```
   */
  selfTransitions(tokenIds: Uint32Array, options?: DiagnosticOptions): SelfTransitions;
  /**
   * Whether the model's confidence in its most probable next token is how often it is right; see {@link Calibration}. Texts longer than the context
   * are read in sequences of `contextLength`.
   *
   * @throws {TiedError} 'invalid-argument' if there are fewer than two ids or one is not below `vocabSize`, or for a number of bins out of range; 'unsupported' for an encoder-decoder or a culled head; 'not-finite' if a logit is not; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const tokenIds = Uint32Array.of(0, 1, 0, 0, 1);
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
   *   training: { learningRate: 0.1, batchSize: 2, seed: 1 },
   *   tokenIds,
   * });
   * trainer.setMatrix('embedding', { rows: 2, cols: 1, data: Float32Array.of(0, 0) });
   * const { accuracy, confidence, error } = trainer.calibration(tokenIds, { bins: 10 });
   * // Equally probable tokens: it says 0, and half of the next tokens are 0.
   * [accuracy, confidence, error]; // → [0.5, 0.5, 0]
   * ```
   */
  calibration(tokenIds: Uint32Array, options?: CalibrationOptions): Calibration;
  /**
   * Counts exactly which n-grams of a text share rows of the model's hashed tables (option `ngrams`). The text is read as a whole, so
   * only n-grams of full length count.
   *
   * @throws {TiedError} 'unsupported' if the model reads no n-grams; 'invalid-argument' if there are fewer than `order` ids or more than 2^24, or if one is not below `vocabSize`; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const tokenIds = Uint32Array.from({ length: 300 }, (_, i) => (i * i + (i >> 3)) % 50);
   * const trainerOf = (heads: number) => core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 50, dModel: 8, tying: 'tied', ngrams: { order: 2, rows: 100, heads } },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   tokenIds,
   * });
   * const [one, two] = [1, 2].map((heads) => trainerOf(heads).ngramCollisions(tokenIds).lengths[0]!);
   * one!.ngrams === two!.ngrams; // → true
   * one!.shared > 10 * two!.shared; // → true
   * ```
   */
  ngramCollisions(tokenIds: Uint32Array, options?: DiagnosticOptions): NgramCollisions;
  /**
   * Leaves each layer out in turn (zero ablation of both of its parts) and measures the loss of a text. The other layers were trained
   * together with that layer, so this is what the model loses, not what a model trained without the layer would lose. There is no chance
   * level, because nothing is fitted or drawn: an increase of 0 means that the layer does nothing, and `standardError` comes from the text.
   *
   * @throws {TiedError} 'unsupported' for a direct path; 'invalid-argument' if there are fewer than two ids or one is not below `vocabSize`; 'not-finite' if a loss is not; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const tokenIds = Uint32Array.from({ length: 64 }, (_, i) => (i * i) % 8);
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8, tying: 'untied' },
   *   training: { learningRate: 0.01, batchSize: 4, seed: 1 },
   *   tokenIds,
   * });
   * trainer.run(50);
   * trainer.ablateLayers(tokenIds).layers.map(({ increase }) => increase > 0); // → [true]
   * ```
   */
  ablateLayers(tokenIds: Uint32Array, options?: DiagnosticOptions): LayerAblation;
}
