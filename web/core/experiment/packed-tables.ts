/** The token tables of a model as a program packs them: which types it gives them, the bytes they take, and what is read of them again. */
import { GGUF_FILE_TYPES, ggufBytes, ggufTableTypes, type GgufFileType } from '../accounting/table-bytes/gguf-rule.js';
import { MLX_GROUP, mlxBytes } from '../accounting/table-bytes/mlx-rule.js';
import { powerOfTwo } from '../runtime/elementary.js';
import type { Matrix } from '../types.js';
import { BLOCK_ROUNDINGS, type BlockRounding } from './block-rounding.js';
import { clamped, f32, toEven, toHalf } from './rounding.js';
import { SUPER_BLOCK_ROUNDINGS } from './super-block-rounding.js';

const ROUNDINGS: Readonly<Record<string, { readonly rounding: BlockRounding; readonly length: number }>> = {
  F32: { rounding: (values, read) => read.set(values), length: 1 },
  F16: { rounding: (values, read) => read.set(values.map(toHalf)), length: 1 },
  ...Object.fromEntries(Object.entries(BLOCK_ROUNDINGS).map(([type, rounding]) => [type, { rounding, length: 32 }])),
  ...Object.fromEntries(
    Object.entries(SUPER_BLOCK_ROUNDINGS).map(([type, rounding]) => [type, { rounding, length: 256 }]),
  ),
};

/** A table as it is read after ggml has packed it. Blocks of the type must divide a row. */
export function readPacked(type: string, { rows, cols, data }: Matrix): Matrix {
  const { rounding, length } = ROUNDINGS[type]!;
  return inBlocks({ rows, cols, data }, length, rounding);
}

function inBlocks({ rows, cols, data }: Matrix, length: number, rounding: BlockRounding): Matrix {
  const read = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += length) {
    rounding(data.subarray(at, at + length), read.subarray(at, at + length));
  }
  return { rows, cols, data: read };
}

const SMALLEST_STEP = f32(1e-7);

/** MLX's affine mode: the end of the range that is farther from zero is a level exactly, as is zero. */
const affine =
  (bits: number): BlockRounding =>
  (values, read) => {
    const most = powerOfTwo(bits) - 1;
    const [least, largest] = [Math.min(...values), Math.max(...values)];
    const isBelow = Math.abs(least) > Math.abs(largest);
    const width = Math.max(f32(f32(largest - least) / most), SMALLEST_STEP);
    const edge = isBelow ? least : largest;
    let [scale, bias] = [isBelow ? width : -width, 0];
    const level = toEven(f32(edge / scale));
    if (level !== 0) [scale, bias] = [f32(edge / level), edge];
    const [step, from] = [toHalf(scale), toHalf(bias)];
    read.set(values.map((x) => f32(clamped(toEven(f32(f32(x - bias) / scale)), 0, most) * step) + from));
  };

const MLX_BITS = { 'mlx-8': 8, 'mlx-6': 6, 'mlx-4': 4, 'mlx-3': 3 } as const;
type MlxPacking = keyof typeof MLX_BITS;
const bitsOf = (packing: string): number | undefined => MLX_BITS[packing as MlxPacking];

function typesOf(packing: GgufFileType, width: number, isShared: boolean): string[] | undefined {
  const types = ggufTableTypes(packing, width, isShared);
  return types === null ? undefined : isShared ? [types.input] : [types.input, types.output!];
}
const isKnown = (type: string): boolean => type in ROUNDINGS;

/** Files of llama.cpp whose types are all known here, and MLX's affine mode. */
export const PACKINGS: readonly string[] = [
  ...GGUF_FILE_TYPES.filter((type) =>
    [32, 256].every((width) => [true, false].every((isShared) => typesOf(type, width, isShared)?.every(isKnown))),
  ),
  ...Object.keys(MLX_BITS),
];

export interface PackedTable {
  /** What is read of it. */
  readonly read: Matrix;
  readonly bytes: number;
}

/** Why tables of this width cannot be packed so, as what is expected; null if they can. */
export const whyNotPacked = (packing: string, width: number): string | null =>
  bitsOf(packing) !== undefined && width % MLX_GROUP !== 0 ? `a width in whole groups of ${MLX_GROUP}` : null;

/** @param tables - the shared table, or the input and the output table */
export function packed(packing: string, tables: readonly Matrix[]): PackedTable[] {
  const bits = bitsOf(packing);
  if (bits !== undefined) {
    return tables.map((table) => ({
      read: inBlocks(table, MLX_GROUP, affine(bits)),
      bytes: mlxBytes(bits, table.rows, table.cols),
    }));
  }
  const types = typesOf(packing as GgufFileType, tables[0]!.cols, tables.length === 1)!;
  return tables.map((table, i) => ({
    read: readPacked(types[i]!, table),
    bytes: ggufBytes(types[i]!, table.rows, table.cols),
  }));
}
