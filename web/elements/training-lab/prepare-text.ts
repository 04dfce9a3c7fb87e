import type { Bigrams, BigramBounds, Lab, LabTokenizer, TokenizerOptions } from '../../core/types.js';
import { largestVocabulary, type LabSettings } from './settings.js';
import { markovLength, type TextSource } from './text-source.js';
import {
  keepTokens,
  oneWayPairs,
  tokenFrequencies,
  type Pair,
  type PairNames,
  type TokenOrder,
} from './token-choice.js';

/** How many tokens have their probabilities kept for drawing and for scrubbing, and how many one-way pairs at most. */
const keptTokens = 96;
const keptPairs = 24;
/** Characters of a text's beginning that are kept. */
const openingLength = 200;

export type PreparationStage =
  'loading' | 'writing' | 'learning-tokens' | 'encoding' | 'counting' | 'bounding' | 'building';

/** A text ready to train on. */
export interface PreparedText {
  /** What the source calls itself: a file's name, a built-in text's title; null where the element has a name for it. */
  name: string | null;
  /** Characters read; null for a chain, which is tokens from the start. */
  characters: number | null;
  vocabSize: number;
  /** Printable form of every token. */
  tokens: readonly string[];
  tokenIds: Uint32Array;
  bigrams: Bigrams;
  /** [V] */
  frequencies: Float64Array;
  /** Floors of this very text. */
  bounds: BigramBounds;
  /** Floors of the chain that the text was drawn from, where it was. */
  chainBounds: BigramBounds | null;
  /** Ids of the tokens that are drawn, most frequent first: rows and columns of everything that is kept. */
  kept: Uint32Array;
  /** Positions in `kept` in the orders in which they can be drawn. */
  orders: Readonly<Record<TokenOrder, readonly number[]>>;
  /** [kept, kept] P(next | current) in the text. */
  keptProbabilities: Float32Array;
  /** The pair to look at: the one that was asked for where the text has it, else that whose order matters most. */
  pair: Pair;
}

/** What the tokenizer's own tokens are called where readers see them: rare words, and two pieces without a space between. */
const internalTokens: Readonly<Record<string, string>> = { '<unk>': '(rare word)', '<join>': '(no space)' };

/** Tokens as readers see them. Only a vocabulary of words has tokens of its own. */
export const readableToken = (kind: string, token: string): string =>
  kind === 'word' ? (internalTokens[token] ?? token) : token;

/** Text with the tokenizer's own tokens in it, as readers see it. */
export const readableText = (kind: string, text: string): string =>
  kind === 'word' ? text.replaceAll('<unk>', readableToken(kind, '<unk>')) : text;

export type PreparationProblem = 'empty-text' | 'one-token' | 'too-short';

/**
 * What is wrong with a text, before or after it was cut into tokens. `detail` is the only token there is, or how many
 * tokens there are where `needed` would do.
 */
export class PreparationError extends Error {
  constructor(
    readonly problem: PreparationProblem,
    readonly detail: string,
    readonly needed = 2,
  ) {
    super(`${problem}: ${detail}`);
    this.name = 'PreparationError';
  }
}

export interface PreparationOptions {
  settings: Pick<LabSettings, 'tokenizer' | 'vocabSize' | 'seed'>;
  /** Of byte pairs: 'text' begins with the bytes that occur, so that no row of a table is never used. Default 'bytes'. */
  alphabet?: 'bytes' | 'text';
  source: TextSource;
  /** Text and title of a built-in text. */
  loadBuiltIn: (id: string) => Promise<{ title: string; text: string }>;
  /** The tokens of the pair that the reader looks at. */
  pair?: PairNames;
  onStage: (stage: PreparationStage) => void;
  signal: AbortSignal;
}

/** A text cut into tokens. */
export interface Tokens {
  name: string | null;
  characters: number | null;
  tokens: readonly string[];
  tokenIds: Uint32Array;
  chainBounds: BigramBounds | null;
  /** What cut it, for the caller to dispose of; a chain has none. */
  tokenizer: LabTokenizer | null;
  /** Where the text begins, for a first prompt; empty for a chain. */
  opening: string;
}

/** A, B, ... Z, then A1, B1, ... */
export function stateName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  const round = Math.floor(index / 26);
  return round === 0 ? letter : `${letter}${String(round)}`;
}

async function drawFromChain(lab: Lab, states: number, seed: number): Promise<Tokens> {
  const transition = await lab.randomMarkovChain({ states, seed });
  const tokenIds = await lab.sampleMarkovChain({ transition, length: markovLength, seed });
  const chainBounds = await lab.markovBounds(transition);
  const tokens = Array.from({ length: states }, (_, index) => stateName(index));
  return { name: null, characters: null, tokens, tokenIds, chainBounds, tokenizer: null, opening: '' };
}

async function readSource(
  lab: Lab,
  source: Exclude<TextSource, { kind: 'markov-chain' }>,
  options: PreparationOptions,
): Promise<{ name: string | null; text: string }> {
  if (source.kind === 'own') return { name: source.name, text: source.text };
  if (source.kind === 'stories') {
    options.onStage('writing');
    return { name: null, text: await lab.writeStories({ seed: options.settings.seed, length: source.length }) };
  }
  const { title, text } = await options.loadBuiltIn(source.id);
  return { name: title, text };
}

async function tokenize(lab: Lab, name: string | null, text: string, options: PreparationOptions): Promise<Tokens> {
  const { settings, onStage, signal } = options;
  onStage('learning-tokens');
  // A vocabulary of characters is as large as the text makes it, up to what a table can hold.
  const vocabSize = settings.tokenizer === 'character' ? largestVocabulary : settings.vocabSize;
  const kind = settings.tokenizer;
  const alphabet = kind === 'bpe' && options.alphabet !== undefined ? { alphabet: options.alphabet } : {};
  const wanted: TokenizerOptions = { kind, vocabSize, ...alphabet };
  const tokenizer = await lab.trainTokenizer(text, wanted);
  try {
    signal.throwIfAborted();
    onStage('encoding');
    const tokenIds = await tokenizer.encode(text);
    const tokens = tokenizer.tokens.map((token) => readableToken(kind, token));
    const opening = text.slice(0, openingLength);
    return { name, characters: text.length, tokens, tokenIds, chainBounds: null, tokenizer, opening };
  } catch (error) {
    tokenizer.dispose();
    throw error;
  }
}

/** The only character of a text, or null where there are two or more. */
function onlyCharacter(text: string): string | null {
  const [first] = text;
  if (first === undefined) return null;
  return text === first.repeat(text.length / first.length) ? first : null;
}

/** Reads a source and cuts it into tokens, of which at least two kinds occur. Rejects as `prepareText` does. */
export async function readTokens(lab: Lab, options: PreparationOptions): Promise<Tokens> {
  const found = await tokensOf(lab, options);
  const first = found.tokenIds[0] ?? 0;
  if (found.tokenIds.some((id) => id !== first)) return found;
  found.tokenizer?.dispose();
  throw new PreparationError('one-token', found.tokens[first] ?? '');
}

async function tokensOf(lab: Lab, options: PreparationOptions): Promise<Tokens> {
  const { source, settings, signal } = options;
  if (source.kind === 'markov-chain') {
    options.onStage('writing');
    return drawFromChain(lab, source.states, settings.seed);
  }
  const { name, text } = await readSource(lab, source, options);
  signal.throwIfAborted();
  if (text.trim() === '') throw new PreparationError('empty-text', '');
  const only = onlyCharacter(text);
  if (only !== null) throw new PreparationError('one-token', only);
  return tokenize(lab, name, text, options);
}

function keptProbabilities(bigrams: Bigrams, kept: Uint32Array): Float32Array {
  const probabilities = new Float32Array(kept.length * kept.length);
  kept.forEach((from, row) => {
    const conditional = bigrams.conditional(from);
    kept.forEach((to, column) => {
      probabilities[row * kept.length + column] = conditional[to] ?? 0;
    });
  });
  return probabilities;
}

const settingsHaveWords = ({ settings, source }: PreparationOptions): boolean =>
  settings.tokenizer === 'word' && source.kind !== 'markov-chain';

/** The pair of these names, where both occur in the text. */
function pairNamed({ from, to }: PairNames, tokens: readonly string[], frequencies: Float64Array): Pair | null {
  const ids = { from: tokens.indexOf(from), to: tokens.indexOf(to) };
  return (frequencies[ids.from] ?? 0) > 0 && (frequencies[ids.to] ?? 0) > 0 ? ids : null;
}

/** The pair that is looked at comes last, so that the maps of a text begin alike for everybody. */
function withPair(pairs: readonly Pair[], { from, to }: Pair): Pair[] {
  const found = pairs.some((pair) => pair.from === from && pair.to === to);
  return found ? [...pairs] : [...pairs, { from, to }];
}

/**
 * Reads the source, cuts it into tokens, counts which follows which and asks for the floors. Rejects with a
 * `PreparationError`, with whatever the lab's verbs reject with, or with the signal's reason.
 */
export async function prepareText(lab: Lab, options: PreparationOptions): Promise<PreparedText> {
  const { onStage, signal } = options;
  const { tokenizer, ...read } = await readTokens(lab, options);
  tokenizer?.dispose();
  const { name, characters, tokens, tokenIds, chainBounds } = read;
  signal.throwIfAborted();
  const vocabSize = tokens.length;
  const frequencies = tokenFrequencies(tokenIds, vocabSize);
  onStage('counting');
  const bigrams = await lab.bigrams(tokenIds, vocabSize);
  signal.throwIfAborted();
  onStage('bounding');
  const bounds = await lab.bigramBounds(bigrams.counts);
  signal.throwIfAborted();
  const internal = settingsHaveWords(options) ? Object.values(internalTokens).map((name) => tokens.indexOf(name)) : [];
  const found = oneWayPairs(bigrams.counts, frequencies, keptPairs, internal);
  const wanted = options.pair === undefined ? null : pairNamed(options.pair, tokens, frequencies);
  const pairs = wanted === null ? found : withPair(found, wanted);
  const { ids: kept, orders } = keepTokens(pairs, frequencies, keptTokens);
  return {
    name,
    characters,
    vocabSize,
    tokens,
    tokenIds,
    bigrams,
    frequencies,
    bounds,
    chainBounds,
    kept,
    orders,
    keptProbabilities: keptProbabilities(bigrams, kept),
    pair: wanted ?? found[0] ?? { from: kept[0] ?? 0, to: kept[1] ?? 1 },
  };
}
