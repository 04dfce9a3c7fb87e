/** Opens a corpus from a file: reads it in pieces, then prepares its text. */
import type { TiedCore } from '../core/core.js';
import type { CoreCorpus, CorpusOpening } from '../core/text/corpus.js';
import type { CheckedCorpus } from '../core/text/corpus-options.js';
import type { CorpusStage } from '../core/text/corpus-types.js';
import { TiedError } from '../core/runtime/errors.js';
import type { Job } from '../core/runtime/pace.js';

/** Approximate fraction of the work that reading takes. */
const READ = 0.05;

export class BlobCorpusOpening implements Job<CoreCorpus, [fraction: number, stage: CorpusStage]> {
  readonly #core: TiedCore;
  readonly #blob: Blob;
  readonly #options: CheckedCorpus;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #bytesRead = 0;
  #text: string | null = null;
  #failure: { error: unknown } | null = null;
  #opening: CorpusOpening | null = null;
  /** Set until the text has been read. */
  waitsFor: Promise<void> | null;

  constructor(core: TiedCore, blob: Blob, options: CheckedCorpus) {
    this.#core = core;
    this.#blob = blob;
    this.#options = options;
    this.#reader = blob.stream().getReader();
    this.waitsFor = this.#read().then(
      (text) => {
        this.#text = text;
        this.waitsFor = null;
      },
      (error: unknown) => {
        this.#failure = { error };
        this.waitsFor = null;
      },
    );
  }

  /** Like `Blob.text()`: UTF-8 without its byte order mark, U+FFFD for invalid bytes. */
  async #read(): Promise<string> {
    const decoder = new TextDecoder();
    const parts: string[] = [];
    for (let read; !(read = await this.#reader.read()).done;) {
      this.#bytesRead += read.value.length;
      parts.push(decoder.decode(read.value, { stream: true }));
    }
    parts.push(decoder.decode());
    return parts.join('');
  }

  get finished(): boolean {
    return this.#opening?.finished ?? false;
  }

  takeFor(milliseconds: number): void {
    if (this.#failure) throw this.#unreadable(this.#failure.error);
    if (this.#text === null) return;
    if (this.#opening) this.#opening.takeFor(milliseconds);
    else this.#opening = this.#core.startCorpus(this.#text, this.#options);
  }

  #unreadable(cause: unknown): TiedError {
    const { size } = this.#blob;
    if (cause instanceof RangeError) {
      const expected = 'a text that fits in a string';
      return new TiedError('out-of-memory', `source is a file of ${size} bytes; expected ${expected}`, { cause });
    }
    return new TiedError(
      'bad-file',
      `source is a file of ${size} bytes that cannot be read; expected a readable file`,
      {
        cause,
      },
    );
  }

  news(): [fraction: number, stage: CorpusStage] {
    if (!this.#opening) return [READ * Math.min(1, this.#bytesRead / Math.max(1, this.#blob.size)), 'reading'];
    const [fraction, stage] = this.#opening.news();
    return [READ + (1 - READ) * fraction, stage];
  }

  result(): CoreCorpus {
    return this.#opening!.result();
  }

  cancelled(cause?: unknown): TiedError {
    const error = new TiedError('cancelled', 'opening the corpus was cancelled while its file was read', { cause });
    return this.#opening?.cancelled(cause) ?? error;
  }

  end(): void {
    if (this.#text === null) void this.#reader.cancel().catch(() => undefined);
    this.#opening?.end();
  }
}
