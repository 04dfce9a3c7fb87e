/**
 * Tables that bitsandbytes packed (docs/decisions/0115-turned-and-double-quantized.md). In four bits, NF4 or FP4: two places in `quant_map` per byte of `weight`,
 * the first in the upper half, each times the `absmax` of its block; doubly quantized, `absmax` has places in `nested_quant_map`, times `nested_absmax` of 256, plus
 * an offset. `quant_state` is JSON with shape and sizes. In eight bits: signed bytes, and in `SCB` the largest size of each row, which is 127 of them.
 */
import { tableOfRows } from './float-rows-source.js';
import { inWords, type Parts } from './packed-numbers.js';
import { f32 } from './scales.js';
import { badFile } from '../bytes/source.js';
import type { PackingFacts, StoredTensor } from '../tensors.js';

/** The tensors of a table in four bits; null if it is none. */
export const stateOf = (parts: Parts): StoredTensor | null =>
  [...parts].find(([own]) => /\.quant_state\.bitsandbytes__(?:nf4|fp4)$/.test(own))?.[1] ?? null;

const size = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

export function fourBitTable(
  table: StoredTensor,
  parts: Parts,
  state: StoredTensor,
  { states }: PackingFacts,
): StoredTensor | string {
  const said = states.get(state.name);
  if (typeof said === 'string' || said === undefined) return said ?? `'${state.name.slice(0, 120)}' was not read`;
  const shape = said.get('shape');
  const [rows, width, ...others] = Array.isArray(shape) ? shape.map(size) : [];
  if (!rows || !width || others.length > 0)
    return `'${state.name.slice(0, 120)}' has the shape ${JSON.stringify(shape)?.slice(0, 80)}; expected [tokens, width]`;
  const each = size(said.get('blocksize'));
  if (each === null)
    return `'${state.name.slice(0, 120)}' has the blocksize ${JSON.stringify(said.get('blocksize'))?.slice(0, 80)}; expected a number of elements`;
  const part = (own: string): StoredTensor | undefined => parts.get(`.weight.${own}`) ?? parts.get(`.${own}`);
  const [weight, absmax, map] = [parts.get('.weight'), part('absmax'), part('quant_map')];
  if (weight === undefined || absmax === undefined || map === undefined)
    return `it has no ${weight === undefined ? 'weight' : absmax === undefined ? 'absmax' : 'quant_map'}`;
  const blocks = Math.ceil((rows * width) / each);
  if (weight.bytes < Math.ceil((rows * width) / 2))
    return `${inWords(weight)}; expected half a byte for each of ${rows} x ${width} elements`;
  if (map.dtype !== 'F32' || map.bytes !== 64) return `${inWords(map)}; expected 16 numbers of F32`;
  const scalesFor = blockScales({ absmax, blocks, state, said, part });
  if (typeof scalesFor === 'string') return scalesFor;
  const kind = state.name.endsWith('nf4') ? 'NF4' : 'FP4';
  const how = `packed by bitsandbytes as ${kind}, with a scale for ${each} elements`;
  return tableOfRows(table, how, [rows, width], async (from, count, signal) => {
    const [first, end] = [from * width, (from + count) * width];
    const [firstByte, firstBlock] = [Math.floor(first / 2), Math.floor(first / each)];
    const [bytes, scales, levels] = await Promise.all([
      weight.source.read(weight.from + firstByte, Math.ceil(end / 2) - firstByte, signal),
      scalesFor(firstBlock, Math.ceil(end / each) - firstBlock, signal),
      map.source.read(map.from, 64, signal).then(f32),
    ]);
    const result = new Float32Array(end - first);
    const values = new Float32Array(16);
    for (let at = first; at < end;) {
      const block = Math.floor(at / each);
      const scale = scales[block - firstBlock]!;
      for (let i = 0; i < 16; i++) values[i] = levels[i]! * scale;
      for (const last = Math.min(end, (block + 1) * each); at < last; at++)
        result[at - first] = values[(bytes[(at >> 1) - firstByte]! >> (at & 1 ? 0 : 4)) & 15]!;
    }
    return result;
  });
}

interface Scales {
  readonly absmax: StoredTensor;
  readonly blocks: number;
  readonly state: StoredTensor;
  readonly said: ReadonlyMap<string, unknown>;
  readonly part: (own: string) => StoredTensor | undefined;
}

/** Of some blocks. */
type BlockScales = (from: number, count: number, signal?: AbortSignal) => Promise<Float32Array>;

function blockScales({ absmax, blocks, state, said, part }: Scales): BlockScales | string {
  const each = absmax.dtype === 'F32' ? 4 : 1;
  if (!['F32', 'U8'].includes(absmax.dtype) || absmax.bytes !== each * blocks)
    return `${inWords(absmax)}; expected ${blocks} numbers of F32 or U8, one for each block`;
  const read: (from: number, count: number, signal?: AbortSignal) => Promise<Uint8Array> = (from, count, signal) =>
    absmax.source.read(absmax.from + each * from, each * count, signal);
  if (each === 4) return async (...range) => f32(await read(...range));
  const [nested, map] = [part('nested_absmax'), part('nested_quant_map')];
  const [nestedSize, offset] = [size(said.get('nested_blocksize')), said.get('nested_offset')];
  if (nested === undefined || map === undefined || nestedSize === null || typeof offset !== 'number')
    return `'${state.name.slice(0, 120)}' or what is beside it has no nested_absmax, nested_quant_map, nested_blocksize or nested_offset; expected all, for absmax of U8`;
  if (nested.dtype !== 'F32' || nested.bytes !== 4 * Math.ceil(blocks / nestedSize))
    return `${inWords(nested)}; expected ${Math.ceil(blocks / nestedSize)} numbers of F32`;
  if (map.dtype !== 'F32' || map.bytes !== 1024) return `${inWords(map)}; expected 256 numbers of F32`;
  return async (from, count, signal) => {
    const first = Math.floor(from / nestedSize);
    const nestedCount = Math.ceil((from + count) / nestedSize) - first;
    const [places, sizes, levels] = await Promise.all([
      read(from, count, signal),
      nested.source.read(nested.from + 4 * first, 4 * nestedCount, signal).then(f32),
      map.source.read(map.from, 1024, signal).then(f32),
    ]);
    const added = Math.fround(offset);
    return Float32Array.from(
      places,
      (place, i) => Math.fround(levels[place]! * sizes[Math.floor((from + i) / nestedSize) - first]!) + added,
    );
  };
}

/** As bitsandbytes multiplies: with the size of the row, then with the float next to 1/127. */
const PART_OF_127 = Math.fround(1 / 127);

/** Null if it is no such table. */
export function eightBitTable(
  table: StoredTensor,
  parts: Parts,
  { states }: PackingFacts,
): StoredTensor | string | null {
  const weight = parts.get('.weight');
  const sizes = parts.get('.SCB') ?? parts.get('.weight.SCB');
  if (weight?.dtype !== 'I8' || sizes === undefined) return null;
  const [rows = 0, width = 0, ...others] = weight.shape;
  if (rows === 0 || width === 0 || others.length > 0) return `${inWords(weight)}; expected [tokens, width]`;
  if (sizes.dtype !== 'F32' || sizes.bytes !== 4 * rows)
    return `${inWords(sizes)}; expected ${rows} numbers of F32, one for each row`;
  const format = parts.get('.weight_format') ?? parts.get('.weight.weight_format');
  const said = format === undefined ? undefined : states.get(format.name);
  if (typeof said === 'string') return said;
  return tableOfRows(
    table,
    'packed by bitsandbytes in 8 bits, with a scale for each row',
    [rows, width],
    async (from, count, signal) => {
      const [bytes, scales] = await Promise.all([
        weight.source.read(weight.from + from * width, count * width, signal),
        sizes.source.read(sizes.from + 4 * from, 4 * count, signal).then(f32),
      ]);
      if (scales.some((scale) => scale < 0))
        throw badFile(sizes.source.name, `'${sizes.name.slice(0, 120)}' has a negative number; expected sizes`);
      const result = new Float32Array(count * width);
      for (let at = 0; at < result.length; at++)
        result[at] = Math.fround(((bytes[at]! << 24) >> 24) * scales[Math.floor(at / width)]!) * PART_OF_127;
      return result;
    },
  );
}
