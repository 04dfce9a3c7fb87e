/** The package's only error class, and its codes. */

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
export interface Cause {
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
