/**
 * Tables that a quantizer stored as numbers of few bits, with scales in tensors of their own: as they are read, rows are arranged into blocks of 16
 * elements that the decoder knows, each with its scale in front (docs/decisions/0110-packed-tables.md).
 */
import { ArrangedSource, type Arrangement } from './arranged-source.js';
import type { ElementType } from '../elements/element-types.js';
import { eightBitTable, fourBitTable, stateOf } from './bitsandbytes.js';
import { integerTable } from './compressed-tensors.js';
import { inWords, type Parts } from './packed-numbers.js';
import { saidGroupSize, saidWidth, saysZerosAreStored } from './packing-facts.js';
import { e4m3, e8m0, f32, floatsOfType, type GroupValues } from './scales.js';
import type { PackingFacts, StoredTensor } from '../tensors.js';
import { turnedTable } from './turned-tables.js';

/** Rows and columns with one scale. */
const SQUARE = 128;
/** Columns with one scale in MXFP4 and MXFP8. */
const MX_GROUP = 32;
/** Elements in a block of every arranged type. */
const EACH = 16;
const AFFINE: Readonly<Record<number, ElementType>> = {
  2: 'affine_2',
  3: 'affine_3',
  4: 'affine_4',
  5: 'affine_5',
  6: 'affine_6',
  8: 'affine_8',
};

/** What it can be read as, with its shape; or why not, in words; null if nothing is known of how it is packed. */
export type Arranged = StoredTensor | string | null;

/** What follows the name of a table in the tensors that its rows are computed from, and in those of the module's inputs and outputs. */
const KNOWN_PART =
  /^\.(?:weight(?:_packed|_scale(?:_inv|_2)?|_shape|_zero_point|_g_idx|_global_scale|_format)?|qweight|qzeros|scales|biases|g_idx|SCB|(?:weight\.)?(?:(?:nested_)?(?:absmax|quant_map)|quant_state\.\w+|SCB|weight_format)|(?:input|output|activation)_\w+|_extra_state|workspace)$/;

/** `width`: of the states, if it is known. `table` has the name, and the tensors as parts. */
export function arrangedTable(table: StoredTensor, parts: Parts, width: number | null, facts: PackingFacts): Arranged {
  const arranged = ofParts(table, parts, width, facts);
  const other = [...parts].find(([own]) => !KNOWN_PART.test(own));
  // Rows that are turned by a matrix, or scaled once more, are others than those of the numbers and scales alone.
  return arranged === null || other === undefined || typeof arranged === 'string'
    ? arranged
    : `it also has '${other[1].name.slice(0, 120)}', and what that does to its rows is not known`;
}

function ofParts(table: StoredTensor, parts: Parts, width: number | null, facts: PackingFacts): Arranged {
  if (parts.has('.qweight')) return turnedTable(table, parts, saysZerosAreStored(facts), saidGroupSize(facts));
  const state = stateOf(parts);
  if (state !== null) return fourBitTable(table, parts, state, facts);
  const eightBits = eightBitTable(table, parts, facts);
  if (eightBits !== null) return eightBits;
  const integers = integerTable(table, parts, width, facts);
  if (integers !== null) return integers;
  const [weight, scales, biases] = ['.weight', '.scales', '.biases'].map((own) => parts.get(own));
  if (weight?.dtype === 'U32' && weight.shape.length === 2 && parts.has('.scales'))
    return ofMlx(table, weight, scales!, biases, width ?? saidWidth(facts, table.name, weight.shape[1]!, scales!));
  const packed = parts.get('.weight_packed') ?? (weight?.dtype === 'U8' ? weight : undefined);
  const blockScales = parts.get('.weight_scale');
  if (packed?.dtype === 'U8' && blockScales?.dtype === 'F8_E4M3') return ofNvfp4(table, packed, blockScales, parts);
  if (packed?.dtype === 'U8' && packed !== weight && blockScales?.dtype === 'U8')
    return ofMxfp4(table, packed, blockScales);
  const floatScales = parts.get('.weight_scale_inv') ?? blockScales;
  if (weight?.dtype === 'F8_E4M3' && floatScales !== undefined) return ofFloats(table, weight, floatScales);
  return null;
}

/** Scales of FP8: one for 128 rows and columns, as DeepSeek and compressed-tensors have, for a group of columns, for a row, or for the table. */
function ofFloats(table: StoredTensor, weight: StoredTensor, scales: StoredTensor): Arranged {
  const [rows, width] = weight.shape as [number, number];
  if (weight.shape.length !== 2 || width % EACH !== 0)
    return `${inWords(weight)}; expected rows of a multiple of ${EACH} columns`;
  const [down = 1, along = 1, ...others] = scales.shape;
  const sizes = [[1, width], [rows, width], [SQUARE, SQUARE], [1, width / along]] as const; // prettier-ignore
  const found = sizes.find(
    ([high, wide]) => wide % EACH === 0 && down === Math.ceil(rows / high) && along === Math.ceil(width / wide),
  );
  if (found === undefined || others.length > 0) {
    const square = `[${Math.ceil(rows / SQUARE)}, ${Math.ceil(width / SQUARE)}]`;
    return `${inWords(scales)}; expected [${rows}, 1], [1], [${rows}, groups] or ${square}, one for ${SQUARE} rows and columns`;
  }
  // MXFP8 stores exponents as bytes.
  const read = scales.dtype === 'U8' && found[0] === 1 && found[1] === MX_GROUP ? e8m0 : floatsOfType(scales.dtype);
  if (read === null) return `${inWords(scales)}; expected F32, F16 or BF16`;
  const [groupRows, groupSize] = found;
  const arrangement = { width, groupRows, groupSize, numbers: weight, blockBytes: EACH, scales, biases: null, read };
  return made(table, 'scaled_E4M3', rows, arrangement);
}

/** MLX: numbers follow each other in the bits of a row, the lowest first. */
function ofMlx(
  table: StoredTensor,
  weight: StoredTensor,
  scales: StoredTensor,
  biases: StoredTensor | undefined,
  width: number | null,
): Arranged {
  const [rows, words] = weight.shape as [number, number];
  if (width === null) return 'neither a norm of the file nor quantization in config.json tells how wide it is';
  const bits = (32 * words) / width;
  const type = AFFINE[bits];
  if (type === undefined) return `${inWords(weight)}; expected 2, 3, 4, 5, 6 or 8 bits for each of ${width} columns`;
  const groups = scales.shape[1] ?? 0;
  const size = width / groups;
  if (scales.shape.length !== 2 || scales.shape[0] !== rows || !Number.isInteger(size) || size % EACH !== 0)
    return `${inWords(scales)}; expected [${rows}, groups], with groups of a multiple of ${EACH} columns`;
  const arrangement = { width, groupRows: 1, groupSize: size, numbers: weight, blockBytes: 2 * bits };
  if (biases !== undefined) {
    if (biases.shape.join() !== scales.shape.join() || biases.dtype !== scales.dtype)
      return `${inWords(biases)}; expected [${scales.shape.join(', ')}] of ${scales.dtype}, as its scales`;
    const read = floatsOfType(scales.dtype);
    if (read === null) return `${inWords(scales)}; expected F32, F16 or BF16`;
    const how = `packed by MLX in ${bits} bits, with a scale for ${size} columns`;
    return made({ ...table, dtype: how }, type, rows, { ...arrangement, scales, biases, read });
  }
  // Without biases: floats of 4 or 8 bits.
  const scaled = (mode: string, of: ElementType, read: GroupValues): Arranged =>
    made({ ...table, dtype: `packed by MLX as ${mode}` }, of, rows, { ...arrangement, scales, biases: null, read });
  if (scales.dtype !== 'U8') return `'${table.name.slice(0, 120)}' has scales of ${scales.dtype}, but no biases`;
  if (bits === 4 && size === 32) return scaled('mxfp4', 'scaled_E2M1', e8m0);
  if (bits === 8 && size === 32) return scaled('mxfp8', 'scaled_E4M3', e8m0);
  if (bits === 4 && size === 16) return scaled('nvfp4', 'scaled_E2M1', (bytes) => e4m3(bytes));
  return `${inWords(scales)}; expected groups of 32 columns for mxfp4 and mxfp8, or of 16 for nvfp4`;
}

/** As compressed-tensors has it: two numbers in a byte, the first in its lower half. */
function ofMxfp4(table: StoredTensor, packed: StoredTensor, scales: StoredTensor): Arranged {
  const [rows, bytes] = packed.shape as [number, number];
  const width = 2 * bytes;
  if (packed.shape.length !== 2) return `${inWords(packed)}; expected two dimensions`;
  if (scales.shape.length !== 2 || scales.shape[0] !== rows || scales.shape[1]! * MX_GROUP !== width)
    return `${inWords(scales)}; expected [${rows}, ${width / MX_GROUP}], one for ${MX_GROUP} columns`;
  const arrangement = {
    width,
    groupRows: 1,
    groupSize: MX_GROUP,
    numbers: packed,
    blockBytes: 8,
    scales,
    biases: null,
  };
  return made({ ...table, dtype: 'packed as MXFP4' }, 'scaled_E2M1', rows, { ...arrangement, read: e8m0 });
}

/** compressed-tensors divides by a scale of the whole table, ModelOpt multiplies with it. */
function ofNvfp4(table: StoredTensor, packed: StoredTensor, scales: StoredTensor, parts: Parts): Arranged {
  const [rows, bytes] = packed.shape as [number, number];
  const [width, groups] = [2 * bytes, scales.shape[1] ?? 0];
  if (packed.shape.length !== 2) return `${inWords(packed)}; expected two dimensions`;
  if (scales.shape.length !== 2 || scales.shape[0] !== rows || groups * EACH !== width)
    return `${inWords(scales)}; expected [${rows}, ${width / EACH}], one for ${EACH} columns`;
  const [divides, multiplies] = [parts.get('.weight_global_scale'), parts.get('.weight_scale_2')];
  const whole = divides ?? multiplies;
  if (whole === undefined)
    return 'it has no weight_global_scale, as compressed-tensors has, and no weight_scale_2, as ModelOpt has';
  if (whole.bytes !== 4 || whole.dtype !== 'F32') return `${inWords(whole)}; expected one number of F32`;
  const factor = async (signal?: AbortSignal): Promise<number> => {
    const [value] = f32(await whole.source.read(whole.from, 4, signal));
    return divides === undefined ? value! : 1 / value!;
  };
  const arrangement = {
    width,
    groupRows: 1,
    groupSize: EACH,
    numbers: packed,
    blockBytes: 8,
    scales,
    biases: null,
    factor,
  };
  return made({ ...table, dtype: 'packed as NVFP4' }, 'scaled_E2M1', rows, { ...arrangement, read: e4m3 });
}

function made(
  from: StoredTensor,
  dtype: ElementType,
  rows: number,
  arrangement: Omit<Arrangement, 'elements'>,
): StoredTensor {
  const source = new ArrangedSource({ ...arrangement, elements: EACH });
  const shape = [rows, arrangement.width];
  return {
    ...from,
    dtype,
    shape,
    hasShape: true,
    source,
    from: 0,
    bytes: rows * source.rowBytes,
    arrangedFrom: { ...from, shape, hasShape: true },
  };
}
