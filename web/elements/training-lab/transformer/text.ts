import type { BigramBounds, LabTokenizer } from '../../../core/types.js';
import { PreparationError, readableText, readTokens } from '../prepare-text.js';
import type { Preparation } from '../running.js';
import type { TransformerSettings } from './settings.js';

/** One token in so many is held out: the last tenth of the text. */
const heldOutShare = 0.1;
/** Tokens of the held-out part that a measurement reads: enough for the second decimal, and done in a moment. */
const measuredTokens = 8192;
/** Words of the text's beginning that the first prompt takes. */
const promptWords = 3;

/** Text to ids and back. */
export interface TextCodec {
  encode(text: string): Promise<Uint32Array>;
  decode(ids: Uint32Array): Promise<string>;
  dispose(): void;
}

/** A text to train on, and a part of it to test on. */
export interface TransformerText {
  /** What the source calls itself; null where the element has a name for it. */
  name: string | null;
  characters: number | null;
  vocabSize: number;
  trainingIds: Uint32Array;
  /** Null where the text is too short to spare any. */
  heldOutIds: Uint32Array | null;
  /** Of the training part. */
  bounds: BigramBounds;
  /** Exact ones, where the text was drawn from a known chain. */
  chainBounds: BigramBounds | null;
  codec: TextCodec;
  /** A few words to begin with. */
  prompt: string;
}

/** A chain's states are its words. */
function chainCodec(tokens: readonly string[]): TextCodec {
  return {
    encode: (text) => {
      const ids = text
        .split(/\s+/)
        .map((word) => tokens.indexOf(word))
        .filter((id) => id >= 0);
      return Promise.resolve(Uint32Array.from(ids));
    },
    decode: (ids) => Promise.resolve(Array.from(ids, (id) => ` ${tokens[id] ?? ''}`).join('')),
    dispose: () => undefined,
  };
}

function tokenizerCodec(tokenizer: LabTokenizer): TextCodec {
  return {
    encode: (text) => tokenizer.encode(text),
    decode: async (ids) => readableText(tokenizer.kind, await tokenizer.decode(ids)),
    dispose: () => {
      tokenizer.dispose();
    },
  };
}

/** Leaves out a broken last word, and line ends, which a prompt field cannot show. */
function firstWords(opening: string): string {
  const words = opening.trim().split(/\s+/).slice(0, promptWords);
  return words.join(' ');
}

/** Rejects with a `PreparationError` where fewer tokens are left to train on than a sequence needs. */
export function checkLength(trainingTokens: number, { contextLength }: TransformerSettings): void {
  const needed = contextLength + 1;
  if (trainingTokens < needed) throw new PreparationError('too-short', String(trainingTokens), needed);
}

/** Reads a source, cuts it into tokens, holds the last tenth out and asks for the floors of the rest. */
export async function readTransformerText({
  lab,
  ...options
}: Preparation<TransformerSettings>): Promise<TransformerText> {
  const { settings, signal, onStage } = options;
  const { tokenizer, name, characters, tokens, tokenIds, chainBounds, opening } = await readTokens(lab, {
    ...options,
    alphabet: 'text',
  });
  const codec = tokenizer === null ? chainCodec(tokens) : tokenizerCodec(tokenizer);
  try {
    const vocabSize = tokens.length;
    const spared = Math.floor(tokenIds.length * heldOutShare);
    const trainingIds = tokenIds.slice(0, tokenIds.length - spared);
    const heldOutIds = spared < 2 ? null : tokenIds.slice(trainingIds.length, trainingIds.length + measuredTokens);
    checkLength(trainingIds.length, settings);
    signal.throwIfAborted();
    onStage('counting');
    const bigrams = await lab.bigrams(trainingIds, vocabSize);
    signal.throwIfAborted();
    onStage('bounding');
    const bounds = await lab.bigramBounds(bigrams.counts);
    signal.throwIfAborted();
    const prompt = tokenizer === null ? (tokens[trainingIds[0] ?? 0] ?? '') : firstWords(opening);
    return { name, characters, vocabSize, trainingIds, heldOutIds, bounds, chainBounds, codec, prompt };
  } catch (error) {
    codec.dispose();
    throw error;
  }
}
