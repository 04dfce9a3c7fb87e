/** Files read in parts: bytes in memory, a Blob or File, or a URL. Offsets and lengths are in bytes. */
import { TiedError } from '../../runtime/errors.js';

export interface ByteSource {
  /** The name in messages: a file name, a URL, or 'bytes'. */
  readonly name: string;
  /** Null if a server does not let the page see it. */
  readonly size: number | null;
  /** How many bytes were read or received so far, including repeated ones. */
  readonly bytesRead: number;
  /** What the user should know, such as that a URL was rewritten. */
  readonly notes: readonly string[];
  /** Whether the file comes from a server and the caller has not set `wholeFile`; such a file is not downloaded whole without being asked. */
  readonly isUnasked?: boolean;
  /** Exactly these bytes, in their own buffer or as a view that nobody changes. */
  read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** A file beside this one; null if there is none. `name` is a plain file name. */
  beside(name: string, signal?: AbortSignal): Promise<ByteSource | null>;
}

/** Maximum bytes per call; anything larger is read in parts. */
const LARGEST_READ = 2 ** 31 - 1;

export function badFile(name: string, problem: string, cause?: unknown): TiedError {
  return new TiedError('bad-file', `${name}: ${problem}`, cause === undefined ? undefined : { cause });
}

/** Maximum bytes that are downloaded whole without asking. */
const MOST_UNASKED = 4_000_000;

/** For a format that is read whole: refuses a large download and names its size. */
export function checkAsked({ name, size, isUnasked = false }: ByteSource, format: string): void {
  if (!isUnasked || (size !== null && size <= MOST_UNASKED)) return;
  const bytes = size === null ? 'of unknown size' : `of ${size} bytes`;
  throw new TiedError(
    'unsupported',
    `${name}: it is ${format} ${bytes}, which can only be read whole; expected wholeFile: true, or the file itself`,
    { details: { wholeFile: { bytes: size } } },
  );
}

export function cancelledBy(signal: AbortSignal): TiedError {
  return new TiedError('cancelled', 'the call was cancelled by its signal', { cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledBy(signal);
}

/** Settles like `promise`, or immediately with the error of an aborted signal. The promise itself may continue; its failure is then ignored. */
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

/** Refuses a range that the file cannot have, before anything is allocated. */
export function checkRange(source: Pick<ByteSource, 'name' | 'size'>, from: number, length: number): void {
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(length) && from >= 0 && length >= 0;
  if (!isRange || length > LARGEST_READ || !Number.isSafeInteger(from + length))
    throw badFile(source.name, `${length} bytes from byte ${from} cannot be read; expected at most ${LARGEST_READ}`);
  if (source.size !== null && from + length > source.size)
    throw badFile(source.name, `it ends at byte ${source.size}; expected at least ${from + length}`);
}

/** Whether a name is a file in the same folder, not a path. */
export const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\\:?#%\p{Cc}\p{Surrogate}]/u.test(name);
