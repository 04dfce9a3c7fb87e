import type { BigramBounds, CorpusStage, Lab, LabCorpus } from '../../core/types.js';
import { codeOf } from '../shared/error-code.js';
import { isInternalToken, readableToken, type TokenNames } from '../shared/token-names.js';
import type { ControllerOptions, RunSettings } from './running.js';
import { largestVocabulary } from './settings.js';
import { markovLength, type TextSource } from './text-source.js';

/** The number of characters from the start of a text that are kept on the page. */
const openingLength = 200;

export type PreparationStage = 'loading' | 'writing' | Exclude<CorpusStage, 'reading'> | 'building';

/** A text that is ready for training. Text, ids and counts are in the lab; `corpus` fetches what is drawn. */
export interface LabText {
  readonly corpus: LabCorpus;
  /** The source's own name: a file name or a built-in text's title; null if the element names the source. */
  readonly name: string | null;
  /** The printable form of each token. */
  readonly tokens: readonly string[];
  /** Floors of the training text; null if it has too many different tokens to compute them. */
  readonly bounds: BigramBounds | null;
  /** Floors of the Markov chain that the text was sampled from, if any. */
  readonly chainBounds: BigramBounds | null;
  /** The start of the text. */
  readonly opening: string;
}

/** Ids of a word tokenizer's special tokens. */
export const internalIds = ({ corpus }: LabText): Uint32Array =>
  corpus.tokenizer?.kind === 'word'
    ? Uint32Array.from(corpus.tokenizer.tokens.flatMap((token, id) => (isInternalToken('word', token) ? [id] : [])))
    : new Uint32Array();

export type TextProblem = 'empty-text' | 'one-token' | 'too-short';

/** A text that cannot be trained on. `detail` is its only token, or its number of tokens if there are fewer than `needed`. */
export class TextError extends Error {
  constructor(
    readonly problem: TextProblem,
    readonly detail: string,
    readonly needed = 2,
  ) {
    super(`${problem}: ${detail}`);
    this.name = 'TextError';
  }
}

export interface OpeningOptions {
  readonly settings: RunSettings;
  readonly source: TextSource;
  /** The fraction of tokens to hold out. */
  readonly validation: number;
  /** For byte pairs: 'text' starts from the bytes that occur, so every row of the table is used. */
  readonly alphabet: 'bytes' | 'text';
  readonly loadBuiltIn: ControllerOptions['loadBuiltIn'];
  /** Names of a word tokenizer's special tokens. */
  readonly names: TokenNames;
  readonly onStage: (stage: PreparationStage) => void;
  readonly signal: AbortSignal;
}

/** A, B, ... Z, then A1, B1, ... */
function stateName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  const round = Math.floor(index / 26);
  return round === 0 ? letter : `${letter}${String(round)}`;
}

/** The only character of a text, or null if there are several. */
function onlyCharacter(text: string): string | null {
  const [first] = text;
  if (first === undefined) return null;
  return text === first.repeat(text.length / first.length) ? first : null;
}

async function readSource(
  lab: Lab,
  source: Exclude<TextSource, { kind: 'markov-chain' }>,
  { settings, loadBuiltIn, onStage, signal }: OpeningOptions,
): Promise<{ name: string | null; text: string }> {
  if (source.kind === 'own') return source;
  if (source.kind === 'stories') {
    onStage('writing');
    return { name: null, text: await lab.writeStories({ seed: settings.seed, length: source.length, signal }) };
  }
  const { title, text } = await loadBuiltIn(source.id);
  return { name: title, text };
}

/** Reports loading before the corpus is opened. */
const reportStage =
  (onStage: OpeningOptions['onStage']) =>
  (_: number, stage: CorpusStage): void => {
    if (stage !== 'reading') onStage(stage);
  };

async function openChain(lab: Lab, states: number, options: OpeningOptions): Promise<LabText> {
  const { settings, validation, onStage, signal } = options;
  onStage('writing');
  const transition = await lab.randomMarkovChain({ states, seed: settings.seed });
  const chainBounds = await lab.markovBounds(transition);
  const source = { transition, length: markovLength, seed: settings.seed };
  const corpus = await lab.openCorpus(source, { validation, signal, onProgress: reportStage(onStage) });
  const [first = 0] = await corpus.tokenIds('training', { count: 1 });
  const tokens = Array.from({ length: states }, (_, index) => stateName(index));
  return { corpus, name: null, tokens, chainBounds, bounds: corpus.bounds, opening: tokens[first] ?? '' };
}

async function openTokens(lab: Lab, name: string | null, text: string, options: OpeningOptions): Promise<LabText> {
  const { validation, alphabet, names, onStage, signal } = options;
  const { tokenizer: kind, vocabSize } = options.settings;
  // The text determines how many characters there are, up to what a table can hold.
  const size = kind === 'character' ? largestVocabulary : vocabSize;
  const tokenizer = { kind, vocabSize: size, ...(kind === 'bpe' ? { alphabet } : {}) };
  const onProgress = reportStage(onStage);
  onStage('learning');
  const corpus = await lab.openCorpus(text, { tokenizer, validation, signal, onProgress }).catch((error: unknown) => {
    // The settings are valid and the text has at least two characters, so the only remaining cause is a text of one
    // word.
    const oneWord = codeOf(error) === 'invalid-argument' && !/\s/.test(text.trim());
    throw oneWord ? new TextError('one-token', text.trim()) : error;
  });
  const tokens = (corpus.tokenizer?.tokens ?? []).map((token) => readableToken(kind, token, names));
  return { corpus, name, tokens, chainBounds: null, bounds: corpus.bounds, opening: text.slice(0, openingLength) };
}

/**
 * Reads a source and opens its corpus, which has at least two different tokens. Rejects with a `TextError` or with an
 * error from the lab's verbs.
 */
export async function openText(lab: Lab, options: OpeningOptions): Promise<LabText> {
  const { source, signal } = options;
  if (source.kind === 'markov-chain') return openChain(lab, source.states, options);
  const { name, text } = await readSource(lab, source, options);
  signal.throwIfAborted();
  if (text.trim() === '') throw new TextError('empty-text', '');
  const only = onlyCharacter(text);
  if (only !== null) throw new TextError('one-token', only);
  const opened = await openTokens(lab, name, text, options);
  const counts = await opened.corpus.frequencies();
  const first = counts.findIndex((count) => count > 0);
  if (counts.some((count, id) => count > 0 && id !== first)) return opened;
  opened.corpus.dispose();
  throw new TextError('one-token', opened.tokens[first] ?? '');
}
