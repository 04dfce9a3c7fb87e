/**
 * Correct outcomes of a call: a value of the right shape, a short and meaningful TiedError, or the caller's own error.
 */
import { ERROR_CODES } from '../../web/core/runtime/errors.js';
import { TiedError } from '../../web/index.js';
import { OwnError } from './hostile/tricks.js';
import type { Shape } from './shapes.js';

export type Outcome = 'returned' | 'refused' | 'own';

/** Any other outcome, described. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** The longest lists all options of an architecture, or fifty names of parameters. */
const LONGEST_MESSAGE = 4000;
/** The part of a message other than the argument and its value. */
const EXPECTATION =
  /expected|disposed of|cancelled|known are|not supported here|is missing|does not fit|since|only|cannot|create a new lab/;
/** The package's message for unknown failures. */
const LOST = /the core stopped|the lab failed|the worker has stopped/;

export function judgeValue(shape: Shape, value: unknown): Outcome {
  const wrong = shape(value);
  if (wrong !== null) throw new Fault(`returned something of another shape: ${wrong}`);
  return 'returned';
}

/** `own`: the errors that the fuzzer itself threw. */
export function judgeError(error: unknown, own: ReadonlySet<unknown>): Outcome {
  if (error instanceof Fault) throw error;
  if (own.has(error)) return 'own';
  if (!(error instanceof TiedError)) {
    const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Fault(`threw what is no TiedError: ${shown.slice(0, 2000)}`, { cause: error });
  }
  const { code, message } = error;
  if (LOST.test(message)) {
    const cause = error.cause instanceof Error ? error.cause.stack : String(error.cause);
    throw new Fault(`lost the core: ${message}; ${cause?.slice(0, 2000)}`, { cause: error });
  }
  if (!ERROR_CODES.includes(code)) throw new Fault(`threw a TiedError of code '${String(code)}'`);
  if (typeof message !== 'string' || message.length > LONGEST_MESSAGE) {
    throw new Fault(`has a message of ${String(message?.length)} characters: ${String(message).slice(0, 200)}`);
  }
  if (!EXPECTATION.test(message)) throw new Fault(`has a message that expects nothing: ${message}`);
  return 'refused';
}

/** The caller's own error, known to `own`. */
export function ownError(own: Set<unknown>): OwnError {
  const error = new OwnError('thrown by the fuzzer');
  own.add(error);
  return error;
}
