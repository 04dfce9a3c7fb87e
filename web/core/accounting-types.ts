/**
 * What users see of accounting: what a model is, what it costs, and what tying saves. Counts are integers: exact up to
 * 2^53 (9.0e15), the nearest double beyond, and refused above 2^64 - 2. Shares are fractions of one. Shapes are in square
 * brackets.
 */

// ---------------------------------------------------------------- what is counted

/** Gives every field that is absent its value; see `MODEL_FAMILIES` in model-families.ts for each. */
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
  | 'plain-formula';

/** A transformer: a decoder, an encoder or an encoder-decoder. Absent fields take the family's value. */
export interface Architecture {
  family: ModelFamily;
  /** Tokens read (by the encoder, where there is one). */
  vocabSize: number;
  dModel: number;
  /** Of the decoder, or of an encoder alone. May be 0. */
  nLayers: number;
  stack?: 'decoder' | 'encoder' | 'encoder-decoder';
  /** Tokens written; default: vocabSize. Where it differs, input and output cannot share a table. */
  outputVocabSize?: number;
  /** Of an encoder-decoder's encoder; default: nLayers. */
  nEncoderLayers?: number;
  /** Default: as many of the family's width, else of 64, as fill dModel, and one where none do; 'tied-embeddings': 4. */
  nHeads?: number;
  /** Divides nHeads; default: nHeads. */
  nKeyValueHeads?: number;
  /** Width of a head; default: T5 64, Gemma 256, others dModel / nHeads, which must then be whole. */
  dHead?: number;
  /** Of one expert, where there are experts. */
  dFeedForward?: number;
  /** 'gated': gate, up and down (SwiGLU, GeGLU). */
  feedForward?: 'plain' | 'gated';
  nExperts?: number;
  nActiveExperts?: number;
  nSharedExperts?: number;
  /** The first layers that have one feed-forward part instead of experts, of width dDenseFeedForward. */
  nDenseLayers?: number;
  dDenseFeedForward?: number;
  /** 'relative': T5's biases, one table a stack. Sinusoids and ALiBi have no parameters: 'none'. */
  positions?: 'learned' | 'rotary' | 'relative' | 'none';
  /** Rows of learned positions. */
  contextLength?: number;
  relativeBuckets?: number;
  /** Rows of a table of segments (BERT: 2). */
  nSegments?: number;
  norm?: 'layer-norm' | 'rms-norm' | 'none';
  normBiases?: boolean;
  /** An encoder-decoder's decoder has one more, for its look at the encoder. */
  normsPerLayer?: number;
  /** 'head': weights of the width of a head; 'full': of all queries, and of all keys. */
  queryKeyNorm?: 'none' | 'head' | 'full';
  embeddingNorm?: boolean;
  finalNorm?: boolean;
  /** Which linear maps inside the layers have biases. */
  biases?: 'none' | 'all' | 'query-key-value' | 'feed-forward';
  /** One matrix for queries, keys and values: changes names and shapes, not counts. */
  fusedQueryKeyValue?: boolean;
  /** A map [d, d] with bias and a norm before the table that writes (BERT). */
  headTransform?: boolean;
  /** One learned bias per output token. */
  outputBias?: boolean;
  /** Of tying 'tied-low-rank'. */
  lowRank?: number;
  /** Of factorised tables, each a product [V, tableRank] [tableRank, d] as in ALBERT, at most dModel. Default 0: tables [V, d]. */
  tableRank?: number;
  /**
   * Input tables that only read, one [ngramRows, dModel] for each n from 2 to `ngramOrder` (at most 8), as `ngrams` of
   * `TransformerConfig`. A token reads a row of each, and no product has them. Default 0: none.
   */
  ngramOrder?: number;
  ngramRows?: number;
}

/** Every field filled in. Fields that do not apply are 0. Valid as input. */
export type CompleteArchitecture = Required<Architecture>;

/**
 * Which token tables share storage. 'tied': all. 'untied': none. 'tied-linear', 'tied-mlp', 'tied-low-rank': one table
 * and a map, see `Tying`. An encoder-decoder has three tables: 'tied-inputs' shares those that read, 'tied-decoder' those
 * of the decoder.
 */
export type TableTying =
  'tied' | 'untied' | 'tied-linear' | 'tied-mlp' | 'tied-low-rank' | 'tied-inputs' | 'tied-decoder';

// ---------------------------------------------------------------- parameters

export type ParameterGroup = 'tables' | 'positions' | 'attention' | 'feed-forward' | 'norms' | 'head';

export interface CountedTensor {
  /** `*` stands for each layer, or layer and expert: 'layers.*.attention.query.weight'. */
  name: string;
  /** [rows, cols], or [size] of a vector. */
  shape: number[];
  /** How many tensors of this name and shape there are; an integer, as all counts. */
  copies: number;
  group: ParameterGroup;
  /** Which tensor's storage this one uses; null = its own. */
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
  /** Used for one token: only the experts at work, and a shared table once. Equals `stored` without experts. */
  active: number;
  /** Stored, by group. Their sum is `stored`. */
  groups: Record<ParameterGroup, number>;
  /** Token tables stored: 1, 2 or 3. Those of n-grams are not counted here. */
  tables: number;
  /** What `stored` is with all tables shared, and with none. `tied` is null where vocabularies differ. */
  tied: number | null;
  untied: number;
  /** untied - stored: what this way of tying saves (negative where it adds parameters). */
  saved: number;
  /** saved / stored, and saved / untied. Sources quote either. */
  savedOfStored: number;
  savedOfUntied: number;
  /** Tables of tokens and of n-grams / stored. */
  tableShare: number;
}

// ---------------------------------------------------------------- compute and memory

export type Precision = 'float32' | 'bfloat16' | 'mixed';

export interface Batch {
  /** B: sequences at once. */
  sequences: number;
  /** T: tokens per sequence (of the decoder). */
  tokens: number;
  /** Of the encoder, where there is one; default: `tokens`. */
  encoderTokens?: number;
  /** Default 'tied', or 'untied' where vocabularies differ. */
  tying?: TableTying;
  /**
   * 'float32', 'bfloat16': everything in it. 'mixed': weights, gradients and activations in bfloat16; a copy of the
   * weights, the optimizer's state and the logits in float32. Default 'float32'.
   */
  precision?: Precision;
  /** Values kept for each parameter: AdamW 2, SGD with momentum 1, SGD none. Default 'adamw'. */
  optimizer?: 'adamw' | 'sgd-momentum' | 'sgd';
  /** FLOP per second that the machine achieves; absent = no times. */
  flopPerSecond?: number;
  /** Bytes per second that the machine achieves when reading; absent = no serving time. */
  bytesPerSecond?: number;
  /** Replacements of the full softmax over the vocabulary, to compare with it. */
  heads?: {
    /** Sampled softmax (Jean et al. 2015): the target and this many others per step. */
    sampled?: { samples: number };
    /**
     * Adaptive softmax (Grave et al. 2017): ids by frequency; where the head, and each cluster but the last, ends; the
     * vectors of each cluster are `divisor` (4) times narrower than those of the one before.
     */
    adaptive?: { cutoffs: number[]; divisor?: number };
    /** Only the most frequent tokens are kept. */
    culled?: { vocabSize: number };
    /** Two levels (Goodman 2001): a cluster first, then a token of it. */
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
  /** Of a step; adaptive: as many tokens in each cluster as Zipf's law (1 / rank) expects. */
  macs: Macs;
  /** Adaptive: every cluster for every token. Of the others the same as `macs`. */
  atMost: Macs;
  /** Numbers that the head uses, whether or not a table that reads shares them. */
  parameters: number;
  /** Values of the logits that a step holds. */
  logits: number;
  logitsBytes: number;
  /** macs.total / that of the full head. */
  shareOfFull: number;
  /**
   * Whether each token of the vocabulary gets a probability, all together one, without an estimate. Not so: sampled,
   * while training; culled, for those left out.
   */
  exact: boolean;
}

export interface ComputeCount {
  architecture: CompleteArchitecture;
  tying: TableTying;
  /** `lookup` reads rows, and adds to them backward: no multiplications but those with the factors of factorised tables. */
  parts: Record<ComputePart, Macs>;
  /** Of one step over the batch. */
  macs: Macs;
  flop: Macs;
  /** Head / all of it, forward. */
  headShare: number;
  /** The same without the scores of attention: V / (V + 12 L d) in the plain formula. */
  headShareOfWeights: number;
  bytes: {
    weights: number;
    gradients: number;
    optimizer: number;
    /** Kept for the backward pass, without the logits; see docs/accounting.md for what is. */
    activations: number;
    /** One array [tokens, V]. */
    logits: number;
    total: number;
  };
  /** What the same bytes are with a table for each role. */
  untiedBytes: ComputeCount['bytes'];
  /** Null if no rate was given. */
  seconds: { forward: number; step: number } | null;
  serving: {
    weights: number;
    /** Keys and values of one token of one sequence. */
    cachePerToken: number;
    /** Of the whole batch, an encoder's tokens included. An encoder alone has none. */
    cache: number;
    /** Of one position per sequence. */
    logits: number;
    total: number;
    /**
     * Bytes read for one new token per sequence: each matrix that works on it, and the cache. Excludes a table in which
     * only rows are looked up, idle experts, and an encoder that has finished.
     */
    readPerToken: number;
    /** FLOP of one new token per sequence. Both are 0 for an encoder alone, which writes none. */
    flopPerToken: number;
    /** For one new token per sequence: the slower of reading and computing; null without both rates, and for an encoder. */
    secondsPerToken: number | null;
  };
  /** The full head, then the requested ones in the order of `HeadCost.kind`. */
  heads: HeadCost[];
}

// ---------------------------------------------------------------- advice

export interface TyingContext {
  /** What the weights start from. Default 'scratch'. 'tied' is refused where vocabularies differ. */
  startsFrom?: 'scratch' | 'tied' | 'untied';
  /**
   * Loss of the tied model minus that of the untied one, nats per token, that the reader measured. Refused where
   * vocabularies differ.
   */
  lossDifference?: number;
  /** Parameters that the whole model may have at most; absent = no limit. */
  parameterBudget?: number;
  /** Of training, for what a parameter takes in memory: defaults 'float32' and 'adamw', see `Batch`. */
  precision?: Precision;
  optimizer?: Batch['optimizer'];
}

export type ReasonKind =
  /** Input and output have different vocabularies: there is no one table. */
  | 'vocabularies'
  /** Untied weights are there already, and would have to be given up. */
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
  /** Whether it settles the matter by itself. */
  decisive: boolean;
  /**
   * What it counts where nothing is decisive. 0 of one that favours neither, and of 'depth', 'width' and 'memory': what
   * they say is what 'saved-share' says, in other units.
   */
  votes: number;
  /** Every number that `sentence` has, under its name. */
  numbers: Readonly<Record<string, number>>;
  /** English, made from `numbers` (and `models`) alone. */
  sentence: string;
  /** Precedents: ids of known models. */
  models?: readonly string[];
}

export interface TyingAdvice {
  /** null: as much speaks for one as for the other, or two decisive reasons contradict each other. */
  tie: boolean | null;
  /**
   * The rule, in docs/decisions/0014-how-advice-is-made.md: decisive reasons that agree decide; where they contradict each
   * other nothing does; without any, the side with more votes does.
   */
  decidedBy: 'decisive' | 'contradiction' | 'votes' | 'balance';
  votes: { tied: number; untied: number };
  /** The verdict in a sentence. English, made from the fields above. */
  sentence: string;
  /** (untied - tied) / untied: what tying saves of the untied model. 0 where vocabularies differ. */
  embeddingShare: number;
  reasons: TyingReason[];
  /**
   * For comparison, a common rule of thumb: one table as a share of an estimate of the untied model, e / (12 d² L + 2 e) with
   * e = V d. Above 15% it says tie, at 5% or less do not.
   */
  rule: { share: number; says: 'tie' | 'optional' | 'do-not-tie'; agrees: boolean };
}

// ---------------------------------------------------------------- real models

export interface KnownModel {
  /** Short and lasting: 'gpt2', 'llama-3.2-1b'. */
  id: string;
  name: string;
  organization: string;
  /** Of publication. */
  year: number;
  architecture: Architecture;
  tying: TableTying;
  /** Parameters in all, as published; null where nobody gives a number that could be checked. */
  published: { total: number; source: string } | null;
  /** Where the sizes come from, and where the tying does. */
  sources: { sizes: string; tying: string };
  note?: string;
}

export interface ImportedModel {
  name: string | null;
  architecture: Architecture;
  tying: TableTying;
  /** What was taken for granted because the file does not say it. English. */
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
   * Whether a model should tie its tables: a verdict, and the reasons it follows from.
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
   * Published models with their architecture and whether they tie.
   *
   * @throws {TiedError} 'disposed' after `dispose()` of the core
   * @example
   * ```ts
   * core.knownModels().some(({ id }) => id === 'gpt2'); // → true
   * ```
   */
  knownModels(): KnownModel[];
  /**
   * Reads the `config.json` of a model, as Hugging Face writes it: its text, or what JSON.parse made of it.
   *
   * @throws {TiedError} 'bad-file' if it is no configuration, or its sizes are invalid; 'unsupported' if this kind of model cannot be counted
   * @example
   * ```ts
   * const config = { model_type: 'gpt2', vocab_size: 50257, n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024 };
   * core.importConfig(config).architecture.dModel; // → 768
   * ```
   */
  importConfig(config: string | object): ImportedModel;
}
