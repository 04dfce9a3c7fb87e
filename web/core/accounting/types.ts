/**
 * The public types of accounting: what a model is, what it costs, and what tying saves. Counts are integers: exact up to
 * 2^53 (9.0e15), the nearest double beyond, and refused above 2^64 - 2. Shares are fractions of one. Shapes are in square
 * brackets.
 */

// ---------------------------------------------------------------- what is counted

/** Supplies the value of every absent field; see `MODEL_FAMILIES` in model-families.ts for each. */
export type ModelFamily =
  | 'gpt-2'
  | 'bert'
  | 't5'
  | 'llama'
  | 'gemma'
  | 'gpt-neox'
  | 'mixture-of-experts'
  /** What `createTrainer` makes of `kind: 'transformer'`. */
  | 'tied-embeddings'
  /** 12 d² per layer and the tables, nothing else. */
  | 'plain-formula'
  /** The token tables, and what `tensors` lists. */
  | 'listed';

/** A tensor of a model whose layers the fields of `Architecture` cannot describe. */
export interface ListedTensor {
  /** With `*` for the number of a layer or expert, like the names of `CountedTensor`. */
  name: string;
  /** [rows, cols], or [size] of a vector. */
  shape: readonly number[];
  /** How many tensors have this name and shape; default 1. */
  copies?: number;
  /** How many of them one token uses, such as those of the active experts; default: all. */
  activeCopies?: number;
  /** 'tables' are looked up only: a table that writes is one of the token tables. */
  group: ParameterGroup;
}

/** A transformer: a decoder, an encoder or an encoder-decoder. Absent fields take the family's value. */
export interface Architecture {
  family: ModelFamily;
  /** Tokens in the input vocabulary (the encoder's, if there is one). */
  vocabSize: number;
  dModel: number;
  /** Layers of the decoder, or of an encoder alone. May be 0. */
  nLayers: number;
  stack?: 'decoder' | 'encoder' | 'encoder-decoder';
  /** Tokens in the output vocabulary; default: vocabSize. If it differs, input and output cannot share a table. */
  outputVocabSize?: number;
  /** Layers of an encoder-decoder's encoder; default: nLayers. */
  nEncoderLayers?: number;
  /** Default: dModel divided by the family's head width (else by 64) if that is an integer, otherwise 1; 'tied-embeddings': 4. */
  nHeads?: number;
  /** Divides nHeads; default: nHeads. */
  nKeyValueHeads?: number;
  /** Width of a head; default: T5 64, Gemma 256, others dModel / nHeads, which must then be an integer. */
  dHead?: number;
  /** Hidden width of the feed-forward part; of one expert, if there are experts. */
  dFeedForward?: number;
  /** 'gated': gate, up and down (SwiGLU, GeGLU). */
  feedForward?: 'plain' | 'gated';
  nExperts?: number;
  nActiveExperts?: number;
  nSharedExperts?: number;
  /** How many of the first layers have one feed-forward part, of width dDenseFeedForward, instead of experts. */
  nDenseLayers?: number;
  dDenseFeedForward?: number;
  /** 'relative': T5's biases, one table per stack. Sinusoids and ALiBi have no parameters: 'none'. */
  positions?: 'learned' | 'rotary' | 'relative' | 'none';
  /** Rows of learned positions. */
  contextLength?: number;
  relativeBuckets?: number;
  /** Rows of a table of segments (BERT: 2). */
  nSegments?: number;
  norm?: 'layer-norm' | 'rms-norm' | 'none';
  normBiases?: boolean;
  /** The decoder of an encoder-decoder has one more, for its cross-attention. */
  normsPerLayer?: number;
  /** 'head': weights as wide as one head; 'full': as wide as all queries, and all keys. */
  queryKeyNorm?: 'none' | 'head' | 'full';
  embeddingNorm?: boolean;
  finalNorm?: boolean;
  /** Which linear maps inside the layers have biases. */
  biases?: 'none' | 'all' | 'query-key-value' | 'feed-forward';
  /** One matrix for queries, keys and values: changes names and shapes, not counts. */
  fusedQueryKeyValue?: boolean;
  /** A map [d, d] with bias and a norm before the output table (BERT). */
  headTransform?: boolean;
  /** One learned bias per output token. */
  outputBias?: boolean;
  /** Rank of the correction; tying 'tied-low-rank' only. */
  lowRank?: number;
  /** Rank of factorized tables, each a product [V, tableRank] [tableRank, d] as in ALBERT; at most dModel. Default 0: tables [V, d]. */
  tableRank?: number;
  /**
   * Input-only tables of n-grams, one [ngramRows, dModel] for each n from 2 to `ngramOrder` (at most 8), like `ngrams`
   * of `TransformerConfig`. Each token looks up one row per table; the tables take part in no matrix product. Default
   * 0: none.
   */
  ngramOrder?: number;
  ngramRows?: number;
  /**
   * A table added to the values of every layer, like `valueEmbeddings` of `TransformerConfig`: 'own' adds one [vocabSize,
   * nKeyValueHeads dHead]; 'tied' uses the input table, which must be as wide. Each token looks up one row. A single stack only.
   * Default 'none'.
   */
  valueEmbeddings?: 'none' | 'own' | 'tied';
  /**
   * Family 'listed' only, and required there: all tensors but the token tables, at most 10,000 entries. `nLayers` then only says how many layers
   * they make up; fields that describe layers keep their defaults. `countCompute` refuses such an architecture.
   */
  tensors?: readonly ListedTensor[];
}

/** Every field filled in. Fields that do not apply are 0. Valid as input. */
export type CompleteArchitecture = Required<Architecture>;

/**
 * Which token tables share storage. 'tied': all. 'untied': none. 'tied-linear', 'tied-mlp', 'tied-low-rank': one table
 * and a map, see `Tying`. An encoder-decoder has three tables: 'tied-inputs' shares its two input tables, 'tied-decoder'
 * the decoder's two.
 */
export type TableTying =
  'tied' | 'untied' | 'tied-linear' | 'tied-mlp' | 'tied-low-rank' | 'tied-inputs' | 'tied-decoder';

// ---------------------------------------------------------------- parameters

export type ParameterGroup = 'tables' | 'positions' | 'attention' | 'feed-forward' | 'norms' | 'head';

export interface CountedTensor {
  /** `*` stands for the layer, or for layer and expert: 'layers.*.attention.query.weight'. */
  name: string;
  /** [rows, cols], or [size] of a vector. */
  shape: number[];
  /** How many tensors have this name and shape; an integer, like all counts. */
  copies: number;
  group: ParameterGroup;
  /** The tensor whose storage this one uses; null = its own. */
  tiedTo: string | null;
  /** Parameters in all copies. */
  count: number;
}

export interface ParameterCount {
  architecture: CompleteArchitecture;
  tying: TableTying;
  tensors: CountedTensor[];
  /** Parameters stored: a table shared by two roles counts once. */
  stored: number;
  /** Parameters used: a shared table counts once in each of its roles. */
  effective: number;
  /** Parameters used for one token: only its active experts, and a shared table once. Equals `stored` without experts. */
  active: number;
  /** Parameters stored, by group; they add up to `stored`. */
  groups: Record<ParameterGroup, number>;
  /**
   * Parameters stored, by what they do: tables that read tokens and write them, only read, only write, and everything that computes between
   * them. They add up to `stored`.
   */
  roles: { readsAndWrites: number; reads: number; writes: number; computes: number };
  /** Token tables stored: 1, 2 or 3. Tables of n-grams and of values are not counted here. */
  tables: number;
  /** What `stored` would be with all tables shared, and with none. `tied` is null if the vocabularies differ. */
  tied: number | null;
  untied: number;
  /** untied - stored: what this way of tying saves (negative where it adds parameters). */
  saved: number;
  /** saved / stored, and saved / untied. Publications quote one or the other. */
  savedOfStored: number;
  savedOfUntied: number;
  /** Parameters of all tables, those of n-grams and values included / stored. */
  tableShare: number;
}

// ---------------------------------------------------------------- compute and memory

export type Precision = 'float32' | 'bfloat16' | 'mixed';

export interface Batch {
  /** B: sequences per batch. */
  sequences: number;
  /** T: tokens per sequence (of the decoder). */
  tokens: number;
  /** Tokens per sequence of the encoder, if there is one; default: `tokens`. */
  encoderTokens?: number;
  /** Default 'tied', or 'untied' if the vocabularies differ. */
  tying?: TableTying;
  /**
   * 'float32', 'bfloat16': everything in that type. 'mixed': weights, gradients and activations in bfloat16; a copy
   * of the weights, the optimizer state and the logits in float32. Default 'float32'.
   */
  precision?: Precision;
  /** Optimizer values stored per parameter: AdamW 2, SGD with momentum 1, SGD none. Default 'adamw'. */
  optimizer?: 'adamw' | 'sgd-momentum' | 'sgd';
  /** FLOP per second that the machine achieves; absent = no times. */
  flopPerSecond?: number;
  /** Bytes per second that the machine achieves when reading; absent = no serving time. */
  bytesPerSecond?: number;
  /** Alternatives to the full softmax over the vocabulary, to compare with it. */
  heads?: {
    /** Sampled softmax (Jean et al. 2015): the target and this many others per step. */
    sampled?: { samples: number };
    /**
     * Adaptive softmax (Grave et al. 2017), with ids in order of frequency. `cutoffs`: where the head and each cluster
     * but the last end. Each cluster's vectors are `divisor` (default 4) times narrower than those of the cluster
     * before.
     */
    adaptive?: { cutoffs: readonly number[]; divisor?: number };
    /** Only the most frequent tokens are kept. */
    culled?: { vocabSize: number };
    /** Two levels (Goodman 2001): first a cluster, then a token in it. */
    clustered?: { clusters: number };
  };
}

export type ComputePart = 'lookup' | 'projections' | 'scores' | 'feed-forward' | 'head';

/** Multiply-accumulates; one is two FLOP. */
export interface Macs {
  forward: number;
  backward: number;
  total: number;
}

export interface HeadCost {
  kind: 'full' | 'sampled' | 'adaptive' | 'culled' | 'clustered';
  /** Per step; adaptive: with as many tokens in each cluster as Zipf's law (1 / rank) expects. */
  macs: Macs;
  /** Adaptive: with every cluster computed for every token. Other heads: same as `macs`. */
  atMost: Macs;
  /** Parameters that the head uses, whether or not it shares them with an input table. */
  parameters: number;
  /** Logits that a step holds in memory. */
  logits: number;
  logitsBytes: number;
  /** macs.total / macs.total of the full head. */
  shareOfFull: number;
  /**
   * Whether every token of the vocabulary gets an exact probability and these sum to 1. False for 'sampled' (while
   * training) and for 'culled' (dropped tokens get none).
   */
  exact: boolean;
}

export interface ComputeCount {
  architecture: CompleteArchitecture;
  tying: TableTying;
  /** `lookup` reads rows and, in the backward pass, adds to them. Its only multiplications are those with the factors of factorized tables. */
  parts: Record<ComputePart, Macs>;
  /** Per step over the whole batch. */
  macs: Macs;
  flop: Macs;
  /** The head's fraction of the forward pass. */
  headShare: number;
  /** The same without the attention scores: V / (V + 12 L d) in the plain formula. */
  headShareOfWeights: number;
  bytes: {
    weights: number;
    gradients: number;
    optimizer: number;
    /** Stored for the backward pass, without the logits; docs/accounting.md lists them. */
    activations: number;
    /** One array [tokens, V]. */
    logits: number;
    total: number;
  };
  /** The same bytes with one table per role. */
  untiedBytes: ComputeCount['bytes'];
  /** Null if no rate was given. */
  seconds: { forward: number; step: number } | null;
  serving: {
    weights: number;
    /** Keys and values of one token in one sequence. */
    cachePerToken: number;
    /** Cache of the whole batch, an encoder's tokens included. 0 for an encoder alone. */
    cache: number;
    /** Logits of one position per sequence. */
    logits: number;
    total: number;
    /**
     * Bytes read for one new token per sequence: every matrix applied to it, and the cache. Excludes tables that are
     * only looked up, idle experts, and an encoder that has finished.
     */
    readPerToken: number;
    /** FLOP for one new token per sequence. Both are 0 for an encoder alone, which generates no tokens. */
    flopPerToken: number;
    /** Seconds for one new token per sequence: the slower of reading and computing; null unless both rates are given, and for an encoder. */
    secondsPerToken: number | null;
  };
  /** The full head, then the requested ones in the order of `HeadCost.kind`. */
  heads: HeadCost[];
}

// ---------------------------------------------------------------- advice

export interface TyingContext {
  /** What the weights start from. Default 'scratch'. 'tied' is refused if the vocabularies differ. */
  startsFrom?: 'scratch' | 'tied' | 'untied';
  /**
   * A loss difference that you measured: tied minus untied, in nats per token. Refused if the vocabularies differ.
   */
  lossDifference?: number;
  /** Maximum parameters of the whole model; absent = no limit. */
  parameterBudget?: number;
  /** Precision and optimizer of training, which set the memory per parameter; defaults 'float32' and 'adamw', see `Batch`. */
  precision?: Precision;
  optimizer?: Batch['optimizer'];
}

export type ReasonKind =
  /** Input and output have different vocabularies, so one table cannot serve both. */
  | 'vocabularies'
  /** Untied weights already exist and would have to be discarded. */
  | 'starts-from'
  | 'budget'
  | 'saved-share'
  | 'depth'
  | 'width'
  | 'memory'
  | 'precedent'
  | 'measured-loss';

export interface TyingReason {
  kind: ReasonKind;
  favours: 'tied' | 'untied' | 'neither';
  /** Whether this reason alone decides. */
  decisive: boolean;
  /**
   * Its weight when no reason is decisive. 0 for a reason that favors neither, and for 'depth', 'width' and 'memory',
   * which restate 'saved-share' in other units.
   */
  votes: number;
  /** Every number in `sentence`, by name. */
  numbers: Readonly<Record<string, number>>;
  /** English, made from `numbers` (and `models`) alone. */
  sentence: string;
  /** Precedents: ids of known models. */
  models?: readonly string[];
}

export interface TyingAdvice {
  /** null: both sides have equal votes, or decisive reasons contradict each other. */
  tie: boolean | null;
  /**
   * The rule, from docs/decisions/0014-how-advice-is-made.md: decisive reasons decide if they agree; if they contradict
   * each other, nothing does; without any, the side with more votes wins.
   */
  decidedBy: 'decisive' | 'contradiction' | 'votes' | 'balance';
  votes: { tied: number; untied: number };
  /** The verdict in one English sentence, made from the fields above. */
  sentence: string;
  /** (untied - tied) / untied: the fraction of the untied model that tying saves. 0 if the vocabularies differ. */
  embeddingShare: number;
  reasons: TyingReason[];
  /**
   * For comparison, a common rule of thumb: one table as a share of an estimate of the untied model, e / (12 d² L + 2 e) with
   * e = V d. Above 15% it says 'tie', at 5% or less 'do-not-tie'.
   */
  rule: { share: number; says: 'tie' | 'optional' | 'do-not-tie'; agrees: boolean };
}

// ---------------------------------------------------------------- real models

export interface KnownModel {
  /** A short, stable id: 'gpt2', 'llama-3.2-1b'. */
  id: string;
  name: string;
  organization: string;
  /** Year of publication. */
  year: number;
  architecture: Architecture;
  tying: TableTying;
  /** Total parameters, as published; null if there is no published number that could be checked. */
  published: { total: number; source: string } | null;
  /** Sources of the sizes and of the tying. */
  sources: { sizes: string; tying: string };
  note?: string;
}

export interface ImportedModel {
  name: string | null;
  architecture: Architecture;
  /**
   * null: the file does not tell, for example because versions 4 and 5 of transformers follow different flags and it does not name the
   * version that wrote it. `assumptions` then has both answers.
   */
  tying: TableTying | null;
  /** What was assumed because the file does not say it, with the version of transformers that it comes from. English. */
  assumptions: string[];
}

/** The verbs of accounting, part of `Core`. */
export interface AccountingVerbs {
  /**
   * Counts the parameters of a model. `tying` defaults to 'tied' ('untied' where the vocabularies of encoder and decoder differ).
   *
   * @throws {TiedError} 'invalid-argument' if a size is out of range, or the architecture cannot have that tying
   * @example
   * ```ts
   * const gpt2 = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 } as const;
   * const { stored, saved, savedOfStored } = core.countParameters(gpt2);
   * stored; // → 124439808
   * saved; // → 38597376
   * savedOfStored; // → 0.310
   * ```
   */
  countParameters(architecture: Architecture, tying?: TableTying): ParameterCount;
  /**
   * Counts the multiply-accumulates and bytes of a forward and a backward pass.
   *
   * @throws {TiedError} 'invalid-argument' if a size is out of range
   * @example
   * ```ts
   * const gpt2 = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 } as const;
   * const { parts } = core.countCompute(gpt2, { sequences: 1, tokens: 1024 });
   * parts.head.forward; // → 39523713024
   * parts.head.backward === 2 * parts.head.forward; // → true
   * ```
   */
  countCompute(architecture: Architecture, batch: Batch): ComputeCount;
  /**
   * Whether a model should tie its tables: a verdict and the reasons for it.
   *
   * @throws {TiedError} 'invalid-argument' if a size or the context is out of range
   * @example
   * ```ts
   * const gpt2 = { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 } as const;
   * const advice = core.adviseTying(gpt2);
   * advice.reasons.length > 0; // → true
   * ```
   */
  adviseTying(architecture: Architecture, context?: TyingContext): TyingAdvice;
  /**
   * Published models, their architectures and how they tie.
   *
   * @throws {TiedError} 'disposed' after `dispose()` of the core
   * @example
   * ```ts
   * core.knownModels().some(({ id }) => id === 'gpt2'); // → true
   * ```
   */
  knownModels(): KnownModel[];
  /**
   * Reads a model's `config.json`, as Hugging Face writes it, from its text or its parsed JSON.
   *
   * @throws {TiedError} 'bad-file' if it is not a configuration, or its sizes are invalid; 'unsupported' if this kind of model cannot be counted
   * @example
   * ```ts
   * const config = { model_type: 'gpt2', vocab_size: 50257, n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024 };
   * core.importConfig(config).architecture.dModel; // → 768
   * ```
   */
  importConfig(config: string | object): ImportedModel;
}
