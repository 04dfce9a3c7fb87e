/** What a trainer's hidden states say when they are read as predictions, and what the loss asks of its tables. */
import type { DiagnosticOptions } from './diagnostics-types.js';
import type { Matrix } from './direct-path-types.js';

export interface LogitsOptions {
  /** A layer, 0 the first, that adds nothing to the residual stream: neither its attention nor its feed-forward part. */
  withoutLayer?: number;
}

export interface HiddenStatesOptions {
  /**
   * Adds one more: the last state after the final norm, which the logits are made of; of a direct path with an MLP, after
   * that. The same again where there is neither. Default false.
   */
  finalNorm?: boolean;
}

/** Translators of a tuned lens; layer l reads h + h A_l + b_l, where h is the residual stream before it. */
export interface TunedLens {
  /** One per layer; the state after the last layer needs none. `weight`: A_l [d, d]; `bias`: b_l [d]. */
  readonly layers: readonly { readonly weight: Matrix; readonly bias: Float32Array }[];
  /** [steps, layers]: the mean divergence in bits of the tokens of each step, before its update. */
  readonly history: Matrix;
  /** Tokens of the text that were in no sequence of any step. */
  readonly leftOut: number;
}

export interface TunedLensOptions extends DiagnosticOptions {
  /** The text to learn from; at least one sequence is cut from it. */
  tokenIds: Uint32Array;
  /** Default 150. */
  steps?: number;
  /** Approximate number of tokens per step, in whole sequences. Default 1,024. */
  tokensPerStep?: number;
  /** Of the first step; decreases linearly to 0. Default 0.01. */
  learningRate?: number;
  /** Moves the places where sequences are cut. Default 0. */
  seed?: number;
}

export interface LensOptions extends DiagnosticOptions {
  /** Absent: a logit lens. */
  lens?: Pick<TunedLens, 'layers'>;
}

export interface LensLayer {
  /** The mean over tokens of KL(last layer ‖ this one), in bits; 0 in the last layer. */
  divergence: number;
  /** The mean cross-entropy of the next tokens, in nats; null where no token has a next one. */
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
   * What a layer that tells the tokens apart in no way reaches at best, in bits: with p the last layer's prediction after a token and p̄
   * its mean over tokens, the mean of KL(p ‖ p̄). The last layer's mutual information with the position; at most log₂ of the tokens.
   * The chance level of a tuned lens too: no translator that ignores its state is nearer, whatever text it learned from.
   */
  chance: number;
  /** Tokens without a loss: the last one, whose next is not known. Its divergence counts. */
  leftOut: number;
}

export interface FrequencyOptions extends DiagnosticOptions {
  /** How often each token occurs [V]. Default: in `tokenIds`. */
  counts?: Uint32Array;
}

export interface LossBand {
  /** Predicted tokens that occur `from` to `to` times, both included. */
  from: number;
  to: number;
  /** Predictions in the band. */
  tokens: number;
  /** Mean, nats per token. */
  loss: number;
  /** Of the mean; NaN for a single prediction. */
  standardError: number;
  /** The mean of the same predictions from frequencies alone; see `LossByFrequency`. */
  chance: number;
}

export interface LossByFrequency {
  /** Mean over all predictions, nats per token. */
  loss: number;
  /**
   * The loss of a reader who predicts each token as often as `counts` has it, whatever precedes. Tokens that `counts` lacks share what the
   * text has of them, equally: the least loss that such a reader can have. With the counts of the text it is the entropy of its tokens.
   */
  chance: number;
  /** Predictions. */
  tokens: number;
  /** Tokens that nothing predicts: the first. */
  leftOut: number;
  /** Bands that have predictions; they begin at 0, 1, 4, 10, 32, 100, ...: at half powers of ten. */
  bands: LossBand[];
}

/** What each layer is worth: a causal measure, where a lens only reads. */
export interface LayerAblation {
  /** Of the whole model: mean over all predictions, nats per token. */
  loss: number;
  /** Predictions. */
  tokens: number;
  /** Tokens that nothing predicts: the first. */
  leftOut: number;
  /** From the first layer on. */
  layers: {
    /** Without this layer: neither its attention nor its feed-forward part adds to the residual stream. */
    loss: number;
    /** What leaving it out adds to the loss; 0 if it does nothing, below 0 if it does harm. */
    increase: number;
    /** Of `increase`; NaN for a single prediction. */
    standardError: number;
  }[];
}

/** Norms of the gradient of the tables, and of the two parts of the output gradient. */
interface GradientNorms {
  /** Of the part through reading [V, d]. */
  input: number;
  /** Of the part through writing [V, d]. */
  output: number;
  /** input / (input + output). 1/2 where both norms are equal; that is no chance level, for nothing says how long a part is by chance. */
  inputShare: number;
  /** Of the part of `output` that moves rows towards the states before their own token. */
  pull: number;
  /** Of the part of `output` that moves rows away from the states before other tokens. */
  push: number;
}

export interface GradientBand extends GradientNorms {
  /** Tokens that occur `from` to `to` times, both included. */
  from: number;
  to: number;
  /** Rows in the band. */
  count: number;
  /** Rows that are pushed more than pulled: their summed logit gradient is positive. */
  pushedRows: number;
}

/**
 * The gradient of the mean loss of a text by role. With y the state that meets the unembedding, p the probabilities and t the next
 * token: the row of token v gets the mean of (p_v - 1) y over tokens with t = v (pull), and of p_v y over all others (push).
 */
export interface GradientReport extends GradientNorms {
  /** Predictions. */
  tokens: number;
  /** Tokens that predict nothing: the last one, whose next is not known. */
  leftOut: number;
  /** The input part with one gradient per position, [tokens, d], not summed by token; and its share. */
  inputPositionNorm: number;
  inputPositionShare: number;
  /** Of the input with the output part. */
  cosine: number;
  /**
   * Of `cosine` over all orders of the rows of one part, in closed form. `mean`: <Σ input_v, Σ output_v> / (V |input| |output|). The rows of the
   * output part add up to 0, as probabilities less the right token do, so it is 0 to rounding. `standardDeviation`: at most 1 / √(V - 1), where
   * rows lie on a line; about 1 / √(d V) where they point in all directions alike.
   */
  cosineNull: { mean: number; standardDeviation: number };
  /**
   * What fraction of the norm of the logits' gradient reaches the hidden state through the unembedding; the rest no hidden state can
   * change. `chance`: that of a random direction, √(d / V). NaN where the columns of the unembedding depend on each other.
   */
  reach: { share: number; chance: number };
  /** Bands that have rows. */
  bands: GradientBand[];
}

/** Diagnostics of a trainer; a lab fetches their wasm module on the first call, `loadCore` takes `modules: ['readout']`. */
export interface ReadoutVerbs {
  /**
   * What each layer of a transformer would predict if its hidden state were the last one: read by final norm and unembedding as it is
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
   * Trains a tuned lens for `logitLens`: one affine translator per layer, which starts at zero and minimises KL(last layer ‖ lens) with
   * Adam. The model does not change. With the same options two models get the same sequences and the same number of steps. What a lens
   * reaches by chance is `chance` of `logitLens`, on the text that the lens reads there.
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
   * @throws {TiedError} 'unsupported' for a direct path; 'invalid-argument' if there are fewer than two ids or one is not below `vocabSize`; 'shape-mismatch' if there are not `vocabSize` counts; 'not-finite' if the gradient is not; 'cancelled' after `signal` was aborted
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
   * @throws {TiedError} 'invalid-argument' if there are fewer than two ids or one is not below `vocabSize`; 'shape-mismatch' if there are not `vocabSize` counts; 'not-finite' if a loss is not; 'cancelled' after `signal` was aborted
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
   * Leaves each layer out in turn (zero ablation of both of its parts) and measures the loss of a text. The other layers are as they
   * were trained, with that layer; so this is what the model loses, not what a model trained without the layer would lose. There is no
   * chance level, because nothing is fitted or drawn: an increase of 0 is a layer that does nothing, and `standardError` is that of the text.
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
