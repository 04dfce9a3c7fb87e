/** Text generation, a few tokens at a time; the synchronous verb and the lab's time slices both advance one. */
import { kindOf } from '../runtime/arrays.js';
import { argumentError, invalidArgument, TiedError } from '../runtime/errors.js';
import { checkIdsBelow } from '../model/options.js';
import { Pace, type Job } from '../runtime/pace.js';
import { TextStream, type TokenReader } from '../text/text-stream.js';
import type { GenerateOptions, Generation } from '../types.js';
import {
  checkFunction,
  checkNotNegative,
  checkOptions,
  checkSeed,
  checkSignal,
  checkString,
  checkTokenIds,
  checkInteger,
} from '../runtime/validate.js';

/** Tokens per call into the core: bounds the time between two reports. */
const MAX_TOKENS_PER_CALL = 256;
/** Upper limit of the tokens of one generation. */
const MAX_TOKENS = 10_000_000;

export interface CheckedGenerate {
  prompt: Uint32Array | string;
  tokens: number;
  temperature: number;
  /** 0 = all. */
  topK: number;
  seed: number;
  onTokens: GenerateOptions['onTokens'];
  signal: AbortSignal | undefined;
}

/** The checks that need no trainer, shared by core and lab. */
export function checkGenerate(options: GenerateOptions): CheckedGenerate {
  const {
    prompt: given,
    tokens,
    temperature = 1,
    topK,
    seed = 0,
    onTokens,
    signal,
  } = checkOptions('options', options, ['prompt', 'tokens', 'temperature', 'topK', 'seed', 'onTokens', 'signal']);
  const prompt = checkPrompt(given);
  checkInteger('options.tokens', tokens, 0, MAX_TOKENS);
  checkNotNegative('options.temperature', temperature);
  if (topK !== undefined) checkInteger('options.topK', topK, 1);
  checkSeed('options.seed', seed);
  if (onTokens !== undefined) checkFunction('options.onTokens', onTokens);
  if (signal !== undefined) checkSignal('options.signal', signal);
  return { prompt, tokens, temperature, topK: topK ?? 0, seed, onTokens, signal };
}

function checkPrompt(prompt: unknown): Uint32Array | string {
  const argument = 'options.prompt';
  if (typeof prompt === 'string') return checkString(argument, prompt);
  if (kindOf(prompt) === 'Uint32Array') return checkTokenIds(argument, prompt, 1);
  throw invalidArgument(argument, prompt, 'a text, or a Uint32Array of token ids');
}

/** Encodes a prompt and decodes what is generated. */
export interface PromptReader extends TokenReader {
  encodeAs(argument: string, text: string): Uint32Array;
  readonly startToken: number | null;
}

/** The ids of a prompt, at least one. A text begins with the start token, if there is one. */
export function promptIds(prompt: Uint32Array | string, reader: PromptReader | null, vocabSize: number): Uint32Array {
  if (typeof prompt !== 'string') {
    checkIdsBelow('options.prompt', prompt, vocabSize);
    return prompt;
  }
  if (!reader) throw invalidArgument('options.prompt', prompt, 'token ids: the trainer has no tokenizer');
  const text = reader.encodeAs('options.prompt', prompt);
  const start = reader.startToken === null ? [] : [reader.startToken];
  const ids = new Uint32Array(start.length + text.length);
  ids.set(start);
  ids.set(text, start.length);
  if (ids.length === 0) throw invalidArgument('options.prompt', prompt, 'at least one token');
  return ids;
}

/** The core's part: generates `count` more tokens. */
export interface TokenSource {
  next(count: number): Uint32Array;
  end(): void;
}

export class TextGeneration implements Job<Generation, [tokenIds: Uint32Array, text: string | null]> {
  readonly #source: TokenSource;
  readonly #text: TextStream | null;
  readonly #ids: Uint32Array;
  readonly #pace = new Pace(MAX_TOKENS_PER_CALL);
  #done = 0;
  #written = '';
  /** Number of ids already reported to the listener. */
  #reportedIds = 0;
  #reportedText = 0;

  /** Without a `reader` there is no text. */
  constructor(source: TokenSource, prompt: Uint32Array, tokens: number, reader: TokenReader | null) {
    this.#source = source;
    this.#ids = new Uint32Array(tokens);
    this.#text = reader && new TextStream(reader, prompt);
  }

  get finished(): boolean {
    return this.#done === this.#ids.length;
  }

  /** Generates up to `most` tokens and returns their number. */
  take(most: number): number {
    const count = Math.min(most, this.#ids.length - this.#done, MAX_TOKENS_PER_CALL);
    const made = this.#source.next(count);
    this.#ids.set(made, this.#done);
    this.#done += count;
    if (this.#text) this.#write(this.#text.push(made, this.finished));
    return count;
  }

  #write(text: string): void {
    try {
      this.#written += text;
    } catch (cause) {
      const expected = 'fewer tokens: their text exceeds the longest string';
      throw argumentError('out-of-memory', 'options.tokens', this.#ids.length, expected, { cause });
    }
  }

  takeFor(milliseconds: number): void {
    this.#pace.run(
      milliseconds,
      () => this.finished,
      (most) => this.take(most),
    );
  }

  news(): [tokenIds: Uint32Array, text: string | null] | null {
    if (this.#reportedIds === this.#done) return null;
    const ids = this.#ids.slice(this.#reportedIds, this.#done);
    const text = this.#text && this.#written.slice(this.#reportedText);
    this.#reportedIds = this.#done;
    this.#reportedText = this.#written.length;
    return [ids, text];
  }

  result(): Generation {
    return { tokenIds: this.#ids, text: this.#text && this.#written };
  }

  cancelled(cause?: unknown): TiedError {
    const { length } = this.#ids;
    return new TiedError('cancelled', `the generation was cancelled after ${this.#done} of ${length} tokens`, {
      cause,
    });
  }

  end(): void {
    this.#source.end();
  }
}
