/**
 * The header of a safetensors file: eight bytes of length, JSON, then the data of all tensors without gaps.
 * https://github.com/huggingface/safetensors. As strict as the reference reader, and stricter about equal names, of which that reader keeps
 * the last; but types that are not known here are accepted.
 */
import { isArranged } from '../elements/element-types.js';
import type { TiedError } from '../../runtime/errors.js';
import { inSlices, pause } from '../../runtime/pause.js';
import { bytesOf, elementsOf, SAFETENSORS_TYPES } from '../elements/stored-types.js';
import { FieldsInPieces, JsonProblem, occursTwice, shortly, wholeOf, type ExactValue } from './exact-json.js';
import { badFile, throwIfAborted, type ByteSource } from '../bytes/source.js';
import { boundsOf, type StoredTensor } from '../tensors.js';

/** The format's own limit, in bytes. */
const LONGEST_HEADER = 100_000_000;
const MOST_DIMENSIONS = 64;
const LENGTH_BYTES = 8;
const LONGEST_TYPE = 64;
/** Entries without a pause. */
const AT_ONCE = 2000;

export interface SafetensorsHeader {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: ReadonlyMap<string, string>;
  /** Size of the whole file by its header. */
  readonly end: number;
}

export async function readSafetensors(source: ByteSource, signal?: AbortSignal): Promise<SafetensorsHeader> {
  const wrong = (problem: string): TiedError => badFile(source.name, problem);
  const { size } = source;
  if (size !== null && size < LENGTH_BYTES) throw wrong(`it has ${size} bytes; expected at least ${LENGTH_BYTES}`);
  const first = await source.read(0, LENGTH_BYTES, signal);
  const length = new DataView(first.buffer, first.byteOffset).getBigUint64(0, true);
  if (length > BigInt(LONGEST_HEADER))
    throw wrong(`its header would have ${length} bytes; expected at most ${LONGEST_HEADER}`);
  const base = LENGTH_BYTES + Number(length);
  if (size !== null && base > size)
    throw wrong(
      `its header of ${length} bytes ends after the file of ${size} bytes; expected at least ${base}: it may be cut off`,
    );
  const { tensors, metadata } = await entriesIn({ length: Number(length), base, source, wrong, signal });
  await pause();
  const end = checkOrder(tensors, base, wrong);
  await pause();
  if (size !== null && end !== size)
    throw wrong(`it has ${size} bytes; expected ${end} by its header${end > size ? '; the file may be cut off' : ''}`);
  return { tensors, metadata, end };
}

type Wrong = (problem: string) => TiedError;

interface Parsing {
  /** Bytes of the header. */
  readonly length: number;
  readonly base: number;
  readonly source: ByteSource;
  readonly wrong: Wrong;
  readonly signal: AbortSignal | undefined;
}

/** Bytes of a header that are decoded at once. Most headers are smaller. */
const PIECE = 2 ** 22;

/**
 * Each entry becomes a tensor as soon as it is parsed, and no text is kept: of half a million, all parsed values together would take ten times
 * their text.
 */
async function entriesIn(parsing: Parsing): Promise<Pick<SafetensorsHeader, 'tensors' | 'metadata'>> {
  const { length, source, wrong, signal } = parsing;
  const entries = new Entries(parsing);
  const fields = new FieldsInPieces();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const isDue = inSlices(AT_ONCE);
  let read = 0;
  const more = async (): Promise<void> => {
    const bytes = await source.read(LENGTH_BYTES + read, Math.min(PIECE, length - read), signal);
    read += bytes.length;
    try {
      fields.add(decoder.decode(bytes, { stream: read < length }));
    } catch {
      throw wrong('its header has bytes that are not UTF-8; expected UTF-8');
    }
  };
  await more();
  try {
    for (;;) {
      if (isDue()) {
        await pause();
        throwIfAborted(signal);
      }
      const plain = fields.plain(PLAIN);
      if (plain !== null) {
        entries.addPlain(plain);
        continue;
      }
      entries.finish();
      let field;
      try {
        field = fields.next(entries);
      } catch (error) {
        if (!(error instanceof JsonProblem) || read === length) throw error;
        await more();
        continue;
      }
      if (field !== null) entries.add(...field);
      else if (read < length) await more();
      else break;
    }
    return entries.done();
  } catch (error) {
    throw error instanceof JsonProblem ? wrong(problemOf(fields, error)) : error;
  }
}

/** What is wrong with a header that cannot be parsed, in words. */
function problemOf(fields: FieldsInPieces, { message }: JsonProblem): string {
  try {
    const other = fields.otherValue();
    if (other !== null) return `its header is ${shortly(other.value)}; expected a JSON object`;
  } catch (error) {
    if (error instanceof JsonProblem) return `its header is not JSON of this format: ${error.message}`;
    throw error;
  }
  return `its header is not JSON of this format: ${message}`;
}

/** An entry as all writers write it, with a plain name, and the comma after it. */
const PLAIN =
  /"([ !#-[\]-~]+)": ?\{"dtype": ?"(\w+)", ?"shape": ?\[((?:[1-9]\d{0,14}|0)(?:, ?(?:[1-9]\d{0,14}|0))*|)\], ?"data_offsets": ?\[([1-9]\d{0,14}|0), ?([1-9]\d{0,14}|0)\]\}, ?/y;
/** Plain entries that become tensors at once. */
const BATCH = 1024;
const MOST_SHAPES = 10_000;

interface Shape {
  readonly shape: readonly number[];
  /** Null: more than a number holds exactly. */
  readonly elements: number | null;
}

class Entries {
  readonly #parsing: Parsing;
  readonly #tensors = new Map<string, StoredTensor>();
  #metadata: Map<string, string> | null = null;
  /** What is no JSON is said first, whatever an entry before it says. */
  #odd: TiedError | null = null;
  #plain: RegExpExecArray[] = [];
  /** Many tensors have few shapes, which they share. */
  readonly #shapes = new Map<string, Shape>();

  readonly #types = new Map<string, string>();

  constructor(parsing: Parsing) {
    this.#parsing = parsing;
  }

  /** Whether the file has an entry of this name, so far. */
  has(name: string): boolean {
    return this.#tensors.has(name) || (name === '__metadata__' && this.#metadata !== null);
  }

  add(name: string, entry: ExactValue): void {
    const { wrong } = this.#parsing;
    this.#unlessOdd(() => {
      if (name === '__metadata__') this.#metadata = metadataOf(entry, wrong);
      else this.#set(name, ...entryOf(name, entry, wrong));
    });
  }

  addPlain(found: RegExpExecArray): void {
    this.#plain.push(found);
    if (this.#plain.length === BATCH) this.finish();
  }

  /** Makes tensors of all plain entries. */
  finish(): void {
    if (this.#plain.length === 0) return;
    const entries = this.#plain;
    this.#plain = [];
    // Strings of their own: parts of the text would keep all of it in memory.
    const names = JSON.parse(`["${entries.map(([, name]) => name).join('","')}"]`) as string[];
    for (const [at, [, , dtype, shape, from, to]] of entries.entries()) {
      const name = names[at]!;
      if (name === '__metadata__') this.add(name, new Map<string, ExactValue>([['dtype', 0]]));
      else if (this.has(name)) throw occursTwice(name, 0);
      else this.#unlessOdd(() => this.#set(name, dtype!, this.#shapeOf(shape!), Number(from), Number(to)));
    }
  }

  done(): Pick<SafetensorsHeader, 'tensors' | 'metadata'> {
    if (this.#odd !== null) throw this.#odd;
    return { tensors: this.#tensors, metadata: this.#metadata ?? new Map<string, string>() };
  }

  #shapeOf(text: string): Shape {
    const known = this.#shapes.get(text);
    if (known !== undefined) return known;
    const shape = text === '' ? [] : text.split(',').map(Number);
    const found = { shape, elements: elementsOf(shape) };
    if (this.#shapes.size < MOST_SHAPES) this.#shapes.set(text, found);
    return found;
  }

  /** One string for all tensors of a type, not a part of the text for each. */
  #typeOf(dtype: string): string {
    const known = this.#types.get(dtype) ?? dtype;
    this.#types.set(known, known);
    return known;
  }

  #unlessOdd(add: () => void): void {
    if (this.#odd !== null) return;
    try {
      add();
    } catch (error) {
      this.#odd = error as TiedError;
    }
  }

  #set(name: string, dtype: string, { shape, elements }: Shape, from: number, to: number): void {
    const { base, source, wrong } = this.#parsing;
    const called = (): string => `'${name.slice(0, 120)}'`;
    if (dtype === '' || isArranged(dtype) || dtype.length > LONGEST_TYPE)
      throw wrong(`${called()} has the dtype ${shortly(dtype)}; expected ${A_TYPE}`);
    if (shape.length > MOST_DIMENSIONS)
      throw wrong(`${called()} has the shape ${shortly([...shape])}; expected at most ${MOST_DIMENSIONS} dimensions`);
    if (from > to) throw wrong(`${called()} has the data_offsets ${shortly([from, to])}; expected [begin, end]`);
    // New types come every year; without their size, the offsets have to be believed.
    const size = SAFETENSORS_TYPES.get(dtype) ?? null;
    const bytes = elements === null ? null : size === null ? to - from : bytesOf(elements, size);
    if (bytes === null || bytes !== to - from)
      throw wrong(
        `${called()}, ${dtype} of shape [${shape.join(', ')}], has ${to - from} bytes; expected ${bytes ?? 'whole bytes, fewer than 2^53'}`,
      );
    this.#tensors.set(name, { name, shape, dtype: this.#typeOf(dtype), bytes, source, from: base + from });
  }
}

const A_TYPE = `the name of a type, such as ${[...SAFETENSORS_TYPES.keys()].slice(0, 4).join(', ')}`;

function metadataOf(value: ExactValue | undefined, wrong: Wrong): Map<string, string> {
  // The reference reader treats null as absent.
  if (value === undefined || value === null) return new Map();
  if (!(value instanceof Map)) throw wrong(`__metadata__ is ${shortly(value)}; expected an object of strings`);
  for (const [key, text] of value) {
    if (typeof text !== 'string')
      throw wrong(`__metadata__ has ${shortly(text)} for '${key.slice(0, 80)}'; expected a string`);
  }
  return value as Map<string, string>;
}

function entryOf(
  name: string,
  entry: ExactValue,
  wrong: Wrong,
): [dtype: string, shape: Shape, from: number, to: number] {
  const called = (): string => `'${name.slice(0, 120)}'`;
  if (!(entry instanceof Map)) throw wrong(`${called()} is ${shortly(entry)}; expected { dtype, shape, data_offsets }`);
  const dtype = entry.get('dtype');
  if (typeof dtype !== 'string') throw wrong(`${called()} has the dtype ${shortly(dtype)}; expected ${A_TYPE}`);
  const shape = wholesOf(entry.get('shape'));
  if (shape === null)
    throw wrong(
      `${called()} has the shape ${shortly(entry.get('shape'))}; expected an array of integers from 0 to 2^53 - 1`,
    );
  const offsets = wholesOf(entry.get('data_offsets'));
  const [from, to] = offsets ?? [];
  if (offsets?.length !== 2 || from === undefined || to === undefined)
    throw wrong(`${called()} has the data_offsets ${shortly(entry.get('data_offsets'))}; expected [begin, end]`);
  return [dtype, { shape, elements: elementsOf(shape) }, from, to];
}

function wholesOf(value: ExactValue | undefined): number[] | null {
  if (!Array.isArray(value)) return null;
  const wholes: number[] = [];
  for (const one of value) {
    const whole = wholeOf(one);
    if (whole === null) return null;
    wholes.push(whole);
  }
  return wholes;
}

/** Refuses gaps and overlaps; returns where the last tensor ends. */
function checkOrder(tensors: ReadonlyMap<string, StoredTensor>, base: number, wrong: Wrong): number {
  const bounds = boundsOf(tensors);
  // Without gaps, each begins where another one ends, in whatever order.
  const isWhole = bounds.from.every((from, at) => from === (at === 0 ? base : bounds.to[at - 1]));
  const last = bounds.to.at(-1) ?? base;
  if (isWhole && Number.isSafeInteger(last)) return last;
  let end = base;
  for (const { name, from, bytes } of [...tensors.values()].sort((a, b) => a.from - b.from || a.bytes - b.bytes)) {
    if (from !== end)
      throw wrong(
        `'${name.slice(0, 120)}' begins at byte ${from - base} of the data; expected ${end - base}, where the one before it ends`,
      );
    end = from + bytes;
    if (!Number.isSafeInteger(end))
      throw wrong(`'${name.slice(0, 120)}' ends beyond byte 2^53; expected a file that can exist`);
  }
  return end;
}
