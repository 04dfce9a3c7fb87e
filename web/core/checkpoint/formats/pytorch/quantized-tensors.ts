/**
 * Tensors that PyTorch quantized to bytes: each number less a zero point, times a scale, of the whole tensor or of a row or a column.
 * https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/quantized/AffineQuantizerBase.cpp
 */
import type { StoredTensor } from '../../tensors.js';
import { PyName, PyTensor, type NumberType, type PyValue } from './values.js';

type Stored = (tensor: PyTensor) => StoredTensor;

/** `of`: where the numbers of a tensor are. */
export function withScales(table: StoredTensor, type: NumberType, quantizer: PyValue, of: Stored): StoredTensor {
  const [how, scale, zero, axis] = Array.isArray(quantizer) ? (quantizer as readonly PyValue[]) : [];
  const isSigned = type.dtype.includes('(qint8)');
  // Equal integers with other scales are other numbers, so no other tensor has this type.
  const unread = { ...table, dtype: `${type.dtype}, with scales of '${table.name.slice(0, 120)}' that are not read` };
  if (table.shape.length !== 2 || table.shape.includes(0) || table.turned === true) return unread;
  if (!(how instanceof PyName) || !(isSigned || type.dtype.includes('(quint8)'))) return unread;
  if (how.name === 'per_tensor_affine' && typeof scale === 'number' && typeof zero === 'number') {
    const dtype = `${type.dtype.slice(0, -1)}, scale ${scale}, zero point ${zero})`;
    const one = { table, isSigned, scales: [scale], zeros: [zero], axis: null };
    return { ...table, dtype, scaled: { parts: new Map(), rows: (from, count, signal) => rowsOf(one, from, count, signal) } }; // prettier-ignore
  }
  if (!(scale instanceof PyTensor) || !(zero instanceof PyTensor) || (axis !== 0 && axis !== 1)) return unread;
  const [scales, zeros] = [of(scale), of(zero)];
  const isKnown = [scales, zeros].every((one) => one.shape.join() === String(table.shape[axis]) && one.dtype in READ);
  if (!isKnown) return unread;
  const rows = async (from: number, count: number, signal?: AbortSignal): Promise<Float32Array> => {
    const [first, some] = axis === 0 ? [from, count] : [0, table.shape[1]!];
    const [these, points] = await Promise.all([scales, zeros].map((one) => numbersOf(one, first, some, signal)));
    return rowsOf({ table, isSigned, scales: these!, zeros: points!, axis }, from, count, signal);
  };
  return { ...table, scaled: { rows, parts: new Map([['.scales', scales], ['.zero_points', zeros]]) } }; // prettier-ignore
}

const READ: Readonly<Record<string, (view: DataView, at: number) => number>> = {
  F64: (view, at) => view.getFloat64(8 * at, true),
  F32: (view, at) => view.getFloat32(4 * at, true),
  I64: (view, at) => Number(view.getBigInt64(8 * at, true)),
  I32: (view, at) => view.getInt32(4 * at, true),
};

async function numbersOf(
  { source, from, bytes, shape, dtype }: StoredTensor,
  first: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const each = bytes / shape[0]!;
  const read = await source.read(from + first * each, count * each, signal);
  const view = new DataView(read.buffer, read.byteOffset, read.length);
  return Array.from({ length: count }, (_, at) => READ[dtype]!(view, at));
}

interface Quantized {
  readonly table: StoredTensor;
  readonly isSigned: boolean;
  /** One; or those of the rows that are read, or of all columns. */
  readonly scales: readonly number[];
  readonly zeros: readonly number[];
  readonly axis: 0 | 1 | null;
}

async function rowsOf(
  { table, isSigned, scales, zeros, axis }: Quantized,
  from: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const width = table.shape[1]!;
  const bytes = await table.source.read(table.from + from * width, count * width, signal);
  const result = new Float32Array(count * width);
  for (let row = 0, at = 0; row < count; row++)
    for (let col = 0; col < width; col++, at++) {
      const group = axis === null ? 0 : axis === 0 ? row : col;
      const number = isSigned ? (bytes[at]! << 24) >> 24 : bytes[at]!;
      // In 32 bits, as PyTorch computes them.
      result[at] = Math.fround(number - zeros[group]!) * Math.fround(scales[group]!);
    }
  return result;
}
