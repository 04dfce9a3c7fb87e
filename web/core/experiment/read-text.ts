/** A job's text or pairs as tokens, opened once for all jobs that share it. */
import { TiedError } from '../runtime/errors.js';
import type { ExperimentJob, ExperimentText } from './types.js';
import { canonicalJson, sha256Of } from './canonical.js';
import type { LabCorpus, LabTokenizer, Matrix } from '../types.js';
import type { ExperimentHost, JobText } from './metric-kinds.js';
import { hiddenPairs } from './hidden-pairs.js';
import { openPairs, type OpenedPairs } from './read-pairs.js';

export interface OpenedText extends JobText {
  readonly reads: 'text';
  readonly vocabSize: number;
  /** How often each token occurs in the training part [V]. */
  readonly counts: Uint32Array;
  /** SHA-256 of the UTF-8 bytes, or of the states of a chain as 32-bit integers. */
  readonly sha256: string;
  /** The tokenizer of the first text; null for a Markov chain. */
  readonly tokenizer: LabTokenizer | null;
  /** The text to which models are moved; null if there is none. */
  readonly next: OpenedText | null;
  readonly close: () => void;
}

/** What the models of a job read. */
export type Opened = OpenedText | OpenedPairs;

export interface TextOptions {
  readonly texts: Readonly<Record<string, string>>;
  readonly signal: { signal?: AbortSignal };
}

/** The newest text, or pairs, of a host; consecutive jobs usually share them. */
export class TextCache {
  readonly #host: ExperimentHost;
  readonly #options: TextOptions;
  #newest: { readonly key: string; readonly opened: Opened } | null = null;

  constructor(host: ExperimentHost, options: TextOptions) {
    this.#host = host;
    this.#options = options;
  }

  async of(job: ExperimentJob): Promise<Opened> {
    const { text, pairs, tokenizer, validation, then } = job;
    const key = canonicalJson({ text, pairs, tokenizer, validation, next: then?.text });
    if (this.#newest?.key === key) return this.#newest.opened;
    this.close();
    const opened =
      pairs === undefined
        ? await openText(this.#host, { ...job, text: text! }, this.#options)
        : await openPairs(this.#host, { pairs, validation }, this.#options.texts);
    this.#newest = { key, opened };
    return opened;
  }

  close(): void {
    this.#newest?.opened.close();
    this.#newest = null;
  }
}

async function openText(
  host: ExperimentHost,
  { text, tokenizer, validation, then }: ExperimentJob & { text: ExperimentText },
  options: TextOptions,
): Promise<OpenedText> {
  const source = await sourceOf(host, text, options, 'spec.text');
  const given = { validation, ...options.signal };
  const first = await readCorpus(
    source,
    await host.openCorpus(source, { ...given, ...(tokenizer === null ? {} : { tokenizer }) }),
  );
  if (then === undefined) return first;
  try {
    const { vocabSize } = first;
    const second = await sourceOf(host, then.text, options, 'spec.then.text');
    // In tokens of the first text: a tokenizer is older than what its model is moved to.
    const corpus =
      typeof second === 'string'
        ? await host.openCorpus(await first.tokenizer!.encode(second), { ...given, vocabSize })
        : await host.openCorpus(second, given);
    const next = { ...(await readCorpus(second, corpus)), tokenizer: first.tokenizer };
    const close = (): void => {
      next.close();
      first.close();
    };
    return { ...first, next, sha256: sha256Of(first.sha256, next.sha256), close };
  } catch (error) {
    first.close();
    throw error;
  }
}

async function readCorpus(source: TextSource, corpus: LabCorpus): Promise<OpenedText> {
  const training = await corpus.tokenIds('training');
  const heldOut = await corpus.tokenIds('validation');
  const sha256 = typeof source === 'string' ? sha256Of(source) : sha256Of(...[training, heldOut].map(littleEndian));
  const pairs = async (): Promise<Matrix> => (await corpus.bigrams()).counts;
  const counts = await corpus.frequencies();
  const close = (): void => {
    corpus.dispose();
  };
  const { vocabSize, tokenizer } = corpus;
  return { reads: 'text', corpus, vocabSize, tokenizer, training, heldOut, counts, pairs, sha256, next: null, close };
}

/** The text as an arm reads it: in its direction, and with its part of the tokens hidden. */
export function asRead(text: Opened, { direction, hidden }: Pick<ExperimentJob, 'direction' | 'hidden'>): Opened {
  // Pairs have no direction.
  if (text.reads === 'pairs') return text;
  const partly = hidden === undefined ? text : withHidden(text, hidden);
  return direction === undefined ? partly : turned(partly, direction);
}

function withHidden(text: OpenedText, hidden: number): OpenedText {
  const next = text.next && withHidden(text.next, hidden);
  return { ...text, next, pairs: () => Promise.resolve(hiddenPairs(text.training, text.vocabSize, hidden)) };
}

function turned(text: OpenedText, direction: 'backward' | 'either'): OpenedText {
  const next = text.next && turned(text.next, direction);
  const pairs = async (): Promise<Matrix> => {
    const { rows, cols, data } = await text.pairs();
    const ahead = direction === 'either' ? 1 : 0;
    const either = data.map((count, i) => ahead * count + data[(i % cols) * cols + Math.floor(i / cols)]!);
    return { rows, cols, data: either };
  };
  if (direction === 'either') return { ...text, next, pairs };
  return { ...text, next, training: text.training.slice().reverse(), heldOut: text.heldOut.slice().reverse(), pairs };
}

type TextSource = string | Awaited<ReturnType<typeof chainOf>>;

async function sourceOf(
  host: ExperimentHost,
  text: ExperimentText,
  options: TextOptions,
  argument: string,
): Promise<TextSource> {
  return 'markov' in text ? chainOf(host, text.markov) : writtenText(host, text, options, argument);
}

const chainOf = async (
  host: ExperimentHost,
  { states, length, seed }: { states: number; length: number; seed: number },
) => ({
  transition: await host.randomMarkovChain({ states, seed }),
  length,
  seed,
});

function writtenText(
  host: ExperimentHost,
  text: Exclude<ExperimentText, { markov: unknown }>,
  { texts, signal }: TextOptions,
  argument: string,
): Promise<string> | string {
  if ('string' in text) return text.string;
  if ('stories' in text) return host.writeStories({ ...text.stories, ...signal });
  const found = Object.hasOwn(texts, text.file) ? texts[text.file] : undefined;
  if (found === undefined)
    throw new TiedError('invalid-argument', `${argument}.file is '${text.file}'; expected a name in options.texts`);
  return found;
}

/** The bytes of numbers in the same order on every machine. */
export function littleEndian(numbers: Uint32Array | Float32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.byteLength));
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] === 1) return bytes;
  for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  return bytes;
}
