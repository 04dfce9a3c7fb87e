/** Values and calls as JavaScript that makes them: what a failing case prints can be pasted. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { isTypedArray } from './hostile/arrays.js';
import { writtenAs } from './hostile/tricks.js';

/** Texts, zeros and other bytes of a file. */
const RUNS = /[ -~]{8,}|\0{8,}|[^]+?(?=[ -~]{8}|\0{8}|$)/g;
const MOST_NUMBERS = 32;

function bytesText(bytes: Uint8Array): string {
  if (bytes.length <= MOST_NUMBERS) return `Uint8Array.of(${bytes.join(', ')})`;
  const pieces = [...Buffer.from(bytes).toString('latin1').matchAll(RUNS)].map(([run]) => {
    if (run.startsWith('\0\0\0\0\0\0\0\0')) return `new Uint8Array(${run.length})`;
    return /^[ -~]{8,}$/.test(run) ? JSON.stringify(run) : `Uint8Array.of(${Buffer.from(run, 'latin1').join(', ')})`;
  });
  return `new Uint8Array(await new Blob([${pieces.join(', ')}]).arrayBuffer())`;
}

const isUsual = (value: object): boolean =>
  Object.getPrototypeOf(value) === (globalThis as never)[value.constructor.name]['prototype'] &&
  Object.keys(value).every((key) => /^\d+$/.test(key));

function stringText(text: string): string {
  const [unit] = /^(?:.|\n)/u.exec(text) ?? [];
  if (text.length > 100 && unit !== undefined && text === unit.repeat(text.length / unit.length))
    return `${JSON.stringify(unit)}.repeat(${text.length / unit.length})`;
  return JSON.stringify(text);
}

export class Writer {
  readonly #names = new Map<unknown, string>();
  /** Null until they are read. */
  readonly #files = new Map<File, Uint8Array | null>();
  /** Texts that are complete only after their call, since they tell what it was answered. */
  readonly #later: (() => string)[] = [];
  readonly #within: unknown[] = [];

  name(value: unknown, name: string): void {
    this.#names.set(value, name);
  }

  nameOf(value: unknown): string | undefined {
    return this.#names.get(value);
  }

  readonly of = (value: unknown): string => {
    const name = this.#names.get(value);
    if (name !== undefined) return name;
    const written = writtenAs(value);
    if (written) return this.#wait(() => written(this.of));
    if (typeof value === 'string') return stringText(value);
    if (typeof value === 'function') return '() => undefined';
    if (typeof value !== 'object' || value === null) return fc.stringify(value);
    if (this.#within.includes(value)) return `undefined /* itself */`;
    this.#within.push(value);
    try {
      return this.#object(value);
    } catch (error) {
      // A value that only claims to be a signal or an array.
      return `undefined /* cannot be written: ${String(error)} */`;
    } finally {
      this.#within.pop();
    }
  };

  #wait(text: () => string): string {
    return `⟦${this.#later.push(text) - 1}⟧`;
  }

  #object(value: object): string {
    if (value instanceof File) {
      this.#files.set(value, null);
      return this.#wait(() => `new File([${this.of(this.#files.get(value))}], ${this.of(value.name)})`);
    }
    if (value instanceof AbortSignal) return value.aborted ? 'AbortSignal.abort()' : 'new AbortController().signal';
    if (isTypedArray(value) && isUsual(value))
      return value instanceof Uint8Array ? bytesText(value) : `${value.constructor.name}.from(${this.of([...value])})`;
    if (Array.isArray(value) && isUsual(value))
      return `[${Array.from(value, (one: unknown, i) => (i in value ? this.of(one) : '')).join(', ')}]`;
    const base = Object.getPrototypeOf(value) as object | null;
    if (base === null || base === Object.prototype)
      return this.#record(value, base === null ? ['__proto__: null'] : []);
    if (value === globalThis) return 'globalThis';
    if (value instanceof URL) return `new URL(${this.of(value.href)})`;
    if (value instanceof ArrayBuffer) return `${this.of(new Uint8Array(value))}.buffer`;
    if (value instanceof DataView) return `new DataView(${this.of(value.buffer)})`;
    if (value instanceof WeakMap) return 'new WeakMap()';
    if ([Date, Map, Set, RegExp, Error, Promise].some((known) => value instanceof known)) return fc.stringify(value);
    const cannot = `undefined /* cannot be written: ${inspect(value, { depth: 0 }).replaceAll('*/', '* /')} */`;
    return isTypedArray(value) ? cannot : `Object.setPrototypeOf(${this.#record(value, [])}, ${this.of(base)})`;
  }

  #record(value: object, start: string[]): string {
    const gotten: string[] = [];
    const fields = Reflect.ownKeys(value).flatMap((key) => {
      const plain = typeof key === 'string' && key !== '__proto__';
      const name = !plain ? `[${this.of(key)}]` : /^[A-Za-z_]\w*$/.test(key) ? key : this.of(key);
      const { get, value: now, enumerable } = Object.getOwnPropertyDescriptor(value, key)!;
      if (!get) return [`${name}: ${this.of(now)}`];
      gotten.push(`${name}: { get: ${this.of(get)}, enumerable: ${enumerable}, configurable: true }`);
      return [];
    });
    const all = [...start, ...fields].join(', ');
    const record = all === '' ? '{}' : `{ ${all} }`;
    return gotten.length === 0 ? record : `Object.defineProperties(${record}, { ${gotten.join(', ')} })`;
  }

  /** The text with everything in it that had to wait; files must have been read. */
  finishedNow(text: string): string {
    return text.replaceAll(/⟦(\d+)⟧/g, (_, at: string) => this.finishedNow(this.#later[Number(at)]!()));
  }

  async finished(text: string): Promise<string> {
    for (const file of this.#files.keys()) this.#files.set(file, new Uint8Array(await file.arrayBuffer()));
    return this.finishedNow(text);
  }
}

interface Statement {
  text: string;
  name: string;
  verb: string;
  /** Whether it went on; a call that was refused must not end the script before the last. */
  went: boolean;
}

/** Cases as a script: calls on a core or a lab with all its objects, functions, commands. Calls made during others stand where they are made. */
export class Script {
  readonly #all: Statement[] = [];
  readonly #open: Statement[][] = [this.#all];
  readonly #writer = new Writer();
  readonly #load: string;
  readonly #from: number;
  /** Names of what is made during other calls. */
  readonly #outside: string[] = [];
  #count = 0;

  /** `load`: an expression that makes a core or a lab; `from`: the number of the first case to write. */
  constructor(load: string, from = 0) {
    this.#load = load;
    this.#from = from;
  }

  #target(kind: string, on: object): string {
    const known = this.#writer.nameOf(on);
    if (known !== undefined) return known;
    // Without the calls before it, it is not known how others were made.
    const name = kind !== 'core' ? kind : this.#count++ === 0 ? 'core' : `core${this.#count}`;
    this.#writer.name(on, name);
    if (kind === 'core') this.#open[0]!.push({ text: `await ${this.#load};`, name, verb: '', went: true });
    return name;
  }

  /**
   * Begins case `number`: `method` of `on`, which is a `kind`. What it returns is to be called with the result, which gets a name if it
   * is an object.
   */
  call(number: number, kind: string, on: object, method: string, args: readonly unknown[]): (result: unknown) => void {
    if (number < this.#from) return () => undefined;
    const target = this.#target(kind, on);
    const statement: Statement = {
      text: `await ${target}.${method}(${args.map(this.#writer.of).join(', ')});`,
      name: '',
      verb: `${kind}.${method}`,
      went: false,
    };
    this.#open.at(-1)!.push(statement);
    return (result) => {
      statement.went = true;
      if (typeof result !== 'object' || result === null || this.#writer.nameOf(result) !== undefined) return;
      statement.name = `made${++this.#count}`;
      this.#writer.name(result, statement.name);
    };
  }

  /** A line of a shell. */
  command(number: number, words: readonly string[]): void {
    const quoted = words.map((word) => (/^[\w=.,:/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`));
    if (number >= this.#from) this.#all.push({ text: quoted.join(' '), name: '', verb: '', went: true });
  }

  /** Runs what makes calls during a call; what it returns gives their text, once all is done. */
  during(act: () => void): () => string {
    const within: Statement[] = [];
    this.#open.push(within);
    try {
      act();
    } finally {
      this.#open.pop();
    }
    return () => {
      this.#outside.push(...within.filter(({ name }) => name !== '').map(({ name }) => name));
      return `(() => { ${this.#textOf(within, '').join(' ')} })()`.replaceAll('await ', '');
    };
  }

  #textOf(statements: readonly Statement[], declare = 'const '): string[] {
    const last = this.#all.at(-1);
    return statements.map((statement) => {
      const { text, name, went } = statement;
      const line = `${name === '' ? '' : `${declare}${name} = `}${text}`;
      return went || statement === last ? line : `try { ${line} } catch {}`;
    });
  }

  /** `fault`: the verb with the fault, after which nothing is needed. */
  async text(fault = ''): Promise<string> {
    const at = this.#all.map(({ verb, went }) => verb === fault && !went).lastIndexOf(true);
    if (at >= 0) this.#all.length = at + 1;
    const text = await this.#writer.finished(this.#textOf(this.#all).join('\n'));
    return [...(this.#outside.length > 0 ? [`let ${this.#outside.join(', ')};`] : []), text].join('\n');
  }
}
