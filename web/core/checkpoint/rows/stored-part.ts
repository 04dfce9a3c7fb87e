/** Rows of a table for a comparison: decoded, with what their type says of the originals. */
import type { Decoder } from '../decoder.js';
import { blockOf, type ElementType } from '../elements/element-types.js';
import type { Rounding, Values } from '../elements/float-originals.js';
import { originalsOf, type Originals } from '../elements/originals.js';
import { originalsOfPrinted, type Printed } from '../elements/printed.js';
import { refinedBlock, type RefinedBlock } from '../elements/refined-scales.js';
import { tableShape } from './rows.js';
import { throwIfAborted } from '../bytes/source.js';
import { isQuantized } from '../elements/stored-blocks.js';
import type { StoredTensor } from '../tensors.js';

export interface DecodingOptions {
  readonly decoder: Decoder;
  readonly signal?: AbortSignal | undefined;
}

export interface Part {
  readonly dtype: ElementType;
  readonly values: Values;
  /** How its numbers were rounded as a text; null for other formats. */
  readonly printed: Printed | null;
  readonly originals: (rounding: Rounding) => Originals;
  /** A block whose scale may have been refined; null for other types. */
  readonly refined: (block: number) => RefinedBlock | null;
}

/** Rows `from` to `to` as they are stored. */
export async function partOf(tensor: StoredTensor, from: number, to: number, options: DecodingOptions): Promise<Part> {
  const { cols, dtype, rowBytes } = tableShape(tensor);
  const bytes = await tensor.source.read(tensor.from + from * rowBytes, (to - from) * rowBytes, options.signal);
  const values = await valuesOf(dtype, bytes, (to - from) * cols, options);
  const refined = (block: number): RefinedBlock | null =>
    isQuantized(dtype) ? refinedBlock(dtype, bytes, values, block) : null;
  const { printed = null } = tensor;
  const originals = once((rounding) => withPrinted(originalsOf(dtype, bytes, values, rounding), values, printed));
  return { dtype, values, printed, originals, refined };
}

/** Floats that were read before. */
export const floatsPart = (dtype: ElementType, values: Values, printed: Printed | null = null): Part => ({
  ...{ dtype, values, printed, refined: () => null },
  originals: once((rounding) => withPrinted(originalsOf(dtype, new Uint8Array(0), values, rounding), values, printed)),
});

const withPrinted = (originals: Originals, values: Values, printed: Printed | null): Originals =>
  printed === null ? originals : originalsOfPrinted(originals, values, printed);

/** Floats from their bytes. */
export const floatsOf = async (dtype: ElementType, bytes: Uint8Array, decoder: Decoder): Promise<Part> =>
  floatsPart(dtype, await valuesOf(dtype, bytes, bytes.length / blockOf(dtype).bytes, { decoder }));

const once = (of: (rounding: Rounding) => Originals): Part['originals'] => {
  const made = new Map<Rounding, Originals>();
  return (rounding) => {
    const found = made.get(rounding) ?? of(rounding);
    made.set(rounding, found);
    return found;
  };
};

/** The decoder rounds F64 to 32 bits. */
const valuesOf = async (
  dtype: ElementType,
  bytes: Uint8Array,
  elements: number,
  { decoder }: DecodingOptions,
): Promise<Values> =>
  dtype === 'F64' ? new Float64Array(bytes.slice().buffer) : decoder.decodeElements(dtype, bytes, elements);

/** An empty array for this many elements of a type. */
export const emptyValues = (dtype: ElementType, elements: number): Values =>
  dtype === 'F64' ? new Float64Array(elements) : new Float32Array(elements);

/** Bytes that are read and decoded at once. */
const PIECE_BYTES = 2 ** 22;

/** The elements of rows `from` to `to`, however many. */
export async function readValues(
  tensor: StoredTensor,
  from: number,
  to: number,
  options: DecodingOptions,
): Promise<Values> {
  const { cols, dtype, rowBytes } = tableShape(tensor);
  const all = emptyValues(dtype, (to - from) * cols);
  const most = Math.max(1, Math.floor(PIECE_BYTES / rowBytes));
  for (let row = from; row < to; row += most) {
    throwIfAborted(options.signal);
    const { values } = await partOf(tensor, row, Math.min(to, row + most), options);
    all.set(values, (row - from) * cols);
  }
  return all;
}
