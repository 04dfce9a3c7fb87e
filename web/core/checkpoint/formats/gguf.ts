/** The header of a GGUF file, versions 2 and 3: keys and values, then where each tensor is. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
import type { TiedError } from '../../runtime/errors.js';
import { inSlices, pause } from '../../runtime/pause.js';
import { bytesOf, elementsOf, GGUF_TYPES, unknownGgufType } from '../elements/stored-types.js';
import { GGUF_LIMITS, GgufReader, strictly, type GgufValue } from './gguf-values.js';
import { HeaderCursor } from '../bytes/header-cursor.js';
import { badFile, type ByteSource } from '../bytes/source.js';
import { boundsOf, type StoredTensor } from '../tensors.js';

export const TOKENS_KEY = 'tokenizer.ggml.tokens';
const MAGIC = 0x46554747;
const MOST_DIMENSIONS = 4;
/** Bytes of the shortest key with its value, and of the shortest entry of a tensor. */
const SHORTEST = { key: 8 + 4 + 1, tensor: 8 + 4 + 4 + 8 } as const;
const DEFAULT_ALIGNMENT = 32;
const LARGEST_ALIGNMENT = 2 ** 20;
/** Entries without a pause. */
const AT_ONCE = 4000;

export interface GgufHeader {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly values: ReadonlyMap<string, GgufValue>;
  readonly tokens: readonly string[] | null;
}

/** An entry as it is stored: its first dimension is contiguous. */
interface StoredEntry extends Omit<TensorEntry, 'shape'> {
  readonly dimensions: readonly number[];
}

interface TensorEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: number;
  readonly offset: number | bigint;
}

/** `arrays`: keys of arrays to read instead of skipping. */
export async function readGguf(
  source: ByteSource,
  signal?: AbortSignal,
  arrays: readonly string[] = [TOKENS_KEY, 'general.tags'],
): Promise<GgufHeader> {
  const wrong = (problem: string): TiedError => badFile(source.name, problem);
  const cursor = new HeaderCursor(source, signal);
  const reader = new GgufReader(cursor, wrong);
  if ((await reader.u32()) !== MAGIC) throw wrong('it starts with other bytes; expected GGUF');
  const version = await reader.u32();
  if ((version & 0xffff) === 0) throw wrong('it is big-endian; expected little-endian');
  if (version !== 2 && version !== 3) throw wrong(`it is of version ${version}; expected 2 or 3`);
  const tensorCount = await reader.count('the number of tensors', GGUF_LIMITS.tensors);
  const keyCount = await reader.count('the number of keys', GGUF_LIMITS.keys);
  const least = tensorCount * SHORTEST.tensor + keyCount * SHORTEST.key;
  if (least > cursor.left)
    throw wrong(
      `${tensorCount} tensors and ${keyCount} keys need ${least} bytes; expected at most ${cursor.left}, which the file has left`,
    );
  const values = await readValues(reader, keyCount, arrays);
  const entries: TensorEntry[] = [];
  const shapes = new Map<string, readonly number[]>();
  const isDue = inSlices(AT_ONCE);
  for (let i = 0; i < tensorCount; i++) {
    if (isDue()) await pause();
    const entry = entryAtHand(cursor) ?? (await readEntry(reader, i));
    const { name, type, offset } = entry;
    entries.push({ name, type, offset, shape: sharedShape(shapes, entry.dimensions) });
  }
  const alignment = alignmentOf(values.get('general.alignment'), wrong);
  const base = Math.ceil(cursor.position / alignment) * alignment;
  const tokens = values.get(TOKENS_KEY);
  return {
    tensors: await placed(entries, base, alignment, source, wrong),
    values,
    tokens: Array.isArray(tokens) ? (tokens as string[]) : null,
  };
}

async function readValues(
  reader: GgufReader,
  count: number,
  arrays: readonly string[],
): Promise<Map<string, GgufValue>> {
  const values = new Map<string, GgufValue>();
  for (let i = 0; i < count; i++) {
    const key = await reader.string(`key ${i}`, GGUF_LIMITS.nameBytes);
    if (values.has(key)) throw reader.wrong(`the key '${key.slice(0, 80)}' occurs twice; expected each key once`);
    values.set(key, await reader.value(key.slice(0, 80), arrays.includes(key)));
  }
  return values;
}

const MOST_SHAPES = 10_000;

/** Many tensors have few shapes, which they share. */
function sharedShape(shapes: Map<string, readonly number[]>, dimensions: readonly number[]): readonly number[] {
  const key = dimensions.join();
  const known = shapes.get(key);
  if (known !== undefined) return known;
  const shape = [...dimensions].reverse();
  if (shapes.size < MOST_SHAPES) shapes.set(key, shape);
  return shape;
}

/** Bytes within which most entries end. */
const ENTRY_BYTES = 1024;

/** An entry whose bytes are in memory, and which is as almost all are: half a million would else wait three million times. Null: the cursor is where it was. */
function entryAtHand(cursor: HeaderCursor): StoredEntry | null {
  if (!cursor.has(ENTRY_BYTES)) return null;
  const { position } = cursor;
  const length = cursor.whole();
  if (length <= ENTRY_BYTES - SHORTEST.tensor - 8 * MOST_DIMENSIONS) {
    const name = strictly(cursor.bytes(length));
    const count = cursor.u32();
    if (name !== null && count <= MOST_DIMENSIONS) {
      const dimensions: number[] = [];
      for (let i = 0; i < count; i++) dimensions.push(cursor.whole());
      const type = cursor.u32();
      const offset = cursor.whole();
      if (Number.isSafeInteger(offset) && dimensions.every((size) => size <= GGUF_LIMITS.dimension))
        return { name, dimensions, type, offset };
    }
  }
  cursor.backTo(position);
  return null;
}

async function readEntry(reader: GgufReader, number: number): Promise<StoredEntry> {
  const name = await reader.string(`the name of tensor ${number}`, GGUF_LIMITS.nameBytes);
  const called = `'${name.slice(0, 80)}'`;
  const count = await reader.u32();
  if (count > MOST_DIMENSIONS)
    throw reader.wrong(`${called} has ${count} dimensions; expected at most ${MOST_DIMENSIONS}`);
  const dimensions: number[] = [];
  for (let i = 0; i < count; i++)
    dimensions.push(await reader.count(`dimension ${i} of ${called}`, GGUF_LIMITS.dimension));
  return { name, dimensions, type: await reader.u32(), offset: await reader.u64() };
}

function alignmentOf(value: GgufValue | undefined, wrong: (problem: string) => TiedError): number {
  if (value === undefined) return DEFAULT_ALIGNMENT;
  const isPower = typeof value === 'number' && (value & (value - 1)) === 0;
  if (!isPower || value < 1 || value > LARGEST_ALIGNMENT)
    throw wrong(
      `general.alignment is ${String(value).slice(0, 40)}; expected a power of two up to ${LARGEST_ALIGNMENT}`,
    );
  return value;
}

async function placed(
  entries: TensorEntry[],
  base: number,
  alignment: number,
  source: ByteSource,
  wrong: (problem: string) => TiedError,
): Promise<Map<string, StoredTensor>> {
  const size = source.size ?? Number.MAX_SAFE_INTEGER;
  const tensors = new Map<string, StoredTensor>();
  const isDue = inSlices(AT_ONCE);
  // From the last one on, so that each goes when its tensor comes.
  entries.reverse();
  for (let entry = entries.pop(); entry !== undefined; entry = entries.pop()) {
    if (isDue()) await pause();
    const { name, shape, type, offset } = entry;
    const called = (): string => `'${name.slice(0, 80)}'`;
    if (tensors.has(name)) throw wrong(`the tensor ${called()} occurs twice; expected each name once`);
    const [dtype, block] = GGUF_TYPES.get(type) ?? [unknownGgufType(type), null];
    // Other programs multiply in 64 bits, so a dimension of 0 among large ones is refused too.
    const elements = elementsOf(shape);
    // An unknown type is refused only when it is read.
    const bytes = block === null ? 0 : elements === null ? null : bytesOf(elements, block);
    if (elements === null || bytes === null || (block !== null && (shape.at(-1) ?? 1) % block.elements !== 0))
      throw wrong(
        `${called()} has the shape [${[...shape].reverse().join(', ')}]; expected rows of whole blocks of ${block?.elements ?? 1} elements, fewer than 2^53 in all`,
      );
    if (typeof offset === 'number' ? offset % alignment !== 0 : offset % BigInt(alignment) !== 0n)
      throw wrong(`${called()} begins at byte ${offset} of the data; expected a multiple of ${alignment}`);
    if (offset > size || base + Number(offset) + bytes > size)
      throw wrong(`${called()} ends after the file of ${size} bytes; expected all of it: the file may be cut off`);
    tensors.set(name, { name, shape, dtype, bytes, source, from: base + Number(offset) });
  }
  await pause();
  const { from, to } = boundsOf(tensors);
  if (from.some((begin, at) => at > 0 && to[at - 1]! > begin)) throw overlapping([...tensors.values()], wrong);
  await pause();
  return tensors;
}

function overlapping(tensors: StoredTensor[], wrong: (problem: string) => TiedError): TiedError {
  const sorted = tensors.sort((a, b) => a.from - b.from || a.bytes - b.bytes);
  const at = sorted.findIndex(({ from }, i) => i > 0 && sorted[i - 1]!.from + sorted[i - 1]!.bytes > from);
  const [before, tensor] = [sorted[at - 1]!, sorted[at]!];
  return wrong(
    `'${tensor.name.slice(0, 80)}' begins within '${before.name.slice(0, 80)}'; expected one after the other`,
  );
}
