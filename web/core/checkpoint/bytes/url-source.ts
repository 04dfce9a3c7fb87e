/** A file at a URL, read in ranges: only what is requested is sent. */
import { TiedError } from '../../runtime/errors.js';
import { fileLink } from './links.js';
import { badFile, checkRange, isPlainName, throwIfAborted, type ByteSource } from './source.js';
import { explainFailure } from './url-failure.js';
import { checkBeginning, lengthOf, partOf, unreachable, versionOf } from './url-answer.js';
import { UrlStream, type Fetch } from './url-stream.js';

export interface UrlOptions {
  /** Whether to download a whole file if the server does not send ranges or the format is read whole. */
  readonly wholeFile?: boolean;
  /** Milliseconds without a byte after which the server counts as stalled. Default 20,000. */
  readonly silenceMs?: number;
  /** Called with the bytes received of a whole file, and its size, null if unknown. */
  readonly onDownload?: (bytes: number, size: number | null) => void;
  readonly fetch?: Fetch;
}

/** Bytes of the first request: the header of most files. */
const FIRST_BYTES = 65_536;
const SILENCE_MS = 20_000;
/** Consecutive requests without data after which a read fails. */
const MOST_FAILURES = 3;
/** The largest file that is downloaded whole; a tab has little more memory. */
const LARGEST_WHOLE = 2 ** 30;

export class UrlSource implements ByteSource {
  readonly name: string;
  readonly notes: string[];
  bytesRead = 0;
  #size: number | null = null;
  readonly #options: UrlOptions & { readonly fetch: Fetch; readonly silenceMs: number };
  #version: string | null = null;
  /** Its first bytes, or all of them if the server does not send ranges. */
  #start: Uint8Array = new Uint8Array();

  private constructor(url: string, notes: string[], options: UrlOptions) {
    this.name = url;
    this.notes = notes;
    this.#options = {
      ...options,
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      silenceMs: options.silenceMs ?? SILENCE_MS,
    };
  }

  static async open(text: string, options: UrlOptions = {}, signal?: AbortSignal): Promise<UrlSource> {
    for (let link = fileLink(text); ;) {
      const source = new UrlSource(link.url, link.note === null ? [] : [link.note], options);
      try {
        await source.#probe(signal);
        return source;
      } catch (error) {
        if (link.otherwise === null || !isMissing(error)) throw error;
        link = link.otherwise;
      }
    }
  }

  get size(): number | null {
    return this.#size;
  }

  get isUnasked(): boolean {
    return this.#options.wholeFile !== true;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    throwIfAborted(signal);
    checkRange(this, from, length);
    if (from + length <= this.#start.length) return this.#start.subarray(from, from + length);
    const bytes = new Uint8Array(length);
    // Allocated now, so an array that does not fit fails before the transfer.
    let at = Math.max(0, Math.min(length, this.#start.length - from));
    bytes.set(this.#start.subarray(from, from + at));
    let failures = 0;
    while (at < length) {
      const before = at;
      try {
        at = await this.#receive(from, bytes, at, signal);
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        at = error.at;
        failures = at > before ? 0 : failures + 1;
        if (failures >= MOST_FAILURES) throw this.#cutOff(from + at, error.cause);
      }
    }
    return bytes;
  }

  async beside(name: string, signal?: AbortSignal): Promise<ByteSource | null> {
    if (!isPlainName(name)) throw badFile(this.name, `'${name.slice(0, 80)}' is not a plain file name`);
    const url = new URL(encodeURIComponent(name), this.name);
    url.search = new URL(this.name).search;
    try {
      return await UrlSource.open(url.href, this.#options, signal);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Requests the first bytes, the size, and whether the server sends ranges. Avoids HEAD, because caches lose the length of compressed files. */
  async #probe(signal: AbortSignal | undefined): Promise<void> {
    const stream = await this.#request(0, FIRST_BYTES - 1, signal);
    try {
      const part = partOf(this.name, stream.response, 0, FIRST_BYTES - 1);
      this.#version = versionOf(stream.response);
      const said = lengthOf(stream.response);
      const size = part === null ? said : part.size;
      if (part === null && size !== null && size > FIRST_BYTES && this.#options.wholeFile !== true) {
        checkBeginning(this.name, (await this.#piece(stream)) ?? new Uint8Array());
        throw this.#noParts(size);
      }
      const most = part === null ? (this.#options.wholeFile === true ? LARGEST_WHOLE : FIRST_BYTES) : FIRST_BYTES;
      if (size !== null && part === null && size > most)
        throw badFile(
          this.name,
          `it has ${size} bytes, and the server sends no ranges; expected at most ${most} to download it whole`,
        );
      this.#start = await this.#whole(stream, most, part === null ? size : null, part === null);
      this.#size = part === null ? this.#start.length : size;
      const wanted = part === null ? size : Math.min(size ?? 0, FIRST_BYTES);
      if (wanted !== null && this.#start.length < wanted) throw this.#cutOff(this.#start.length);
      // A server that hides the size and sends less than requested has sent everything.
      if (this.#size === null && this.#start.length < FIRST_BYTES) this.#size = this.#start.length;
    } catch (error) {
      throw error instanceof Interrupted ? this.#cutOff(error.at, error.cause) : error;
    } finally {
      stream.close();
    }
    checkBeginning(this.name, this.#start);
  }

  /** Everything that the stream sends, at most `most` bytes. */
  async #whole(stream: UrlStream, most: number, size: number | null, whole: boolean): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (let piece = await this.#piece(stream); piece !== null; piece = await this.#piece(stream)) {
      if (pieces.length === 0) checkBeginning(this.name, piece);
      pieces.push(piece);
      length += piece.length;
      if (length > most) throw whole ? this.#noParts(size) : this.#tooMany(most);
      if (whole) this.#options.onDownload?.(length, size);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** Fills `bytes` from `at` on; returns where it stopped. Throws `Interrupted` if the connection fails. */
  async #receive(from: number, bytes: Uint8Array, at: number, signal: AbortSignal | undefined): Promise<number> {
    const [first, last] = [from + at, from + bytes.length - 1];
    let stream: UrlStream;
    try {
      stream = await this.#request(first, last, signal);
    } catch (error) {
      throw error instanceof TiedError ? error : new Interrupted(at, error);
    }
    try {
      const part = partOf(this.name, stream.response, first, last);
      if (part === null) throw this.#noParts(lengthOf(stream.response));
      this.#checkVersion(stream.response, part.size);
      for (let piece = await this.#piece(stream, at); piece !== null; piece = await this.#piece(stream, at)) {
        if (at + piece.length > bytes.length) throw this.#tooMany(bytes.length);
        bytes.set(piece, at);
        at += piece.length;
      }
    } finally {
      stream.close();
    }
    if (at < bytes.length) throw new Interrupted(at);
    return at;
  }

  async #piece(stream: UrlStream, at = 0): Promise<Uint8Array | null> {
    try {
      const piece = await stream.next();
      this.bytesRead += piece?.length ?? 0;
      return piece;
    } catch (error) {
      throw error instanceof TiedError ? error : new Interrupted(at, error);
    }
  }

  async #request(from: number, to: number, signal: AbortSignal | undefined): Promise<UrlStream> {
    const { fetch, silenceMs } = this.#options;
    try {
      return await UrlStream.open(from, to, { url: this.name, fetch, silenceMs, signal });
    } catch (error) {
      // Later requests are retried, because the server was reachable before.
      if (error instanceof TiedError || this.#start.length > 0) throw error;
      throw await explainFailure(this.name, fetch, error, signal);
    }
  }

  #checkVersion(response: Response, size: number | null): void {
    const version = versionOf(response);
    const isOther = version !== null && this.#version !== null && version !== this.#version;
    if (isOther || (size !== null && this.#size !== null && size !== this.#size))
      throw badFile(this.name, 'the file on the server has changed since it was opened; open it again');
  }

  #noParts(size: number | null): TiedError {
    const bytes = size === null ? 'of unknown size' : `of ${size} bytes`;
    return new TiedError(
      'unsupported',
      `${this.name}: the server sends no ranges, only the whole file, ${bytes}; expected a server with ranges, wholeFile: true, or the file itself`,
      { details: { wholeFile: { bytes: size } } },
    );
  }

  #tooMany(expected: number): TiedError {
    return badFile(this.name, `the server sent more bytes than requested; expected ${expected}`);
  }

  #cutOff(at: number, cause?: unknown): TiedError {
    const size = this.#size === null ? '' : ` of ${this.#size}`;
    return unreachable(this.name, `the transfer ended at byte ${at}${size}; try again`, cause);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof TiedError && error.code === 'unreachable' && /status (404|410)/.test(error.message);

/** A connection that failed before all bytes arrived. */
class Interrupted extends Error {
  readonly at: number;
  constructor(at: number, cause?: unknown) {
    super('interrupted', { cause });
    this.at = at;
  }
}
