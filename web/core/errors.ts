/** The one error class of the package, and the words that its `code` can be. */

export type ErrorCode =
  | 'invalid-argument'
  | 'shape-mismatch'
  | 'out-of-memory'
  | 'not-finite'
  | 'bad-file'
  | 'cancelled'
  | 'disposed'
  | 'unsupported';

/** What every verb throws, or rejects with. The message names the argument, its value and what was expected. */
export class TiedError extends Error {
  override readonly name = 'TiedError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const LONGEST_QUOTE = 40;
/** The digits of a longer bigint take quadratic time to write, and nobody reads them. */
const LARGEST_QUOTED_BIGINT = 10n ** 36n;

/** The beginning of a text that may be of any length. */
export function shortened(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE - 3)}...`;
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
      if (value === null) return 'null';
      if (Array.isArray(value)) return `an array of ${value.length}`;
      if (ArrayBuffer.isView(value)) return describeView(value);
      return describeObject(value);
    default:
      return String(value);
  }
}

function describeView(view: ArrayBufferView): string {
  const name = withArticle(view.constructor.name);
  return 'length' in view ? `${name} of ${String(view.length)}` : name;
}

function describeObject(value: object): string {
  const name = Object.getPrototypeOf(value)?.constructor?.name;
  return name && name !== 'Object' ? withArticle(name) : 'an object';
}

/** By how it is said: the U of `Uint8Array` and `URL` is no vowel there. */
function withArticle(name: string): string {
  return `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${shortened(name)}`;
}

/** `<argument> is <value>; expected <expectation>`, the form that the C++ side uses as well. */
export function argumentError(code: ErrorCode, argument: string, value: unknown, expected: string): TiedError {
  return new TiedError(code, `${argument} is ${describeValue(value)}; expected ${expected}`);
}

export function invalidArgument(argument: string, value: unknown, expected: string): TiedError {
  return argumentError('invalid-argument', argument, value, expected);
}
