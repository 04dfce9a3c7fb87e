/** Public types of pairs: texts, ids, and what an encoder-decoder does with them; a part of types.ts. */

import type { Matrix } from '../direct-path/types.js';
import type { Tokenizer } from '../text/types.js';
import type { Attention } from './types.js';

/** A source and its target. */
export interface TextPair {
  source: string;
  target: string;
}

/**
 * - `reversal`: a word of random letters, backwards.
 * - `sorting`: its letters in the order of the alphabet.
 * - `transliteration`: an invented word in Greek letters: th, ph, ch, ps and x are one letter each, a final s has its own form.
 * - `numbers`: an integer below a million in English words, and its digits.
 * - `plurals`: an English noun and its plural; a quarter are real irregular nouns, the others are invented.
 * - `past-tense`: the same for verbs and their past tense.
 */
export type PairTask = 'reversal' | 'sorting' | 'transliteration' | 'numbers' | 'plurals' | 'past-tense';

export interface PairTaskOptions {
  task: PairTask;
  /** An integer below 2^53. */
  seed: number;
  /** How many pairs, 1 to 262,144. */
  count: number;
  /** Index of the first pair, below 2^32. Default 0. Pairs at other indices follow the same distribution, and some are equal. */
  from?: number;
  /** Letters per word, 1 to 1000; for 'reversal' and 'sorting' only. Default 8. */
  length?: number;
}

/** Pairs of token ids: source[i] and target[i] belong together. Targets do not include their start and end tokens. */
export interface TokenPairs {
  source: readonly Uint32Array[];
  target: readonly Uint32Array[];
}

export interface EncodePairsOptions {
  pairs: readonly TextPair[];
  /** Made by `pairTokenizer`. */
  tokenizer: Tokenizer;
}

export interface EncodedPairs {
  pairs: TokenPairs;
  /** The lengths that a model needs at least to read the pairs: tokens of the longest source; tokens of the longest target plus 1. */
  sourceLength: number;
  contextLength: number;
  /** Ids of the start and end tokens, which occur in no text. */
  startToken: number;
  endToken: number;
}

export interface EvaluatePairsOptions {
  /** Whether to translate the sources, which takes much longer than the loss. Default true. */
  translate?: boolean;
  /** Called with the fraction of the pairs done, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Rejects (or throws) with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}

export interface PairEvaluation {
  /** Nats per token of the targets, including each end token. */
  loss: number;
  /** exp(loss) */
  perplexity: number;
  /** Tokens predicted. */
  tokens: number;
  pairs: number;
  /** Fraction of the sources whose greedy translation equals their target, 0 to 1; null if nothing was translated. */
  exactMatch: number | null;
  /**
   * The minimum number of token insertions, deletions and replacements that turn the translations into their targets, divided by
   * the tokens of the targets. With characters as tokens this is the character error rate. It may exceed 1; null if nothing was
   * translated.
   */
  characterErrorRate: number | null;
}

export interface TranslateOptions {
  /** Ids, or a text where the trainer has a tokenizer. */
  source: Uint32Array | string;
  /** Maximum tokens of the translation. Default and upper limit: contextLength - 1. */
  maxTokens?: number;
  /** Unfinished translations that a beam search continues at each step, 1 to 64. Default 1: no search. */
  beams?: number;
  /** Divides the logits; without beam search only. 0 = always the most probable token. Default 0. */
  temperature?: number;
  /** Samples from the k most probable tokens only; with a temperature above 0. Default: all. */
  topK?: number;
  /** Default 0. */
  seed?: number;
}

export interface TranslationCandidate {
  /** Without the start and end tokens. */
  tokenIds: Uint32Array;
  /** Null if the trainer has no tokenizer. */
  text: string | null;
  /** ln P(these tokens and their end | source). Without a beam search, of the tokens alone if the model did not end them. */
  logProbability: number;
  /** Whether the model ended it, rather than `maxTokens`. A beam search ranks all candidates by their end, too. */
  ended: boolean;
}

/** The most probable candidate found. */
export interface Translation extends TranslationCandidate {
  /** All candidates, the most probable first: one per beam, unless there are fewer possible targets. */
  candidates: TranslationCandidate[];
}

/** One pair, for inspection. */
export interface PairInput {
  /** Ids, or a text where the trainer has a tokenizer. */
  source: Uint32Array | string;
  /** The same, without start and end tokens; may be empty. */
  target: Uint32Array | string;
}

/** Attention weights of every head of every layer. Rows sum to 1; row 0 of the decoder belongs to the start token. */
export interface PairAttentions {
  /** [source, source] */
  encoder: Attention[];
  /** [1 + target, 1 + target]; row i is nonzero only up to column i. */
  decoder: Attention[];
  /** [1 + target, source] */
  cross: Attention[];
}

/** A core's verbs for pairs of texts. */
export interface PairVerbs {
  /**
   * Pairs of a task, from a seeded generator: pair i depends only on the task, the seed, the length and i.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range, or a length is given for a task that has none
   * @example
   * ```ts
   * core.writePairs({ task: 'numbers', seed: 1, count: 2 }).length; // → 2
   * const [pair] = core.writePairs({ task: 'reversal', seed: 1, count: 1, from: 7, length: 4 });
   * [...pair!.source].reverse().join('') === pair!.target; // → true
   * ```
   */
  writePairs(options: PairTaskOptions): TextPair[];
  /**
   * Reads the pairs of a text, one per line: a source, a tab, a target. Empty lines are ignored, as are a second tab and
   * everything after it, and a byte order mark. At most 2²⁰ pairs, and 65,536 characters per side.
   *
   * @throws {TiedError} 'invalid-argument', naming the line, if it has no tab, nothing before or after it, too many characters, U+0002 or U+0003, or exceeds the number of pairs; also if there are no pairs
   * @example
   * ```ts
   * core.parsePairs('katt\tcat\nhund\tdog\n')[1]; // → {"source":"hund","target":"dog"}
   * ```
   */
  parsePairs(text: string): TextPair[];
  /**
   * A tokenizer of all characters in sources and targets, plus two that occur in no text: U+0002 starts a target and U+0003 ends it.
   * Their ids are 0 and 1, the defaults of a model's `startToken` and `endToken`.
   *
   * @throws {TiedError} 'invalid-argument' if a source or target is empty or contains one of the two
   * @example
   * ```ts
   * const tokenizer = core.pairTokenizer([{ source: 'ab', target: 'ba' }]);
   * tokenizer.vocabSize; // → 4
   * tokenizer.encode('ab'); // → [2, 3]
   * ```
   */
  pairTokenizer(pairs: readonly TextPair[]): Tokenizer;
  /**
   * Encodes pairs as token ids.
   *
   * @throws {TiedError} 'invalid-argument' if a text is empty or has a character that is not in the tokenizer, or the tokenizer has no tokens to start and end targets
   * @example
   * ```ts
   * const pairs = [{ source: 'ab', target: 'ba' }, { source: 'aab', target: 'baa' }];
   * const tokenizer = core.pairTokenizer(pairs);
   * const encoded = core.encodePairs({ pairs, tokenizer });
   * encoded.pairs.target[1]; // → [3, 2, 2]
   * [encoded.sourceLength, encoded.contextLength]; // → [3, 4]
   * ```
   */
  encodePairs(options: EncodePairsOptions): EncodedPairs;
}

/** Verbs of a trainer whose model is an encoder-decoder; others throw 'unsupported'. */
export interface PairTrainerVerbs {
  /**
   * The loss, and the fraction of sources translated exactly, on `pairs`, else on the validation pairs, else on the training
   * data.
   *
   * @throws {TiedError} 'invalid-argument' if a pair does not fit the model; 'unsupported' if the model reads no pairs; 'cancelled' if the signal was aborted; 'not-finite' if the loss is not
   * @example
   * ```ts
   * const core = await loadCore({ modules: ['models'] });
   * const pairs = { source: [Uint32Array.of(2), Uint32Array.of(3)], target: [Uint32Array.of(3), Uint32Array.of(2)] };
   * const trainer = core.createTrainer({
   *   model: { kind: 'encoder-decoder', vocabSize: 4, dModel: 8, nHeads: 2, tying: 'all', sourceLength: 1, contextLength: 2 },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   pairs,
   * });
   * trainer.run(100);
   * const { exactMatch, characterErrorRate } = trainer.evaluatePairs(pairs);
   * [exactMatch, characterErrorRate]; // → [1, 0]
   * ```
   */
  evaluatePairs(pairs?: TokenPairs, options?: EvaluatePairsOptions): PairEvaluation;
  /**
   * Generates the target of a source, from the start token to the end token: greedily, by sampling, or by beam search, which
   * ranks whole targets by their probability. Uses the current weights.
   *
   * @throws {TiedError} 'invalid-argument' if an option is out of range, the source is too long, or it is a text and the trainer has no tokenizer; 'unsupported' if the model reads no pairs; 'not-finite' if the logits are not
   * @example
   * ```ts
   * const core = await loadCore({ modules: ['models'] });
   * const texts = [{ source: 'a', target: 'b' }, { source: 'b', target: 'a' }];
   * const tokenizer = core.pairTokenizer(texts);
   * const { pairs, sourceLength, contextLength } = core.encodePairs({ pairs: texts, tokenizer });
   * const { vocabSize } = tokenizer;
   * const trainer = core.createTrainer({
   *   model: { kind: 'encoder-decoder', vocabSize, dModel: 8, nHeads: 2, tying: 'none', sourceLength, contextLength },
   *   training: { learningRate: 0.01, batchSize: 2, seed: 1 },
   *   pairs,
   *   tokenizer,
   * });
   * trainer.run(100);
   * trainer.translate({ source: 'a' }).text; // → "b"
   * trainer.translate({ source: 'b', beams: 2 }).candidates.map(({ text }) => text)[0]; // → "a"
   * ```
   */
  translate(options: TranslateOptions): Translation;
  /**
   * [1 + target, V]: logits of the next token, row 0 after the start token and row i after the first i tokens of the
   * target.
   *
   * @throws {TiedError} 'invalid-argument' if the pair does not fit the model; 'unsupported' if the model reads no pairs
   * @example
   * ```ts
   * const core = await loadCore({ modules: ['models'] });
   * const trainer = core.createTrainer({
   *   model: { kind: 'encoder-decoder', vocabSize: 4, dModel: 8, nHeads: 2, tying: 'all' },
   *   training: { learningRate: 0.01, batchSize: 1, seed: 1 },
   *   pairs: { source: [Uint32Array.of(2, 3)], target: [Uint32Array.of(3, 2)] },
   * });
   * const { rows, cols } = trainer.pairLogits({ source: Uint32Array.of(2, 3), target: Uint32Array.of(3) });
   * [rows, cols]; // → [2, 4]
   * ```
   */
  pairLogits(pair: PairInput): Matrix;
  /**
   * The attention weights of one pair: encoder, decoder, and cross-attention.
   *
   * @throws {TiedError} 'invalid-argument' if the pair does not fit the model; 'unsupported' if the model reads no pairs
   * @example
   * ```ts
   * const core = await loadCore({ modules: ['models'] });
   * const trainer = core.createTrainer({
   *   model: { kind: 'encoder-decoder', vocabSize: 4, dModel: 8, nHeads: 2, tying: 'all' },
   *   training: { learningRate: 0.01, batchSize: 1, seed: 1 },
   *   pairs: { source: [Uint32Array.of(2, 3)], target: [Uint32Array.of(3, 2)] },
   * });
   * const { cross } = trainer.pairAttention({ source: Uint32Array.of(2, 3), target: Uint32Array.of(3) });
   * cross.map(({ layer, head }) => [layer, head]); // → [[0, 0], [0, 1], [1, 0], [1, 1]]
   * ```
   */
  pairAttention(pair: PairInput): PairAttentions;
}
