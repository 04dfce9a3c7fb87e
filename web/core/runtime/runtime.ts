/**
 * One running instance of a module: copies arrays in and results out. The only place where C++ failures become errors.
 * The memory may move when it grows, so views of it are made for each copy and never stored.
 */
import { Answer, BLOCK, type ArgumentNames } from './answer.js';
import { TiedError } from './errors.js';
import { checkNotDetached } from './validate.js';
import type { Address, HandleAddress, MemoryModule } from './wasm-module.js';

/** The limit of 32-bit memory; larger sizes would wrap around. */
const LARGEST_BLOCK = 2 ** 32 - 1;

export type Numbers = Float32Array | Float64Array | Uint32Array | Uint8Array | BigUint64Array;

/** Memory of a module that its user fills and frees. */
export interface Reserved {
  readonly address: Address;
  readonly size: number;
  write(at: number, bytes: Uint8Array): void;
  free(): void;
}

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
      const found = read(answer, Number(result));
      answer.check();
      return found;
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

  /** Memory for an argument of so many bytes that comes in parts. */
  reserve(size: number, argument: string): Reserved {
    const module = this.check();
    let address = 0;
    try {
      address = this.#allocate(module, size, argument);
    } catch (cause) {
      throw this.#thrown(cause, false);
    }
    return {
      address,
      size,
      write: (at, bytes) => {
        this.check();
        this.write(address + at, bytes);
      },
      free: () => {
        if (this.#module) this.#cleanUp(module, [address]);
      },
    };
  }

  #allocate(module: M, size: number, argument: string): Address {
    const address = size > LARGEST_BLOCK ? 0 : module.allocate(size);
    if (address !== 0) return address;
    throw new TiedError(
      'out-of-memory',
      `${argument} of ${size} bytes does not fit in the memory that the core has left`,
    );
  }

  #copyIn(module: M, array: Numbers, argument = 'an argument'): Address {
    checkNotDetached(array);
    const address = this.#allocate(module, array.byteLength, argument);
    this.write(address, new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return address;
  }

  /** Writes to memory that a verb has given. */
  write(address: Address, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer, address, bytes.length).set(bytes);
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
  /** The number of pending calls that read the object. */
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
