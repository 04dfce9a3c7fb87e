/** Public types of model and training configurations; a part of types.ts. */

/**
 * Which matrices share storage, and through what map. The logits, where h is the model's last hidden state (of a
 * direct path: the embedding row): `h W_Eᵀ` (tied), `h W_Uᵀ` (untied), `h M W_Eᵀ` (tied-linear, M [d, d] starts as the
 * identity),
 * `(h + mlp(h)) W_Eᵀ` (tied-mlp, direct path only, starts at zero effect), `h (W_E + A Bᵀ)ᵀ` (tied-low-rank, transformer
 * only, A [V, r] starts at zero).
 */
export type Tying = 'tied' | 'untied' | 'tied-linear' | 'tied-mlp' | 'tied-low-rank';

/**
 * One change of the tying while the model trains: tied up to and including a step, then two matrices that start as copies
 * of the one; or two matrices that become one, their mean. Optimizer state is split or joined with them. The step is
 * either given, or the first at which a condition holds.
 */
export type TyingChange =
  { untieAtStep: number } | { tieAtStep: number } | { untieWhen: TyingCondition } | { tieWhen: TyingCondition };

/**
 * Tying that changes while the model trains: once, or up to 8 times, untying and tying in turn. In a list, given steps
 * must ascend, and a condition counts its steps from the previous change. When a given step is reached, earlier changes
 * whose condition has not held are skipped.
 */
export type TyingSchedule = TyingChange | readonly TyingChange[];

/**
 * What has to be measured before the tying changes. Steps are grouped into blocks; at the end of each block, the mean
 * `inputShare` of its steps (as in step records, whether stored or not) is compared with the limit. `setMatrix`
 * begins a new block.
 */
export interface TyingCondition {
  /** From 0 to 1. */
  inputShare: { above: number } | { below: number };
  /** Steps per block. */
  over: number;
  /** Steps before the first block, such as a warm-up; counted from the previous change, if there is one. Default 0. */
  from?: number;
}

/**
 * What predicts the next token. Frequencies are those of the training tokens, so every head but the full one needs
 * `tokenIds`; tokens of equal frequency are in the order of their ids. Tying 'tied-low-rank' works with 'full' only, and
 * 'adaptive' does not work with a tying that changes. Every head but 'full' updates only the rows of the tables that a
 * step touches: AdamW is lazy, that is, a row that a step does not touch neither moves nor decays, and its moments do not
 * fade. These heads need the wasm module `models`: a lab fetches it, `loadCore` takes `modules: ['models']`.
 *
 * - `full`: a softmax over all tokens.
 * - `sampled`: training steps use a softmax over the target and `samples` tokens, drawn with replacement for the whole batch
 *   by `proposal`: 'log-uniform', log(1 + 1 / r) for the r-th most frequent token, or 'counts', one more than their counts. A
 *   drawn token's logit is corrected by the logarithm of its expected count, and a drawn target is removed. Losses in records
 *   are sampled; `evaluate` and everything else use the full softmax.
 * - `adaptive`: a softmax over the most frequent tokens, up to the first of the `cutoffs`, and one more entry for each of the
 *   clusters that begin at a cutoff; then one over the tokens of a cluster, whose vectors are `divisor`, `divisor`², … times
 *   narrower and are multiplied with the hidden state after a learned map. With 'untied' the clusters have tables of their
 *   own (`tails.0.table`, …; rows in order of frequency, like those of `unembedding`, which has the frequent tokens only).
 *   With every other tying they use the first elements of the tokens' rows in the one table. Exact, like `clustered`.
 * - `clustered`: a softmax over `clusters` groups of tokens of similar frequency, then one over the tokens of a group. Exact:
 *   the probabilities sum to 1. Its logits are log-probabilities.
 * - `culled`: a softmax over some tokens only: the `kept` most frequent ones, or a list of ids. Other tokens have probability
 *   0 and the logit -1e30. Losses are means over the targets that are kept; `evaluate` counts the others as `lostTokens`.
 */
export type HeadConfig =
  | { kind: 'full' }
  | {
      kind: 'sampled';
      /** Tokens drawn per batch. */
      samples: number;
      /** Default 'log-uniform'. */
      proposal?: 'log-uniform' | 'counts';
    }
  | {
      kind: 'adaptive';
      /** 1 to 4 ranks by frequency, ascending, below vocabSize. */
      cutoffs: readonly number[];
      /** Default 4. */
      divisor?: number;
    }
  | {
      kind: 'clustered';
      /** From 2 to vocabSize; √vocabSize costs least. */
      clusters: number;
    }
  | {
      kind: 'culled';
      /** How many of the most frequent tokens to keep, or their ids. */
      kept: number | Uint32Array;
    };

/**
 * Input-only tables of n-grams, one for each n from 2 to `order`, each [rows, dModel] (`ngrams.2`, `ngrams.3`, …). At each
 * position, the row of the n-gram that ends there is added to the token's row. The n-gram is the token and the n - 1 before it in
 * the sequence, or fewer at its start. The row is a hash of the tokens modulo `rows`, from the last token t to the first: h ←
 * mix(h + 0x9E3779B97F4A7C15 (t + 1)), from h = 0, in 64 bits, with the mix of SplitMix64. N-grams with the same hash share a
 * row.
 *
 * With several `heads`, a table is [heads · rows, dModel / heads]: `rows` rows for each head, below each other. The row that is
 * added is one of each head side by side, as many numbers as with one head. The first head's is that of the hash h; head k = 1,
 * 2, … takes mix(h + 0x9E3779B97F4A7C15 k). Two n-grams share all of their numbers only if they share a row in every head.
 *
 * With `places: 'every-layer'`, the same sum of rows is added again before each layer after the first, to the residual stream,
 * without `embeddingScale` and dropout. It has as many parameters.
 *
 * These tables have no part in the output, tied or not. They start like other matrices, and decay and learn like the embedding
 * (`embedding` of `learningRateMultipliers`, `inputGradientScale`). A step changes only the rows that it reads, as in models
 * with a head other than 'full'. Norms, shares and drifts in records are those of the embedding alone.
 */
export interface NgramConfig {
  /** From 2 to 8. */
  order: number;
  /** Rows of each table, or of each head's part of it. */
  rows: number;
  /** A divisor of dModel, at most 64. Default 1. */
  heads?: number;
  /** Default 'input'. */
  places?: 'input' | 'every-layer';
}

/** Options of models of every kind. */
interface AnyModelConfig {
  vocabSize: number;
  dModel: number;
  /**
   * 'sqrt-d-model' multiplies looked-up rows by √dModel, in models of every kind; it is never folded into the matrix.
   * Default 'none'.
   */
  embeddingScale?: 'none' | 'sqrt-d-model';
  /** One learned bias per token, added to its logit. Default false. */
  outputBias?: boolean;
  /** Standard deviation of the normal distribution that matrices start from. Default 0.02. */
  initStd?: number;
  /** Width of the hidden layer of tied-mlp, and of those in the feed-forward parts of transformers and encoder-decoders. Default 4 dModel. */
  dFeedForward?: number;
}

/** Options of direct paths and transformers. */
interface TwoTableConfig extends AnyModelConfig {
  tying: Tying | TyingSchedule;
  /** Default `{ kind: 'full' }`, which a trainer's `model` omits. */
  head?: HeadConfig;
  /**
   * Rank of factorized tables, at most dModel: each is the product of a matrix [V, tableRank], one row per token, and a factor
   * [tableRank, dModel] (`embedding.factor`, `unembedding.factor`). Tied models share both. Requires tying 'tied' or 'untied'
   * without changes and any head but 'adaptive'. Absent: tables [V, dModel].
   */
  tableRank?: number;
}

/** Options of the layers of transformers and encoder-decoders. Norms come before attention and feed-forward parts (pre-norm). */
interface LayersConfig {
  /** Query heads; divides dModel. Default 4. */
  nHeads?: number;
  /** Key and value heads (grouped queries); divides nHeads. Default nHeads. */
  nKeyValueHeads?: number;
  /** Maximum tokens of one sequence; for an encoder-decoder, of a target and the token that starts it. Default 64. */
  contextLength?: number;
  /** Default 'rms-norm'. */
  norm?: 'rms-norm' | 'layer-norm';
  /** Added to the mean square (layer-norm: to the variance) before the square root. Default 1e-5. */
  normEpsilon?: number;
  /** Default 'learned'. */
  positions?: 'learned' | 'none' | 'rotary';
  /** With `positions: 'rotary'` only. Default 10000. */
  rotaryBase?: number;
  /** 'gelu' in its tanh form, as in GPT-2. Default 'gelu'. */
  feedForward?: 'gelu' | 'swiglu';
  /** Whether the output of the last layer is normalized before it is read out. Default true. */
  finalNorm?: boolean;
  /** Which linear maps have biases ('all': layer-norms too). Default 'feed-forward'. */
  biases?: 'none' | 'feed-forward' | 'all';
  /** Dropout rate in training: after the embedding, in attention and after each branch. Default 0. */
  dropout?: number;
}

/** Options that only models of another kind have; refused if given. */
type Absent<Names extends PropertyKey> = Partial<Record<Names, never>>;
type OfTransformers = 'lowRank' | 'nLayers' | 'ngrams' | 'valueEmbeddings' | 'objective' | 'maskRate';
type OfTextModels = 'head' | 'tableRank';
type OfEncoderDecoders = Exclude<
  keyof EncoderDecoderConfig,
  keyof AnyModelConfig | keyof LayersConfig | 'kind' | 'tying' | OfTextModels | OfTransformers
>;

/** A direct path: logits from the embedding row alone. */
export interface DirectPathConfig
  extends TwoTableConfig, Absent<keyof LayersConfig | OfTransformers | OfEncoderDecoders> {
  kind: 'direct-path';
}

/** A decoder-only transformer. */
export interface TransformerConfig extends TwoTableConfig, LayersConfig, Absent<OfEncoderDecoders> {
  kind: 'transformer';
  /** Rank of the correction of tied-low-rank, at most dModel. Default 8, or dModel if that is less. */
  lowRank?: number;
  /** Default 4. */
  nLayers?: number;
  /** Input tables of n-grams. Default: none. */
  ngrams?: NgramConfig;
  /**
   * A table E_V whose row of a token is added to the token's values in every layer: v_i = W_V norm(x_i) + E_V[t_i] (plus W_V's
   * bias if it has one), unscaled, without dropout, the same table in all layers. Keys and queries do not change.
   *
   * - 'own': a parameter `value_embedding` [V, nKeyValueHeads dModel / nHeads], as wide as one row of values; starts like other
   *   matrices.
   * - 'tied': the input embedding, W_E, in a further role: the third of a tied table. It has to be as wide as values, so this is
   *   refused with fewer nKeyValueHeads than nHeads, and with `tableRank`.
   *
   * The table decays and learns like the embedding (`embedding` of `learningRateMultipliers`), and `inputGradientScale`
   * multiplies the gradient of this role as well. `inputShare` compares reading and writing alone; this role has its own
   * `valueGradientNorm` in records and its own part in `gradient()`. Default 'none', which a trainer's `model` omits.
   */
  valueEmbeddings?: 'none' | 'own' | 'tied';
  /**
   * What the model predicts.
   *
   * - 'next-token': each token from those before it.
   * - 'masked': hidden tokens from all visible ones, before and after them, as BERT does. Of each sequence of n tokens, n `maskRate`
   *   are hidden, rounded, at least one; which ones is drawn from the seed. The loss is the mean over the hidden ones, in nats per hidden token.
   * - 'masked-diffusion': the same, but how many are hidden is drawn for each sequence, 1 to n, all equally likely, as in masked
   *   diffusion (LLaDA). The loss is the mean over sequences of the mean over their hidden tokens. Its expectation is a bound in nats per token of the
   *   text: no less than what the model's own probability of a sequence costs if its tokens are predicted one by one in random order.
   *
   * With either of the last two, attention reads both sides. A hidden token is replaced by the mask, which is the id `vocabSize`: `logits`, `hiddenStates` and
   * `attention` read it. The mask has a row of its own, the parameter `mask_embedding` [1, dModel], and none in the tables: it is only
   * read, never predicted, so tying concerns the same rows as in any other model. It decays and learns like the embedding. The model reads and predicts the tokens
   * that a model with 'next-token' predicts from the same data. `evaluate` hides tokens by what each sequence contains, so every evaluation of a text hides the same ones.
   * Not with `head`, `tableRank`, `ngrams` or `valueEmbeddings`. Default 'next-token', which a trainer's `model` omits.
   */
  objective?: 'next-token' | 'masked' | 'masked-diffusion';
  /** Fraction of the tokens of a sequence that is hidden, above 0 and at most 1; objective 'masked' only. Default 0.15. */
  maskRate?: number;
}

/** The three token tables of an encoder-decoder: two for input, one for output. */
export type TokenTable = 'encoder-input' | 'decoder-input' | 'output';

/**
 * Which of the three tables of an encoder-decoder are one. 'all': all three. 'decoder': the decoder's two. 'none': three
 * separate tables. `{ tables }`: the two or three named. A trainer's `model` uses `{ tables }`, in the order of
 * `TokenTable`, only for pairs that no word describes.
 */
export type PairTying = 'all' | 'decoder' | 'none' | { tables: readonly TokenTable[] };

/**
 * An encoder that reads a source in both directions, and a decoder that continues a target and attends to the whole source.
 * It trains on pairs, and needs the wasm module `models`: a lab fetches it, `loadCore` takes `modules: ['models']`.
 */
export interface EncoderDecoderConfig extends AnyModelConfig, LayersConfig, Absent<OfTransformers | OfTextModels> {
  kind: 'encoder-decoder';
  tying: PairTying;
  /** Default 2. */
  nEncoderLayers?: number;
  /** Default 2. */
  nDecoderLayers?: number;
  /** Maximum tokens of a source. Default 32. */
  sourceLength?: number;
  /** Ids of the tokens before and after each target, which no target may contain. Defaults 0 and 1. */
  startToken?: number;
  endToken?: number;
  /** 'inverse-sqrt-d-model' divides logits by √dModel, as in T5 with tied tables. Default 'none'. */
  logitScale?: 'none' | 'inverse-sqrt-d-model';
}

/** Models that continue a text. */
export type TextModelConfig = DirectPathConfig | TransformerConfig;

export type ModelConfig = TextModelConfig | EncoderDecoderConfig;

/**
 * A factor: a constant, or up to 16 pairs [steps done, value], ascending, with straight lines between them and the nearest
 * value outside.
 */
export type FactorSchedule = number | readonly (readonly [step: number, value: number])[];

export interface TrainingConfig {
  /**
   * 'coupled-adamw' is AdamW, but all rows of a token table share one second moment (one value per column), the mean of their
   * squared gradients, as in arXiv 2502.08441. 'muon' trains the linear maps of layers by Muon, those to queries, keys and values
   * one by one: each step moves them by an almost orthogonal matrix, as `torch.optim.Muon` does, though not in bfloat16. AdamW
   * trains everything else: tables, positions, norms, biases, corrections and maps of the head, and so all of a direct path. Default 'adamw'.
   */
  optimizer?: 'adamw' | 'sgd' | 'coupled-adamw' | 'muon';
  learningRate: number;
  /** Steps of linear warm-up. Default 0. */
  warmupSteps?: number;
  /** Default 'constant'. 'cosine' falls from `learningRate` to `finalLearningRateFraction` of it at `totalSteps`. */
  decay?: 'constant' | 'cosine';
  /** Where the cosine ends; needed for `decay: 'cosine'`. */
  totalSteps?: number;
  /** Default 0. */
  finalLearningRateFraction?: number;
  /** Decoupled from the gradient; applies to matrices only, not to biases and norms. Default 0. */
  weightDecay?: number;
  /** Maximum norm of the whole gradient; absent = no clipping. */
  gradientClip?: number;
  /** SGD and Muon only. Default 0, with Muon 0.95. */
  momentum?: number;
  /**
   * Muon only: the rate of the maps in place of `learningRate`, which remains that of AdamW; warm-up, decay and the factor of `inner` apply
   * to both. Default: `learningRate`.
   */
  muonLearningRate?: number;
  /**
   * Muon only: the factor of the rate for a map [rows, cols]. 'match-rms-adamw' is 0.2 sqrt(max(rows, cols)), which moves it about as far as
   * AdamW would, so that one rate fits both (arXiv 2502.16982); 'original' is sqrt(max(1, rows / cols)), for which rates near 0.02 are
   * usual. Default 'match-rms-adamw'.
   */
  muonScale?: 'match-rms-adamw' | 'original';
  /** AdamW only, also beside Muon. Defaults 0.9, 0.999, 1e-8. */
  beta1?: number;
  beta2?: number;
  epsilon?: number;
  /**
   * Sequences of contextLength tokens per batch (direct path: (token, next token) pairs; encoder-decoder: pairs of source and
   * target). Required with `tokenIds` and `pairs`; ignored with `bigramCounts`, which always uses the whole table.
   */
  batchSize?: number;
  /**
   * Batches per step, one after the other: memory for one batch, and the mean gradient of all. Ignored with
   * `bigramCounts`. Default 1.
   */
  gradientAccumulation?: number;
  /**
   * Parts of each batch, as even as whole sequences allow, whose gradients are computed one by one and added in a fixed order. Results
   * depend on it only by rounding, and not at all on how many threads compute the parts. At most `batchSize` and 64; 1 with
   * `bigramCounts`. Memory for one more gradient each time it doubles, and for one part's activations. Default 1.
   */
  shards?: number;
  /**
   * Multiplies the input part of the embedding's gradient (encoder-decoder: of both input tables; value embeddings: of their
   * part, too): a constant, or pairs [steps done, value]. Records report the parts without it. Default 1.
   */
  inputGradientScale?: FactorSchedule;
  /**
   * Multiplies the output part: the gradient of the unembedding, tied or not (an untied adaptive head: of all its token tables). At 0 a tied table
   * learns by reading only, as with `inputGradientScale` 0 it learns by writing only; an untied unembedding then only decays. Default 1, which a
   * trainer's `training` omits.
   */
  outputGradientScale?: FactorSchedule;
  /**
   * Factors of the learning rate by role: for the embedding, the unembedding, and all else (`inner`). A matrix with both roles uses
   * `embedding`, as does an encoder's own table. Constants, or pairs [steps done, value]. At 0 nothing moves. Default 1 each.
   */
  learningRateMultipliers?: { embedding?: FactorSchedule; unembedding?: FactorSchedule; inner?: FactorSchedule };
  /**
   * Fraction of each target that is spread evenly over all tokens, in training steps and `gradient`; with a clustered or adaptive head, in
   * each of its two softmaxes; with a culled head, over the kept tokens. `evaluate` ignores it. From 0 to below 1. Default 0.
   */
  labelSmoothing?: number;
  /**
   * Divides the logits, in training and in all predictions; `generate` additionally has its own temperature. From 0.001 to 1000. Default 1. Weight files do not store it: pass it to `toTrainer` too.
   */
  temperature?: number;
  /** Whether weight decay applies to embedding, unembedding and positions as well. Default true. */
  decayEmbeddings?: boolean;
  /** Determines the data that each step draws, dropout, and the initial weights. An integer below 2^53. */
  seed: number;
  /** Seed of the initial weights, if it is to differ from `seed`. */
  initSeed?: number;
}
