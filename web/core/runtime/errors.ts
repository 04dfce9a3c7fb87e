/** Errors with messages that name the argument, its value and what was expected. */
import { isArrayBuffer, isDetached, isRevoked, isTransferred, kindOf, lengthOf } from './arrays.js';
import { TiedError, type Cause, type ErrorCode } from './tied-error.js';

export { TiedError, ERROR_CODES, type ErrorCode, type ErrorDetails, type TableCandidate } from './tied-error.js';

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
