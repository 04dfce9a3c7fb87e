/**
 * One running instance of a module: copies arrays in and results out. The only place where C++ failures become errors.
 * The memory may move when it grows, so views of it are made for each copy and never stored.
 */
import { argumentError, ERROR_CODES, TiedError } from './errors.js';
import { checkNotDetached } from './validate.js';
import type { Address, HandleAddress, MemoryModule } from './wasm-module.js';

/** The limit of 32-bit memory; larger sizes would wrap around. */
const LARGEST_BLOCK = 2 ** 32 - 1;

export type Numbers = Float32Array | Float64Array | Uint32Array | Uint8Array | BigUint64Array;

/** Maps the core's names of arguments (in camel case) to the caller's. */
export type ArgumentNames = Readonly<Record<string, string>>;

/** The core's name of memory that it did not get. */
const BLOCK = 'a block of memory';

/** Names the argument whose size decides how much memory a call takes. */
export const sizedBy = (argument: string): ArgumentNames => ({ [BLOCK]: argument });

export class Runtime<M extends MemoryModule> {
  #module: M | null;
  readonly #memory: WebAssembly.Memory;
  /** Adds the functions of a part, in this file, to the instance. */
  readonly addPart: (file: string, part: WebAssembly.Module) => Promise<void>;
  /** Set when the instance failed and cannot be used again. */
  #fault: TiedError | null = null;

  constructor(module: M, memory: WebAssembly.Memory, addPart: Runtime<M>['addPart']) {
    this.#module = module;
    this.#memory = memory;
    this.addPart = addPart;
  }

  /** False once disposed of or failed; its memory is then gone. */
  get running(): boolean {
    return this.#module !== null;
  }

  /** The module; throws if it was disposed of or failed. */
  check(): M {
    if (!this.#module) throw this.#fault ?? new TiedError('disposed', 'the core has been disposed of; load a new one');
    return this.#module;
  }

  /**
   * Calls a bound verb with the addresses of copies of `arrays` (0 for an absent one) and reads its answer. Throws if
   * the verb reports failure, with arguments under the caller's `names`. Always frees the copies.
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
      // With several arrays, it is not known here which one is at fault.
      const only = arrays.filter(Boolean).length === 1 ? names[BLOCK] : undefined;
      for (const array of arrays) addresses.push(array ? this.#copyIn(module, array, only) : 0);
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

  /** Ends this instance and all its handles. Handles are not listed here, so forgotten ones can be collected. */
  dispose(): void {
    this.#module = null;
  }

  #copyIn(module: M, array: Numbers, argument = 'an argument'): Address {
    checkNotDetached(array);
    const address = array.byteLength > LARGEST_BLOCK ? 0 : module.allocate(array.byteLength);
    if (address === 0) {
      throw new TiedError(
        'out-of-memory',
        `${argument} of ${array.byteLength} bytes does not fit in the memory that the core has left`,
      );
    }
    new Uint8Array(this.#memory.buffer, address, array.byteLength).set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    return address;
  }

  /** Classifies an exception; `inside`: whether the core was running. After a trap its state cannot be trusted. */
  #thrown(cause: unknown, inside: boolean): unknown {
    const why = isTrap(cause)
      ? 'most likely out of memory'
      : inside && isOverflow(cause) && 'because the call stack overflowed';
    if (why) {
      this.#fault = new TiedError('stopped', `the core stopped, ${why}; load a new one`, { cause });
      this.#module = null;
      return this.#fault;
    }
    // Other exceptions come from JavaScript, such as failing to allocate the result, and leave the core intact.
    return cause instanceof RangeError ? resultTooLarge(cause) : cause;
  }
}

const resultTooLarge = (cause: RangeError): TiedError =>
  new TiedError('out-of-memory', 'the result does not fit in memory', { cause });

/** Creates an array outside the core's memory. */
export function allocateResult<A>(make: () => A): A {
  try {
    return make();
  } catch (cause) {
    throw cause instanceof RangeError ? resultTooLarge(cause) : cause;
  }
}

/** Stack overflow: a trap that engines report as a JavaScript error. Firefox has a special type for it. */
function isOverflow(cause: unknown): boolean {
  return cause instanceof RangeError || (cause instanceof Error && cause.name === 'InternalError');
}

/** Emscripten's glue aborts by throwing a string. */
function isTrap(cause: unknown): boolean {
  return cause instanceof WebAssembly.RuntimeError || typeof cause === 'string';
}

/** The results of one call; copy them out before the next call. */
export class Answer {
  readonly #buffer: ArrayBuffer;
  readonly #parts: Uint32Array;

  constructor(buffer: ArrayBuffer, parts: Address) {
    this.#buffer = buffer;
    this.#parts = new Uint32Array(buffer, parts);
  }

  floats(part: number): Float32Array<ArrayBuffer> {
    return this.floatView(part).slice();
  }

  /** The numbers themselves, valid until the next call. */
  floatView(part: number): Float32Array<ArrayBuffer> {
    const [address, bytes] = this.#locate(part);
    return new Float32Array(this.#buffer, address, bytes / 4);
  }

  numbers(part: number): Float64Array {
    const [address, bytes] = this.#locate(part);
    return new Float64Array(this.#buffer, address, bytes / 8).slice();
  }

  ids(part: number): Uint32Array<ArrayBuffer> {
    const [address, bytes] = this.#locate(part);
    return new Uint32Array(this.#buffer, address, bytes / 4).slice();
  }

  bytes(part: number): Uint8Array<ArrayBuffer> {
    return this.view(part).slice();
  }

  /** The bytes themselves, valid until the next call. */
  view(part: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer, ...this.#locate(part));
  }

  /** `argument` and `value` name the input at fault if the text exceeds the longest string. */
  text(part: number, argument = 'the text', value: unknown = undefined): string {
    // Without this option, a byte order mark would be dropped.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const bytes = this.view(part);
    let cause: unknown;
    try {
      const text = decoder.decode(bytes);
      // Chromium returns an empty string for a text that is too long.
      if (text !== '' || bytes.length === 0) return text;
    } catch (error) {
      cause = error;
    }
    const expected = `a text that fits in a string; this one has ${bytes.length} bytes`;
    throw argumentError('out-of-memory', argument, value, expected, { cause });
  }

  /** A list of texts, each followed by a zero byte. */
  texts(part: number): string[] {
    return this.text(part).split('\0').slice(0, -1);
  }

  error(names: ArgumentNames): TiedError {
    const [code = '', argument = '', value = '', expected = ''] = this.text(0).split('\0');
    const known = ERROR_CODES.find((listed) => listed === code) ?? 'unsupported';
    // For a file, the value says what is wrong inside it.
    const is = known === 'bad-file' ? `is not a valid file: ${value}` : `is ${value}`;
    const { [BLOCK]: sized } = names;
    const found =
      argument === BLOCK && sized !== undefined
        ? `${sized} needs ${BLOCK} that is ${value}`
        : `${renamed(camelCase(argument), names)} ${is}`;
    return new TiedError(known, `${found}; expected ${camelCase(expected)}`);
  }

  #locate(part: number): [address: number, bytes: number] {
    // An empty part may have an invalid address.
    const bytes = this.#parts[2 * part + 1]!;
    return [bytes === 0 ? 0 : this.#parts[2 * part]!, bytes];
  }
}

/** `vocab_size` becomes `vocabSize`. */
function camelCase(text: string): string {
  return text.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) =>
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

/** Replaces whole words only: `sum of transition row 0` becomes `sum of options.transition row 0`. */
function renamed(argument: string, names: ArgumentNames): string {
  const words = Object.keys(names);
  if (words.length === 0) return argument;
  return argument.replace(new RegExp(`\\b(?:${words.join('|')})\\b`, 'g'), (word) => names[word]!);
}

type Free<M> = (module: M, address: HandleAddress) => void;

/** A separate function, so that its closure does not keep the handle alive. */
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

/** Last resort: frees handles that were never disposed of. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/** An object in a module's memory, alive until disposed of. */
export class Handle<M extends MemoryModule> {
  readonly #runtime: Runtime<M>;
  readonly #what: string;
  readonly #free: () => void;
  #address: HandleAddress;
  /** The number of pending jobs that read the object. */
  #readers = 0;

  constructor(runtime: Runtime<M>, what: string, address: HandleAddress, free: Free<M>) {
    this.#runtime = runtime;
    this.#what = what;
    this.#address = address;
    this.#free = freeLater(runtime, address, free);
    forgotten.register(this, this.#free, this);
  }

  /** Like {@link Runtime.call}, for the handle's object. */
  call<R>(
    arrays: readonly (Numbers | undefined)[],
    verb: (module: M, address: HandleAddress, addresses: Address[]) => boolean | HandleAddress,
    read: (answer: Answer, result: HandleAddress) => R,
    names?: ArgumentNames,
  ): R {
    const address = this.#live();
    return this.#runtime.call(arrays, (module, addresses) => verb(module, address, addresses), read, names);
  }

  /** Reads a number with a verb that cannot fail. */
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

  /** Throws once the handle or its core has been disposed of. */
  check(): void {
    this.#live();
    this.#runtime.check();
  }

  /** Keeps the object alive, even if the handle is disposed of, until the returned function is called. */
  hold(): () => void {
    this.#live();
    this.#readers++;
    let holds = true;
    return () => {
      if (!holds) return;
      holds = false;
      this.#readers--;
      this.#freeUnused();
    };
  }

  /** Frees the memory; a second call does nothing. */
  dispose(): void {
    if (this.#address === 0) return;
    this.#address = 0;
    forgotten.unregister(this);
    this.#freeUnused();
  }

  #freeUnused(): void {
    if (this.#address === 0 && this.#readers === 0) this.#free();
  }

  #live(): HandleAddress {
    if (this.#address === 0) {
      throw new TiedError('disposed', `the ${this.#what} has been disposed of; expected a live one`);
    }
    return this.#address;
  }
}
