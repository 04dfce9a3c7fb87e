/**
 * One running instance of a module: copies arrays in and results out, and is the only place where failures of the C++
 * side become errors. The memory may move whenever it grows, so that views of it are made for each copy and never kept.
 */
import { argumentError, ERROR_CODES, TiedError } from './errors.js';
import { checkStillThere } from './validate.js';
import type { Address, HandleAddress, MemoryModule } from './wasm-module.js';

/** What 32-bit memory can hold; more would be taken for less. */
const LARGEST_BLOCK = 2 ** 32 - 1;

export type Numbers = Float32Array | Float64Array | Uint32Array | Uint8Array | BigUint64Array;

/** Names of arguments as the core has them (in camel case), and what the caller knows them by. */
export type ArgumentNames = Readonly<Record<string, string>>;

export class Runtime<M extends MemoryModule> {
  #module: M | null;
  readonly #memory: WebAssembly.Memory;
  /** Set when the instance stopped for good by itself. */
  #fault: TiedError | null = null;

  constructor(module: M, memory: WebAssembly.Memory) {
    this.#module = module;
    this.#memory = memory;
  }

  /** False once disposed of or stopped: its memory is then gone with all that was in it. */
  get running(): boolean {
    return this.#module !== null;
  }

  /** The module, or the reason why there is none any more. */
  check(): M {
    if (!this.#module) throw this.#fault ?? new TiedError('disposed', 'the core has been disposed of; load a new one');
    return this.#module;
  }

  /**
   * Calls a verb of the bindings with the addresses of copies of `arrays` (0 for one that is absent), and reads its
   * answer. Throws where the verb says that it failed, with arguments under the `names` of the caller; whatever happens, what was taken for the call is freed.
   */
  call<R>(
    arrays: readonly (Numbers | undefined)[],
    verb: (module: M, addresses: Address[]) => boolean | HandleAddress,
    read: (answer: Answer, result: HandleAddress) => R,
    names: ArgumentNames = {},
  ): R {
    const module = this.check();
    const addresses: Address[] = [];
    let inside = false;
    try {
      for (const array of arrays) addresses.push(array ? this.#copyIn(module, array) : 0);
      inside = true;
      const result = verb(module, addresses);
      inside = false;
      const answer = new Answer(this.#memory.buffer, module.answerParts());
      if (!result) throw answer.error(names);
      return read(answer, Number(result));
    } catch (cause) {
      throw this.#thrown(cause, inside);
    } finally {
      if (this.#module) this.#cleanUp(module, addresses);
    }
  }

  #cleanUp(module: M, addresses: readonly Address[]): void {
    try {
      for (const address of addresses) module.release(address);
      module.clearAnswer();
    } catch (cause) {
      throw this.#thrown(cause, true);
    }
  }

  /** Ends this instance and all its handles. They are not listed here, so that a forgotten one can be collected. */
  dispose(): void {
    this.#module = null;
  }

  #copyIn(module: M, array: Numbers): Address {
    checkStillThere(array);
    const address = array.byteLength > LARGEST_BLOCK ? 0 : module.allocate(array.byteLength);
    if (address === 0) {
      throw new TiedError(
        'out-of-memory',
        `an argument of ${array.byteLength} bytes does not fit in the memory that the core has left`,
      );
    }
    new Uint8Array(this.#memory.buffer, address, array.byteLength).set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    return address;
  }

  /** What an exception means; `inside`: whether the core was at work. After a trap its state cannot be trusted. */
  #thrown(cause: unknown, inside: boolean): unknown {
    const why = isTrap(cause)
      ? 'most likely for lack of memory'
      : inside && isOverflow(cause) && 'as the call stack was full';
    if (why) {
      this.#fault = new TiedError('stopped', `the core stopped, ${why}; load a new one`, { cause });
      this.#module = null;
      return this.#fault;
    }
    // All else comes from JavaScript, and the core is as it was: an array for the result could not be made, for one.
    if (cause instanceof RangeError) {
      return new TiedError('out-of-memory', 'the result does not fit in the memory that this browser gives', { cause });
    }
    return cause;
  }
}

/** Of the call stack: a trap that engines tell as an error of JavaScript. Firefox has one of its own for it. */
function isOverflow(cause: unknown): boolean {
  return cause instanceof RangeError || (cause instanceof Error && cause.name === 'InternalError');
}

/** Emscripten's glue aborts by throwing a string. */
function isTrap(cause: unknown): boolean {
  return cause instanceof WebAssembly.RuntimeError || typeof cause === 'string';
}

/** The results of one call, to be copied out before the next. */
export class Answer {
  readonly #buffer: ArrayBuffer;
  readonly #parts: Uint32Array;

  constructor(buffer: ArrayBuffer, parts: Address) {
    this.#buffer = buffer;
    this.#parts = new Uint32Array(buffer, parts);
  }

  floats(part: number): Float32Array<ArrayBuffer> {
    const [address, bytes] = this.#place(part);
    return new Float32Array(this.#buffer, address, bytes / 4).slice();
  }

  numbers(part: number): Float64Array {
    const [address, bytes] = this.#place(part);
    return new Float64Array(this.#buffer, address, bytes / 8).slice();
  }

  ids(part: number): Uint32Array<ArrayBuffer> {
    const [address, bytes] = this.#place(part);
    return new Uint32Array(this.#buffer, address, bytes / 4).slice();
  }

  bytes(part: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer, ...this.#place(part)).slice();
  }

  /** `argument` and `value`: what is at fault where the text is longer than strings can be. */
  text(part: number, argument = 'the text', value: unknown = undefined): string {
    // A byte order mark is a character like any other here.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const bytes = new Uint8Array(this.#buffer, ...this.#place(part));
    let cause: unknown;
    try {
      const text = decoder.decode(bytes);
      // Chromium gives an empty string for a text that is too long.
      if (text !== '' || bytes.length === 0) return text;
    } catch (error) {
      cause = error;
    }
    const expected = `a text that fits in a string; this one has ${bytes.length} bytes`;
    throw argumentError('out-of-memory', argument, value, expected, { cause });
  }

  /** A list of texts with a zero byte after each. */
  texts(part: number): string[] {
    return this.text(part).split('\0').slice(0, -1);
  }

  error(names: ArgumentNames): TiedError {
    const [code = '', argument = '', value = '', expected = ''] = this.text(0).split('\0');
    const known = ERROR_CODES.find((listed) => listed === code) ?? 'unsupported';
    return new TiedError(known, `${renamed(camelCase(argument), names)} is ${value}; expected ${camelCase(expected)}`);
  }

  #place(part: number): [address: number, bytes: number] {
    // An empty part may have no address that a view could begin at.
    const bytes = this.#parts[2 * part + 1]!;
    return [bytes === 0 ? 0 : this.#parts[2 * part]!, bytes];
  }
}

/** `vocab_size` as users of JavaScript know it: `vocabSize`. */
function camelCase(text: string): string {
  return text.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) =>
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

/** Each whole word that has another name: `sum of transition row 0` becomes `sum of options.transition row 0`. */
function renamed(argument: string, names: ArgumentNames): string {
  const words = Object.keys(names);
  if (words.length === 0) return argument;
  return argument.replace(new RegExp(`\\b(?:${words.join('|')})\\b`, 'g'), (word) => names[word]!);
}

type Free<M> = (module: M, address: HandleAddress) => void;

/** Made apart from any handle, so that it cannot keep one alive. */
function freeLater<M extends MemoryModule>(runtime: Runtime<M>, address: HandleAddress, free: Free<M>): () => void {
  return () => {
    if (!runtime.running) return;
    runtime.call(
      [],
      (module) => {
        free(module, address);
        return true;
      },
      () => undefined,
    );
  };
}

/** Frees what a handle holds that nobody disposed of: the last resort. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/** Something that lives in a module until it is disposed of. */
export class Handle<M extends MemoryModule> {
  readonly #runtime: Runtime<M>;
  readonly #what: string;
  readonly #free: () => void;
  #address: HandleAddress;

  constructor(runtime: Runtime<M>, what: string, address: HandleAddress, free: Free<M>) {
    this.#runtime = runtime;
    this.#what = what;
    this.#address = address;
    this.#free = freeLater(runtime, address, free);
    forgotten.register(this, this.#free, this);
  }

  /** As {@link Runtime.call}, for a verb of what the handle holds. */
  call<R>(
    arrays: readonly (Numbers | undefined)[],
    verb: (module: M, address: HandleAddress, addresses: Address[]) => boolean | HandleAddress,
    read: (answer: Answer, result: HandleAddress) => R,
    names?: ArgumentNames,
  ): R {
    const address = this.#live();
    return this.#runtime.call(arrays, (module, addresses) => verb(module, address, addresses), read, names);
  }

  /** A number that no verb fails to give. */
  get(verb: (module: M, address: HandleAddress) => number): number {
    let number = 0;
    this.call(
      [],
      (module, address) => {
        number = verb(module, address);
        return true;
      },
      () => undefined,
    );
    return number;
  }

  /** Throws once the handle, or the core that it lives in, has been disposed of. */
  check(): void {
    this.#live();
    this.#runtime.check();
  }

  /** Frees the memory; a second time does nothing. */
  dispose(): void {
    if (this.#address === 0) return;
    this.#address = 0;
    forgotten.unregister(this);
    this.#free();
  }

  #live(): HandleAddress {
    if (this.#address === 0) {
      throw new TiedError('disposed', `the ${this.#what} has been disposed of; expected a live one`);
    }
    return this.#address;
  }
}
