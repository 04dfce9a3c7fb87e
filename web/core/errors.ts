/** The package's only error class, and its codes. */
import { isArrayBuffer, isDetached, isRevoked, isTransferred, kindOf, lengthOf } from './arrays.js';

export const ERROR_CODES = [
  'invalid-argument',
  'shape-mismatch',
  'out-of-memory',
  'not-finite',
  'bad-file',
  'cancelled',
  'disposed',
  'stopped',
  'unsupported',
  'unreachable',
] as const;

/**
 * - `invalid-argument`: an argument has a value that the verb does not accept.
 * - `shape-mismatch`: two arguments do not fit together.
 * - `out-of-memory`: the call was refused because its result or work does not fit. Everything else continues.
 * - `not-finite`: a loss, a gradient or an argument is NaN or infinite.
 * - `bad-file`: a file is damaged, cut off, or of another kind.
 * - `cancelled`: the caller's AbortSignal was aborted.
 * - `disposed`: the caller disposed of the core, the lab or the handle.
 * - `stopped`: the core or the worker stopped unexpectedly, and its objects are lost. Load a new one.
 * - `unsupported`: this engine, this build or this kind of model cannot do it.
 * - `unreachable`: a URL could not be read because of the network, the server or its rules. Retrying may succeed.
 */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** A matrix of a checkpoint that may be one of its tables. Fields that were not read from the header are null. */
export interface TableCandidate {
  readonly name: string;
  readonly shape: readonly number[] | null;
  readonly dtype: string | null;
  readonly bytes: number | null;
}

/** What a program needs besides the message to offer the user a next step. */
export interface ErrorDetails {
  /** From `openCheckpoint`, if the file does not tell which tensors are the tables: candidates for `tables`, the likeliest first. */
  readonly tables?: readonly TableCandidate[];
  /**
   * From `openCheckpoint`, if the server or the format supports whole files only: the bytes that `wholeFile: true`
   * would download; null if the server does not say.
   */
  readonly wholeFile?: { readonly bytes: number | null };
}

/** `ErrorOptions` of newer TypeScript libraries, which projects for older engines do not declare. */
interface Cause {
  readonly cause?: unknown;
  readonly details?: ErrorDetails;
}

/** What every verb throws, or rejects with. The message names the argument, its value and what was expected. */
export class TiedError extends Error {
  /** 'AbortError' if the code is 'cancelled', as in platform APIs; `cause` is then the signal's reason. */
  override readonly name: 'TiedError' | 'AbortError';
  readonly code: ErrorCode;
  /** Empty for most errors. */
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options?: Cause) {
    super(message, options);
    this.details = options?.details ?? {};
    this.name = code === 'cancelled' ? 'AbortError' : 'TiedError';
    this.code = code;
  }
}

const LONGEST_QUOTE = 40;
/** Writing the digits of a longer bigint takes quadratic time, and a message does not need them. */
const LARGEST_QUOTED_BIGINT = 10n ** 36n;

/** The beginning of a text of any length. */
export function shortened(text: string, most = LONGEST_QUOTE): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

/** A short, readable form of any value for an error message. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${shortened(value)}'`;
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return value < LARGEST_QUOTED_BIGINT && value > -LARGEST_QUOTED_BIGINT
        ? `${value}n`
        : 'a bigint of more than 36 digits';
    case 'symbol':
      return `Symbol(${shortened(value.description ?? '')})`;
    case 'function':
      return 'a function';
    case 'object':
      try {
        return describeObject(value);
      } catch {
        // Its prototype, perhaps a proxy, could not be read.
        return 'an object';
      }
    default:
      return String(value);
  }
}

/** Key of the description that replaces a value that cannot be cloned to a worker, so the worker can still name it. */
const DESCRIBED = 'tied-embeddings: described';

/** Replaces a value that cannot be copied. No verb accepts a Map, so the value is refused under its own name. */
export function describedOnly(value: unknown): ReadonlyMap<string, string> {
  return new Map([[DESCRIBED, describeValue(value)]]);
}

function describeObject(value: object | null): string {
  if (value === null) return 'null';
  if (isRevoked(value)) return 'a revoked Proxy';
  if (Array.isArray(value)) return `an array of ${String(value.length)}`;
  const kind = kindOf(value);
  if (kind !== undefined) {
    return isDetached(value)
      ? `${withArticle(kind)} whose buffer was transferred or has shrunk`
      : `${withArticle(kind)} of ${lengthOf(value)}`;
  }
  if (isArrayBuffer(value) && isTransferred(value)) return 'an ArrayBuffer that was transferred';
  if (value instanceof Map && value.has(DESCRIBED)) return String(value.get(DESCRIBED));
  const name = builtInName(value);
  if (name === 'Object' || name === '') return 'an object';
  return name === 'Promise' ? 'a Promise (is an await missing?)' : withArticle(name);
}

/** 'Map', 'Date', 'URL'; 'Object' for instances of classes, because a minifier shortens their own names. */
const builtInName = (value: object): string => Object.prototype.toString.call(value).slice('[object '.length, -1);

/** By pronunciation: the U of `Uint8Array` and `URL` does not sound like a vowel. */
function withArticle(name: string): string {
  return `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${shortened(name)}`;
}

/** `<argument> is <value>; expected <expectation>`, the same form as in C++. */
export function argumentError(
  code: ErrorCode,
  argument: string,
  value: unknown,
  expected: string,
  options?: Cause,
): TiedError {
  const is = describeValue(value);
  // A proxy, or an object that only inherits from the type that it resembles.
  const seems = typeof value === 'object' && is !== 'an object' && expected.includes(is) ? 'only an imitation of ' : '';
  return new TiedError(code, `${argument} is ${seems}${is}; expected ${expected}`, options);
}

export function invalidArgument(argument: string, value: unknown, expected: string): TiedError {
  return argumentError('invalid-argument', argument, value, expected);
}
