/** The verbs of a trainer; a part of types.ts. */

import type { ModelConfig, TrainingConfig } from '../model/types.js';
import type { Matrix } from '../direct-path/types.js';
import type { ModelCardVerbs } from '../diagnostics/model-card/types.js';
import type { PairTrainerVerbs, TokenPairs } from './pair-types.js';
import type { PathVerbs } from '../direct-path/path-types.js';
import type { HiddenStatesOptions, LogitsOptions, ReadoutVerbs } from '../diagnostics/readout-types.js';
import type { Tokenizer } from '../text/types.js';
import type {
  Attention,
  EvaluateOptions,
  Evaluation,
  GenerateOptions,
  Generation,
  GgufOptions,
  GradientLedger,
  NextTokenOptions,
  PairBatch,
  ParameterInfo,
  RewindOptions,
  RunOptions,
  StepColumns,
  StepRecord,
  TransformersFiles,
} from './types.js';
import type { FileBytes } from '../runtime/types.js';

export interface Trainer extends ReadoutVerbs, PathVerbs, ModelCardVerbs, PairTrainerVerbs {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  /** Steps done. */
  readonly step: number;
  /** How many workers compute its steps: 1 in a core; in a lab also before a run has shown that others are worth it, and after they are gone. */
  readonly threads: number;
  /**
   * The step at which the tying last changed, by its schedule or its condition; null if it has not changed by this
   * step.
   *
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: {
   *     kind: 'direct-path',
   *     vocabSize: 3,
   *     dModel: 3,
   *     // One table until the mean share of reading over 5 steps is above a tenth.
   *     tying: { untieWhen: { inputShare: { above: 0.1 }, over: 5 } },
   *   },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), 3).counts,
   * });
   * trainer.run(4);
   * trainer.tyingChangedAt; // → null
   * trainer.run(1);
   * trainer.tyingChangedAt; // → 5
   * ```
   */
  readonly tyingChangedAt: number | null;
  /**
   * The steps of all changes of the tying so far, ascending.
   *
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 3, tying: [{ untieAtStep: 20 }, { tieAtStep: 60 }] },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), 3).counts,
   * });
   * trainer.run(40);
   * trainer.parameters()[1]!.tiedTo; // → null
   * trainer.run(40);
   * trainer.parameters()[1]!.tiedTo; // → 'embedding'
   * trainer.tyingChanges; // → [20, 60]
   * ```
   */
  readonly tyingChanges: readonly number[];
  /**
   * Does `steps` more training steps and returns their records.
   *
   * @throws {TiedError} 'not-finite' if the loss or the gradient stops being finite: the trainer then returns to the last step whose loss was finite, or, if weights that were set or loaded are the cause, to those weights; 'cancelled' if the signal was aborted; 'unsupported' if the trainer has no data
   * @example
   * ```ts
   * const counts = core.bigrams(Uint32Array.of(0, 1, 2, 0, 1, 2, 0), 3).counts;
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 3, tying: 'untied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: counts,
   * });
   * const records = trainer.run(100, { recordEvery: 50 });
   * records.map(({ step }) => step); // → [50, 100]
   * trainer.evaluate().loss < 0.1; // → true
   * trainer.run(10, { columns: true }).loss.length; // → 10
   * ```
   */
  run(steps: number, options: RunOptions & { columns: true }): StepColumns;
  run(steps: number, options?: RunOptions & { columns?: false }): StepRecord[];
  run(steps: number, options: RunOptions): StepRecord[] | StepColumns;
  /**
   * The loss in nats per token, on `tokenIds`, else on the validation tokens, else on the training data (or the whole table).
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize` or there are fewer than two; 'cancelled' if the signal was aborted; 'not-finite' if the loss is not; 'unsupported' for `tokenIds` of an encoder-decoder, which `evaluatePairs` measures
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 4, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, batchSize: 8, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 3, 0, 1, 2, 3),
   * });
   * const { loss, perplexity } = trainer.evaluate();
   * Math.abs(perplexity - Math.exp(loss)) < 1e-3; // → true
   * ```
   */
  evaluate(tokenIds?: Uint32Array, options?: EvaluateOptions): Evaluation;
  /**
   * All parameters by name, and which of them share storage at this step. The sum of `count` is the size of the model.
   *
   * @throws {TiedError} 'disposed' after `dispose()`
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2), 3).counts,
   * });
   * trainer.parameters().map(({ name, tiedTo, count }) => [name, tiedTo, count]);
   * // → [["embedding", null, 6], ["unembedding", "embedding", 0]]
   * ```
   */
  parameters(): ParameterInfo[];
  /**
   * The values of a parameter, by a name of `parameters()`; a vector is one row. In tied models 'unembedding' is the same
   * matrix as 'embedding'.
   *
   * @throws {TiedError} 'invalid-argument' if no parameter has this name
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2), 3).counts,
   * });
   * const { rows, cols } = trainer.matrix('embedding');
   * [rows, cols]; // → [3, 2]
   * ```
   */
  matrix(name: string): Matrix;
  /**
   * Sets the values of a parameter; in tied models this changes both names. Training continues from the new values, and
   * `rewind` can return to them like to a step.
   *
   * @throws {TiedError} 'invalid-argument' if no parameter has this name; 'shape-mismatch' if the matrix has another shape; 'not-finite' if an element is not a finite number
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 0), 2).counts,
   * });
   * trainer.setMatrix('embedding', { rows: 2, cols: 1, data: Float32Array.of(1, 2) });
   * trainer.matrix('unembedding').data; // → [1, 2]
   * ```
   */
  setMatrix(name: string, matrix: Matrix): void;
  /**
   * The gradient of the embedding, split by role, on `batch` (of an encoder-decoder: pairs), else on the data of the next step.
   * Changes nothing.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize`; 'shape-mismatch' if the numbers of inputs and targets differ
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 5, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 0, 2), 5).counts,
   * });
   * const { inputRows, outputRows } = trainer.gradient();
   * [inputRows, outputRows]; // → [2, 5]
   * ```
   */
  gradient(batch?: PairBatch | TokenPairs): GradientLedger;
  /**
   * [from, to]: logits of the token after each of `from`, as the model computes them, bias and MLP included. Each token is read
   * on its own; a transformer reads it as a sequence of one token.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize`; 'unsupported' for an encoder-decoder
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2), 3).counts,
   * });
   * const [there = 0] = trainer.nextTokenLogits({ from: Uint32Array.of(0), to: Uint32Array.of(1) }).data;
   * const [back = 0] = trainer.nextTokenLogits({ from: Uint32Array.of(1), to: Uint32Array.of(0) }).data;
   * there === back; // → true
   * ```
   */
  nextTokenLogits(options: NextTokenOptions): Matrix;
  /**
   * [from, to]: P(to | from), each token of `from` read on its own.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize`; 'unsupported' for an encoder-decoder
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'untied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2, 0, 1, 2), 3).counts,
   * });
   * trainer.run(200);
   * const [yorkAfterNew = 0] = trainer.nextTokenProbabilities({ from: Uint32Array.of(0), to: Uint32Array.of(1) }).data;
   * yorkAfterNew > 0.9; // → true
   * ```
   */
  nextTokenProbabilities(options: NextTokenOptions): Matrix;
  /**
   * [tokens, V]: the logits for one sequence of at most `contextLength` tokens. Row i is for the token that follows token
   * i.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize` or the sequence is too long; 'unsupported' for an encoder-decoder, or if `withoutLayer` is given for a direct path
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 4, tying: 'tied' },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
   * });
   * const { rows, cols } = trainer.logits(Uint32Array.of(1, 2, 3));
   * [rows, cols]; // → [3, 8]
   * ```
   */
  logits(tokenIds: Uint32Array, options?: LogitsOptions): Matrix;
  /**
   * The residual stream [tokens, d] of one sequence: before the first layer, and after each; with `finalNorm`, also after the
   * final norm.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize` or the sequence is too long; 'unsupported' for an encoder-decoder
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 8, nLayers: 2, nHeads: 2, contextLength: 4, tying: 'tied' },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
   * });
   * trainer.hiddenStates(Uint32Array.of(1, 2)).length; // → 3
   * trainer.hiddenStates(Uint32Array.of(1, 2), { finalNorm: true }).length; // → 4
   * ```
   */
  hiddenStates(tokenIds: Uint32Array, options?: HiddenStatesOptions): Matrix[];
  /**
   * The attention weights of one sequence, for every head of every layer; none for a direct path.
   *
   * @throws {TiedError} 'invalid-argument' if an id is not below `vocabSize` or the sequence is too long; 'unsupported' for an encoder-decoder
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'transformer', vocabSize: 8, dModel: 8, nLayers: 2, nHeads: 2, contextLength: 4, tying: 'tied' },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   tokenIds: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7),
   * });
   * trainer.attention(Uint32Array.of(1, 2)).map(({ layer, head }) => [layer, head]);
   * // → [[0, 0], [0, 1], [1, 0], [1, 1]]
   * ```
   */
  attention(tokenIds: Uint32Array): Attention[];
  /**
   * Continues the prompt. Each token is drawn given the last `contextLength` tokens; generating beyond that length is
   * slower.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range or the prompt is a text and the trainer has no tokenizer; 'cancelled' if the signal was aborted; 'not-finite' if the logits are not; 'unsupported' for an encoder-decoder, which `translate` continues, or for one with learned positions or n-grams that is to keep what is beyond its context (`beyondContext`)
   * @example
   * ```ts
   * const tokenizer = core.trainTokenizer('ab'.repeat(50), { kind: 'character' });
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: tokenizer.vocabSize, dModel: 4, tying: 'untied' },
   *   training: { learningRate: 0.1, batchSize: 16, seed: 1 },
   *   tokenIds: tokenizer.encode('ab'.repeat(50)),
   *   tokenizer,
   * });
   * trainer.run(200);
   * trainer.generate({ prompt: 'a', tokens: 3, temperature: 0 }).text; // → "bab"
   * ```
   */
  generate(options: GenerateOptions): Generation;
  /**
   * A new handle of the trainer's tokenizer, which you dispose of separately; null if it has none.
   *
   * @throws {TiedError} 'disposed' after `dispose()`
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 0), 2).counts,
   * });
   * trainer.tokenizer(); // → null
   * ```
   */
  tokenizer(): Tokenizer | null;
  /**
   * The trainer as a file for `loadTrainer`: options, weights, optimizer, step, data, tokenizer. Training continues bit for
   * bit.
   *
   * The file is written in parts, outside the core's memory, so every trainer that fits can be saved.
   *
   * @throws {TiedError} 'out-of-memory' if the page has no memory for the file
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 0), 2).counts,
   * });
   * const copy = core.loadTrainer(trainer.save());
   * copy.run(3)[2]?.loss === trainer.run(3)[2]?.loss; // → true
   * ```
   */
  save(): FileBytes;
  /**
   * The weights as a safetensors file, under Hugging Face's GPT-2 names if the architecture is GPT-2's, else under the names
   * of `parameters()`. A tied matrix is written once; `__metadata__` names the alias, and holds an attached tokenizer, which
   * `openCheckpoint` finds there. For a folder that transformers opens, see `toTransformers`.
   *
   * @throws {TiedError} 'out-of-memory' if the page has no memory for the file
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 0), 2).counts,
   * });
   * new TextDecoder().decode(trainer.toSafetensors()).includes('"embedding"'); // → true
   * ```
   */
  toSafetensors(): FileBytes;
  /**
   * The weights as a GGUF file: as 'gpt2' or 'llama', with the keys that llama.cpp reads, if the architecture is one of those, else
   * under our own names. Matrices have the given type; vectors and learned positions stay F32. An attached tokenizer is included. llama.cpp
   * gets the same tokenizer if it has one that splits every text the same way: 'bpe' and 'gpt2' with their merges (for 'bpe' and text beyond Latin-1 it
   * splits by its own character classes), 'llama2c' with its scores, and 'character': unknown bytes become token 0 if all characters are
   * ASCII, and are left out otherwise. For the others, and without a tokenizer, it gets stand-ins: the id with its first digit as a
   * letter, A for 0 to J for 9, so a prompt of the ids 7 and 137 is written as `HB37`. With byte pairs and characters beyond ASCII, llama.cpp takes
   * for the end of a text the byte 0xFF, which no text has, or `<unk>`, or else the last token; it warns on loading that this is not a
   * usual end. `openCheckpoint` reads the file, and `toTrainer` runs it.
   *
   * @throws {TiedError} 'not-finite' if a weight is too large for F16; 'invalid-argument' for any other type; 'unsupported' for an encoder-decoder; 'out-of-memory' if the page has no memory for the file
   * @example
   * ```ts
   * const model = { kind: 'transformer', vocabSize: 5, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 4, tying: 'tied' } as const;
   * const tokenIds = Uint32Array.of(0, 1, 2, 3, 4, 0, 1, 2, 3, 4);
   * const trainer = core.createTrainer({ model, training: { learningRate: 0.01, batchSize: 2, seed: 1 }, tokenIds });
   * const checkpoint = await core.openCheckpoint(trainer.toGguf({ type: 'F16' }));
   * checkpoint.tables.input?.dtype; // → "F16"
   * ```
   */
  toGguf(options?: GgufOptions): FileBytes;
  /**
   * The model as a folder that transformers opens with `from_pretrained`, if the architecture is GPT-2's or Llama's: weights in F32 under its
   * names, with one table if they are tied, their configuration and, if that library has rules for it, the tokenizer. It has none for kind 'word'; such a model
   * comes without `tokenizer.json`. The files give the same ids as this tokenizer, except for names of special tokens in a text (`<|endoftext|>`, `<s>`), which
   * are read as those tokens, and, of kind 'bpe', words longer than 1,024 bytes. `openCheckpoint` reads the files too.
   *
   * @throws {TiedError} 'unsupported' for a model of another architecture; 'out-of-memory' if the page has no memory for the files
   * @example
   * ```ts
   * const text = 'a banana, a cabana';
   * const tokenizer = core.trainTokenizer(text, { kind: 'character' });
   * const model = { kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 4 } as const;
   * const trainer = core.createTrainer({
   *   model: { ...model, norm: 'layer-norm', biases: 'all', tying: 'untied' },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   tokenIds: tokenizer.encode(text),
   *   tokenizer,
   * });
   * const files = trainer.toTransformers();
   * Object.keys(files); // → ["model.safetensors","config.json","tokenizer.json"]
   * JSON.parse(new TextDecoder().decode(files['config.json'])).tie_word_embeddings; // → false
   * ```
   */
  toTransformers(): TransformersFiles;
  /**
   * Returns to the exact state after `step` steps (0 = the start), bit for bit: from the latest snapshot before it, by repeating
   * the steps in between. A trainer from a file has one snapshot, of the step at which it was saved, so returning to an earlier
   * step repeats the training from the start.
   *
   * @throws {TiedError} 'invalid-argument' if `step` is beyond the last step trained; 'cancelled' if the signal was aborted
   * @example
   * ```ts
   * const trainer = core.createTrainer({
   *   model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: core.bigrams(Uint32Array.of(0, 1, 0), 2).counts,
   * });
   * const [, second] = trainer.run(5);
   * trainer.rewind(1);
   * trainer.run(1)[0]?.loss === second?.loss; // → true
   * ```
   */
  rewind(step?: number, options?: RewindOptions): void;
  /** Frees its memory. Later calls throw 'disposed'; disposing twice is harmless. */
  dispose(): void;
  [Symbol.dispose](): void;
}
