/**
 * The header of a safetensors file: eight bytes of length, JSON, then the data of all tensors without gaps.
 * https://github.com/huggingface/safetensors. As strict as the reference reader, and stricter about equal names, of which that reader keeps
 * the last; but types that are not known here are accepted.
 */
import { isArranged } from '../elements/element-types.js';
import type { TiedError } from '../../runtime/errors.js';
import { pause } from '../../runtime/pause.js';
import { bytesOf, elementsOf, SAFETENSORS_TYPES } from '../elements/stored-types.js';
import { fieldsExactly, JsonProblem, shortly, wholeOf, type ExactValue } from './exact-json.js';
import { badFile, throwIfAborted, type ByteSource } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

/** The format's own limit, in bytes. */
const LONGEST_HEADER = 100_000_000;
const MOST_DIMENSIONS = 64;
const LENGTH_BYTES = 8;
const LONGEST_TYPE = 64;
/** Entries without a pause. */
const AT_ONCE = 10_000;

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
  const text = textOf(await source.read(LENGTH_BYTES, Number(length), signal), wrong);
  const { tensors, metadata } = await entriesIn(text, { base, source, wrong, signal });
  const end = checkOrder([...tensors.values()], base, wrong);
  if (size !== null && end !== size)
    throw wrong(`it has ${size} bytes; expected ${end} by its header${end > size ? '; the file may be cut off' : ''}`);
  return { tensors, metadata, end };
}

type Wrong = (problem: string) => TiedError;

function textOf(bytes: Uint8Array, wrong: Wrong): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw wrong('its header has bytes that are not UTF-8; expected UTF-8');
  }
}

interface Parsing {
  readonly base: number;
  readonly source: ByteSource;
  readonly wrong: Wrong;
  readonly signal: AbortSignal | undefined;
}

/** Each entry becomes a tensor as soon as it is parsed: of half a million, all parsed values together would take ten times their text. */
async function entriesIn(
  text: string,
  { base, source, wrong, signal }: Parsing,
): Promise<Pick<SafetensorsHeader, 'tensors' | 'metadata'>> {
  const tensors = new Map<string, StoredTensor>();
  let metadata: Map<string, string> | null = null;
  // What is no JSON is said first, whatever an entry before it says.
  let odd: TiedError | null = null;
  const hasMetadata = (): boolean => metadata !== null;
  const has = (name: string): boolean => tensors.has(name) || (name === '__metadata__' && hasMetadata());
  const fields = fieldsExactly(text, { has });
  try {
    for (let next = fields.next(), read = 0; ; next = fields.next(), read++) {
      if (next.done === true) {
        if (text.trimStart().startsWith('{')) break;
        throw wrong(`its header is ${shortly(next.value)}; expected a JSON object`);
      }
      if (read % AT_ONCE === AT_ONCE - 1) {
        await pause();
        throwIfAborted(signal);
      }
      if (odd !== null) continue;
      const [name, entry] = next.value;
      try {
        if (name === '__metadata__') metadata = metadataOf(entry, wrong);
        else tensors.set(name, tensorOf(name, entry, base, source, wrong));
      } catch (error) {
        odd = error as TiedError;
      }
    }
  } catch (error) {
    if (error instanceof JsonProblem) throw wrong(`its header is not JSON of this format: ${error.message}`);
    throw error;
  }
  if (odd !== null) throw odd;
  return { tensors, metadata: metadata ?? new Map<string, string>() };
}

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

function tensorOf(name: string, entry: ExactValue, base: number, source: ByteSource, wrong: Wrong): StoredTensor {
  const called = (): string => `'${name.slice(0, 120)}'`;
  if (!(entry instanceof Map)) throw wrong(`${called()} is ${shortly(entry)}; expected { dtype, shape, data_offsets }`);
  const dtype = entry.get('dtype');
  if (typeof dtype !== 'string' || dtype === '' || isArranged(dtype) || dtype.length > LONGEST_TYPE)
    throw wrong(
      `${called()} has the dtype ${shortly(dtype)}; expected the name of a type, such as ${[...SAFETENSORS_TYPES.keys()].slice(0, 4).join(', ')}`,
    );
  // New types come every year; without their size, the offsets have to be believed.
  const size = SAFETENSORS_TYPES.get(dtype) ?? null;
  const shape = wholesOf(entry.get('shape'));
  if (shape === null || shape.length > MOST_DIMENSIONS)
    throw wrong(
      `${called()} has the shape ${shortly(entry.get('shape'))}; expected an array of integers from 0 to 2^53 - 1`,
    );
  const offsets = wholesOf(entry.get('data_offsets'));
  const [from, to] = offsets ?? [];
  if (offsets?.length !== 2 || from === undefined || to === undefined || from > to)
    throw wrong(`${called()} has the data_offsets ${shortly(entry.get('data_offsets'))}; expected [begin, end]`);
  const elements = elementsOf(shape);
  const bytes = elements === null ? null : size === null ? to - from : bytesOf(elements, size);
  if (bytes === null || bytes !== to - from)
    throw wrong(
      `${called()}, ${dtype} of shape [${shape.join(', ')}], has ${to - from} bytes; expected ${bytes ?? 'whole bytes, fewer than 2^53'}`,
    );
  return { name, shape, dtype, bytes, source, from: base + from };
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
function checkOrder(tensors: readonly StoredTensor[], base: number, wrong: Wrong): number {
  let end = base;
  for (const { name, from, bytes } of [...tensors].sort((a, b) => a.from - b.from || a.bytes - b.bytes)) {
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
