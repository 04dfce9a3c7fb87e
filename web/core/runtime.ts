/**
 * One running instance of the core: the only place where failures of the C++ side become errors, and where a handle that
 * was disposed says so.
 */
import { TiedError, type ErrorCode } from './errors.js';
import type { Failure, Outcome, WasmModule } from './wasm-module.js';

const ERROR_CODES: readonly string[] = [
  'invalid-argument',
  'shape-mismatch',
  'out-of-memory',
  'not-finite',
  'bad-file',
  'cancelled',
  'disposed',
  'unsupported',
] satisfies ErrorCode[];

export class Runtime {
  #module: WasmModule | null;
  /** Set when the instance stopped for good by itself. */
  #fault: TiedError | null = null;

  constructor(module: WasmModule) {
    this.#module = module;
  }

  /** False once disposed of or stopped: its memory is then gone with all that was in it. */
  get running(): boolean {
    return this.#module !== null;
  }

  /** Runs a verb of the bindings: its value, or its failure thrown as a TiedError. */
  call<T>(verb: (module: WasmModule) => Outcome<T>): T {
    if (!this.#module) throw this.#fault ?? new TiedError('disposed', 'the core has been disposed of; load a new one');
    let outcome: Outcome<T>;
    try {
      outcome = verb(this.#module);
    } catch (cause) {
      throw this.#thrown(cause);
    }
    if (isFailure(outcome)) throw errorOf(outcome);
    return outcome;
  }

  /** Ends this instance and all its handles. They are not listed here, so that a forgotten one can be collected. */
  dispose(): void {
    this.#module = null;
  }

  /** What an exception from inside a verb means. */
  #thrown(cause: unknown): TiedError {
    if (cause instanceof TiedError) return cause;
    // A RangeError comes from JavaScript, where an array for the result could not be made: the core is as it was.
    if (cause instanceof RangeError) {
      return new TiedError('out-of-memory', 'the result does not fit in the memory that this browser gives', { cause });
    }
    // Anything else is a trap: the core ran out of memory in the middle of its work. Its state cannot be trusted.
    this.#fault = new TiedError('out-of-memory', 'the core stopped, most likely for lack of memory; load a new one', {
      cause,
    });
    this.#module = null;
    return this.#fault;
  }
}

interface Deletable {
  delete(): void;
}

/** Something that lives in the core until it is disposed of. Embind's own finalizer is the last resort behind it. */
export class Handle<T extends Deletable> {
  readonly #runtime: Runtime;
  readonly #what: string;
  #value: T | null;

  constructor(runtime: Runtime, what: string, value: T) {
    this.#runtime = runtime;
    this.#what = what;
    this.#value = value;
  }

  /** As {@link Runtime.call}, with what the handle holds. */
  call<R>(verb: (value: T) => Outcome<R>): R {
    return this.#runtime.call(() => {
      if (!this.#value) throw new TiedError('disposed', `the ${this.#what} has been disposed of; expected a live one`);
      return verb(this.#value);
    });
  }

  /** Frees the memory; a second time does nothing. */
  dispose(): void {
    const value = this.#value;
    this.#value = null;
    if (!value || !this.#runtime.running) return;
    this.#runtime.call(() => value.delete());
  }
}

function isFailure(outcome: unknown): outcome is Failure {
  return typeof outcome === 'object' && outcome !== null && 'code' in outcome && 'expected' in outcome;
}

function errorOf({ code, argument, value, expected }: Failure): TiedError {
  const known = ERROR_CODES.includes(code) ? (code as ErrorCode) : 'unsupported';
  return new TiedError(known, `${camelCase(argument)} is ${value}; expected ${camelCase(expected)}`);
}

/** `vocab_size` as users of JavaScript know it: `vocabSize`. */
function camelCase(text: string): string {
  return text.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) =>
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}
