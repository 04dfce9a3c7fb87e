/** Files that are read in parts: bytes in memory, a Blob or File, or a URL. Offsets and lengths are in bytes. */
import { TiedError } from '../errors.js';

export interface ByteSource {
  /** What messages call it: a file name, a URL, or 'bytes'. */
  readonly name: string;
  /** Null if a server does not let the page see it. */
  readonly size: number | null;
  /** How many bytes were read or received so far, repeated ones included. */
  readonly bytesRead: number;
  /** What the reader of the file should know, such as a URL that was rewritten. */
  readonly notes: readonly string[];
  /** Whether the file is sent by a server to a caller who has not said `wholeFile`; such a file is not downloaded whole unasked. */
  readonly isUnasked?: boolean;
  /** Exactly these bytes, in a buffer of their own or as a view that nobody changes. */
  read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** A file beside this one; null if there is none. `name` is a plain file name. */
  beside(name: string, signal?: AbortSignal): Promise<ByteSource | null>;
}

/** Most bytes that one call may ask for: what is larger is read in parts. */
export const LARGEST_READ = 2 ** 31 - 1;

export function badFile(name: string, problem: string, cause?: unknown): TiedError {
  return new TiedError('bad-file', `${name}: ${problem}`, cause === undefined ? undefined : { cause });
}

/** What a server sends without asking. */
const MOST_UNASKED = 4_000_000;

/** Of a format that is read whole: names the size before a large file is downloaded. */
export function checkAsked({ name, size, isUnasked = false }: ByteSource, format: string): void {
  if (!isUnasked || (size !== null && size <= MOST_UNASKED)) return;
  const bytes = size === null ? 'of unknown size' : `of ${size} bytes`;
  throw new TiedError(
    'unsupported',
    `${name}: it is ${format}, read as a whole, ${bytes}; expected wholeFile: true, or the file itself`,
    { details: { wholeFile: { bytes: size } } },
  );
}

export function cancelledBy(signal: AbortSignal): TiedError {
  return new TiedError('cancelled', 'the call was cancelled by its signal', { cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledBy(signal);
}

/** What `promise` gives, or at once the error of an aborted signal. The promise itself may go on; its failure is then ignored. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    promise.catch(() => undefined);
    throw cancelledBy(signal);
  }
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(cancelledBy(signal));
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Refuses a range that a file cannot have, before anything is allocated. */
export function checkRange(source: Pick<ByteSource, 'name' | 'size'>, from: number, length: number): void {
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(length) && from >= 0 && length >= 0;
  if (!isRange || length > LARGEST_READ || !Number.isSafeInteger(from + length))
    throw badFile(source.name, `${length} bytes from byte ${from} cannot be read; expected at most ${LARGEST_READ}`);
  if (source.size !== null && from + length > source.size)
    throw badFile(source.name, `it ends at byte ${source.size}; expected at least ${from + length}`);
}

/** Whether a name is that of a file in the same folder, and no path. */
export const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\\:?#%\p{Cc}\p{Surrogate}]/u.test(name);
