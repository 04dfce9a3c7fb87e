/** The verbs of a core. */

import type { AccountingVerbs } from '../accounting/types.js';
import type { Checkpoint, CheckpointVerbs } from '../checkpoint/types.js';
import type { IdentityCard, IdentityCardOptions } from '../checkpoint/card/identity-card-types.js';
import type { ModelConfig, TrainingConfig } from '../model/types.js';
import type { CompareControls, CompareOptions, Comparison } from '../training/comparison-types.js';
import type { Corpus, CorpusOptions } from '../text/corpus-types.js';
import type { ModelCard, ModelCardOptions, ModelCardVerbs } from '../diagnostics/model-card/types.js';
import type { Simd } from '../runtime/types.js';
import type { DiagnosticVerbs } from '../diagnostics/types.js';
import type {
  BigramBounds,
  DirectPathFactors,
  FitBounds,
  Irreversibility,
  IrreversibilityOptions,
  Matrix,
  Symmetry,
  SymmetryOptions,
} from '../direct-path/types.js';
import type { ExperimentVerbs } from '../experiment/types.js';
import type { PairVerbs } from '../training/pair-types.js';
import type { Bigrams, CorpusInput, MarkovBounds, MarkovText, Tokenizer, TokenizerOptions } from '../text/types.js';
import type { Trainer } from '../training/trainer-types.js';
import type { MemoryEstimate, TrainerOptions } from '../training/types.js';

/**
 * Every verb throws a `TiedError` for bad input, and the core stays usable. Each verb lists its own codes; in addition, every
 * verb throws 'disposed' after `dispose()`, 'stopped' if the core has stopped unexpectedly, and 'out-of-memory' if its result
 * does not fit. Arguments are read once and copied; what a caller's getter or listener throws is rethrown unchanged. Verbs are
 * bound to their object: `const { symmetry } = core` works. In a lab the same verbs return promises.
 */
export interface Core extends AccountingVerbs, CardVerbs, CheckpointVerbs, DiagnosticVerbs, ExperimentVerbs, PairVerbs {
  readonly version: string;
  /** The build that the loaded modules report. */
  readonly simd: Simd;

  /**
   * The direct path A = W_E M W_Uᵀ, [V, V]: entry (i, j) is the logit of token j after token i with no layers in between.
   *
   * @throws {TiedError} 'shape-mismatch' if the factors do not fit together; 'not-finite' if an element is not a finite number; 'out-of-memory' if V² elements do not fit
   * @example
   * ```ts
   * const embedding = { rows: 3, cols: 2, data: Float32Array.of(1, 0.5, 0.8, 0.9, 0.3, 1.2) };
   * const logits = core.directPath({ embedding });
   * logits.data[1]; // → 1.25
   * logits.data[1] === logits.data[3]; // → true
   * ```
   */
  directPath(factors: DirectPathFactors): Matrix;
  /**
   * How far a square matrix is from being symmetric.
   *
   * @throws {TiedError} 'shape-mismatch' if the matrix is not square; 'not-finite' if an element is not a finite number
   * @example
   * ```ts
   * const matrix = { rows: 2, cols: 2, data: Float32Array.of(0, 1, 0, 0) };
   * const { symmetric, maxDifference, asymmetry } = core.symmetry(matrix);
   * symmetric; // → false
   * maxDifference; // → 1
   * asymmetry; // → 0.7071
   * ```
   */
  symmetry(square: Matrix, options?: SymmetryOptions): Symmetry;
  /**
   * `symmetry` of a direct path from its factors, in O(V d²) time and without forming [V, V]. Comparing all pairs (for `worst`,
   * and for `maxDifference` if that is quick) takes O(V² d) time, one tile at a time.
   *
   * @throws {TiedError} 'shape-mismatch' if the factors do not fit together; 'not-finite' if an element is not a finite number
   * @example
   * ```ts
   * const embedding = { rows: 3, cols: 2, data: Float32Array.of(1, 0.5, 0.8, 0.9, 0.3, 1.2) };
   * core.directPathSymmetry({ embedding }).symmetric; // → true
   * ```
   */
  directPathSymmetry(factors: DirectPathFactors, options?: SymmetryOptions): Symmetry;
  /**
   * The W_U [V, d] for which `embedding` W_Uᵀ is nearest to `target` [V, V], by least squares; one of several if columns of the
   * embedding depend on each other.
   *
   * @throws {TiedError} 'shape-mismatch' if the target is not [V, V]; 'not-finite' if an element is not a finite number
   * @example
   * ```ts
   * const identity = { rows: 2, cols: 2, data: Float32Array.of(1, 0, 0, 1) };
   * const target = { rows: 2, cols: 2, data: Float32Array.of(0, 3, 1, 0) };
   * core.solveUnembedding({ embedding: identity, target }).data; // → [0, 1, 3, 0]
   * ```
   */
  solveUnembedding(options: { embedding: Matrix; target: Matrix }): Matrix;
  /**
   * The least distance ‖target - A‖_F that each family of direct paths of width `dModel` can reach.
   *
   * @throws {TiedError} 'shape-mismatch' if the target is not square; 'invalid-argument' if `dModel` is not an integer of at least 1; 'not-finite' if an element is not a finite number
   * @example
   * ```ts
   * const target = { rows: 2, cols: 2, data: Float32Array.of(0, 1, 0, 0) };
   * const bounds = core.fitBounds(target, 2);
   * bounds.untied; // → 0
   * bounds.symmetric; // → 0.7071
   * ```
   */
  fitBounds(target: Matrix, dModel: number): FitBounds;
  /**
   * The floors of the loss of next-token prediction from the current token alone, in nats per token.
   *
   * @param counts - [V, V]; entry (i, j) is how often token j follows token i
   * @throws {TiedError} 'shape-mismatch' if the counts are not square; 'invalid-argument' if a count is negative or not whole (twice a mean of two counts is whole), or all are 0; 'not-finite' if a count is not a finite number
   * @example
   * ```ts
   * const ids = Uint32Array.of(0, 1, 2, 0, 1, 2, 0);
   * const bounds = core.bigramBounds(core.bigrams(ids, 3).counts);
   * bounds.bigram; // → 0
   * bounds.symmetricLogits; // → 0.6931
   * ```
   */
  bigramBounds(counts: Matrix): BigramBounds;
  /**
   * How far a text is from being reversible: JS(J, Jᵀ) in nats, the same for samples of a reversible chain of the same
   * length, and the net flow J - Jᵀ, [V, V]. In a lab the samples are drawn in slices.
   *
   * @param counts - [V, V]; entry (i, j) is how often token j follows token i; their sum is at most 250 million
   * @throws {TiedError} 'shape-mismatch' if the counts are not square; 'invalid-argument' if a count is negative or not whole, all are 0 or an option is out of range; 'not-finite' if a count is not a finite number; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const cycle = core.bigrams(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), 3).counts;
   * const { js, netFlow } = core.irreversibility(cycle);
   * js; // → 0.6931
   * netFlow.data; // → [0, 0.3333, -0.3333, -0.3333, 0, 0.3333, 0.3333, -0.3333, 0]
   * ```
   */
  irreversibility(counts: Matrix, options?: IrreversibilityOptions): Irreversibility;

  /**
   * Learns a vocabulary from a text.
   *
   * @throws {TiedError} 'invalid-argument' if the text is empty or `vocabSize` is too small for the kind; 'out-of-memory' if the text does not fit
   * @example
   * ```ts
   * const tokenizer = core.trainTokenizer('New York and New Jersey', { kind: 'word' });
   * tokenizer.decode(tokenizer.encode('New Jersey')); // → "New Jersey"
   * ```
   */
  trainTokenizer(text: string, options: TokenizerOptions): Tokenizer;
  /**
   * Opens a file that a tokenizer's `save` wrote, or a tokenizer of another program: 'llama2c' is llama2.c's tokenizer.bin; 'gpt2' is
   * byte-level BPE, as a `vocab.json` with its `merges.txt` in `merges`, or a Hugging Face `tokenizer.json` with GPT-2's rules.
   *
   * @throws {TiedError} 'bad-file' if the bytes are damaged, cut off or of another kind; 'unsupported' if a tokenizer.json has other rules
   * @example
   * ```ts
   * const file = core.trainTokenizer('abc', { kind: 'character' }).save();
   * core.loadTokenizer(file, { format: 'tied-embeddings' }).kind; // → "character"
   * ```
   */
  loadTokenizer(
    bytes: Uint8Array,
    options: { format: 'tied-embeddings' | 'llama2c' | 'gpt2'; merges?: Uint8Array },
  ): Tokenizer;
  /**
   * Counts the pairs of neighboring tokens of a text.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize`; 'out-of-memory' if V² counts do not fit
   * @example
   * ```ts
   * const pairs = core.bigrams(Uint32Array.of(0, 1, 0, 1), 2);
   * pairs.total; // → 3
   * pairs.counts.data; // → [0, 2, 1, 0]
   * ```
   */
  bigrams(tokenIds: Uint32Array, vocabSize: number): Bigrams;

  /**
   * A text ready to train on: its vocabulary learned, its tokens encoded, its pairs counted, its last tenth held out.
   * Takes a text, token ids with a `vocabSize`, or a Markov chain, whose states become the tokens. In a lab it also takes
   * a File or Blob, which the worker reads.
   *
   * @throws {TiedError} 'invalid-argument' if the text is too short or an option is invalid; 'out-of-memory' if it does not fit; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const corpus = core.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * corpus.vocabSize; // → 10
   * corpus.validationTokens; // → 2
   * corpus.tokenizer!.decode(corpus.tokenIds()); // → "the cat sat on the m"
   * ```
   */
  openCorpus(source: CorpusInput, options?: CorpusOptions): Corpus;
  /**
   * Several models that train side by side on one corpus, frame by frame. The same options give the same bits as trainers
   * created one by one. In a lab the arms are spread over several workers.
   *
   * @throws {TiedError} what `createTrainer` throws, including 'invalid-argument' and 'out-of-memory', with the name of the arm in front
   * @example
   * ```ts
   * const corpus = core.openCorpus('the cat sat on the mat', { tokenizer: { kind: 'character' } });
   * const model = { kind: 'direct-path', dModel: 4 } as const;
   * const training = { learningRate: 0.1 };
   * const arms = {
   *   tied: { model: { ...model, tying: 'tied' }, training },
   *   untied: { model: { ...model, tying: 'untied' }, training },
   * } as const;
   * const comparison = core.compare(corpus, { arms, steps: 100, seed: 1 });
   * let losses: number[] = [];
   * for (const { columns } of comparison) losses = [columns.tied.loss.at(-1)!, columns.untied.loss.at(-1)!];
   * losses[0]! > losses[1]!; // → true
   * ```
   */
  compare<Name extends string>(
    corpus: Corpus,
    options: CompareOptions<Name>,
    controls?: CompareControls<Name>,
  ): Comparison<Name>;

  /**
   * Simple, varied English from a seeded story grammar: at least `length` characters, ending with a whole story.
   *
   * @throws {TiedError} 'invalid-argument' if `seed` or `length` is not an integer in range
   * @example
   * ```ts
   * const text = core.writeStories({ seed: 1, length: 500 });
   * text.length >= 500; // → true
   * text === core.writeStories({ seed: 1, length: 500 }); // → true
   * ```
   */
  writeStories(options: { seed: number; length: number }): string;
  /**
   * A random transition matrix [states, states] whose rows sum to 1. A small `concentration` makes the chain more predictable;
   * default 0.3.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range
   * @example
   * ```ts
   * const chain = core.randomMarkovChain({ states: 4, seed: 1 });
   * chain.data.slice(0, 4).reduce((sum, share) => sum + share, 0); // → 1.000
   * ```
   */
  randomMarkovChain(options: { states: number; seed: number; concentration?: number }): Matrix;
  /**
   * Draws `length` states from a chain, starting from its stationary distribution.
   *
   * @throws {TiedError} 'shape-mismatch' if `transition` is not square; 'invalid-argument' if a row does not sum to 1
   * @example
   * ```ts
   * const transition = { rows: 2, cols: 2, data: Float32Array.of(0, 1, 1, 0) };
   * const states = core.sampleMarkovChain({ transition, length: 4, seed: 1 });
   * states[0] === states[2]; // → true
   * ```
   */
  sampleMarkovChain(options: MarkovText): Uint32Array;
  /**
   * The exact floors of a text drawn from a chain, in nats per token, with the stationary distribution [states].
   *
   * @throws {TiedError} 'shape-mismatch' if `transition` is not square; 'invalid-argument' if a row does not sum to 1
   * @example
   * ```ts
   * const transition = { rows: 3, cols: 3, data: Float32Array.of(0, 1, 0, 0, 0, 1, 1, 0, 0) };
   * const bounds = core.markovBounds(transition);
   * bounds.bigram; // → 0
   * bounds.stationary; // → [0.3333, 0.3333, 0.3333]
   * ```
   */
  markovBounds(transition: Matrix): MarkovBounds;

  /**
   * A model with random weights, and the data it will be trained on.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range; 'shape-mismatch' if data and model do not fit together; 'out-of-memory' if the model does not fit, naming what would fit
   * @example
   * ```ts
   * const counts = core.bigrams(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), 3).counts;
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.05, seed: 1 },
   *   bigramCounts: counts,
   * });
   * trainer.step; // → 0
   * ```
   */
  createTrainer(options: TrainerOptions): Trainer;
  /**
   * Opens a file that a trainer's `save` wrote. Training continues bit for bit.
   *
   * @throws {TiedError} 'bad-file' if the bytes are damaged, cut off or of another kind; 'out-of-memory' if the model does not fit
   * @example
   * ```ts
   * const counts = core.bigrams(Uint32Array.of(0, 1, 0, 1, 0), 2).counts;
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'untied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: counts,
   * });
   * trainer.run(5);
   * core.loadTrainer(trainer.save()).step; // → 5
   * ```
   */
  loadTrainer(bytes: Uint8Array): Trainer;
  /**
   * Opens a model that another program trained. It can be inspected and, with its tokenizer, generate text. With `training` and
   * `tokenIds` training can continue; without them `run` throws 'unsupported'. Format 'llama2c': .bin files of llama2.c, version
   * 0.
   *
   * @throws {TiedError} 'bad-file' if the bytes are damaged, cut off or of another kind; 'shape-mismatch' if the tokenizer does not fit the model; 'out-of-memory' if the model does not fit
   * @example
   * ```ts
   * try {
   *   core.loadModel(new Uint8Array(8), { format: 'llama2c' });
   * } catch (error) {
   *   if (!(error instanceof TiedError)) throw error;
   *   error.code; // → "bad-file"
   * }
   * ```
   */
  loadModel(
    bytes: Uint8Array,
    options: {
      format: 'llama2c';
      training?: TrainingConfig;
      tokenIds?: Uint32Array;
      validationTokenIds?: Uint32Array;
      tokenizer?: Tokenizer;
    },
  ): Trainer;
  /**
   * The bytes that a trainer would take, without allocating any. If `batchSize` is absent, for training on a whole table of
   * bigrams.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range
   * @example
   * ```ts
   * const model = { kind: 'direct-path', vocabSize: 1000, dModel: 64, tying: 'tied' } as const;
   * const { bytes, parts } = core.estimateMemory(model, { learningRate: 0.1, seed: 1 });
   * parts.reduce((sum, part) => sum + part.bytes, 0) === bytes; // → true
   * ```
   */
  estimateMemory(model: ModelConfig, training: TrainingConfig): MemoryEstimate;

  /** Frees all memory, including that of its trainers and tokenizers. Later calls throw 'disposed'; disposing twice is harmless. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Cards of models, whether trained here or opened from a file. */
export interface CardVerbs {
  /**
   * The same as `model.modelCard(options)`, for programs that handle both trainers and checkpoints.
   *
   * @param model - a trainer, or an arm of a comparison
   * @throws {TiedError} 'invalid-argument' if `model` has no card; otherwise what its verb throws
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, batchSize: 4, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 0, 1),
   * });
   * const { data } = core.modelCard(trainer, { tokenIds: Uint32Array.of(0, 1, 2, 0) });
   * data.parameters.saved.value; // → 6
   * const checkpoint = await core.openCheckpoint(trainer.toSafetensors());
   * (await core.modelCard(checkpoint)).data.tables.input?.shape; // → [3,2]
   * ```
   */
  modelCard(model: Pick<ModelCardVerbs, 'modelCard'>, options: ModelCardOptions): ModelCard;
  /**
   * The same as `checkpoint.identityCard(options)`: a file has tables, but no text, layers or gradients.
   *
   * @throws {TiedError} 'invalid-argument' if `checkpoint` has no card; otherwise what its verb throws
   */
  modelCard(checkpoint: Pick<Checkpoint, 'identityCard'>, options?: IdentityCardOptions): Promise<IdentityCard>;
}
