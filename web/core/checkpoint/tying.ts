/** Whether the two tables are one, and the evidence for it. */
import type { Decoder } from './decoder.js';
import type { CheckpointTying } from '../checkpoint-types.js';
import { RowReading, tableShape, type TableShape } from './rows.js';
import { throwIfAborted } from './source.js';
import type { FoundTables } from './tables.js';
import type { StoredTensor, TensorDirectory } from './tensors.js';

/** Bytes of each table that are compared at once, and in the first check of the beginning, middle and end. */
const PIECE_BYTES = 2 ** 20;
const LOOK_BYTES = 2 ** 12;
const LOOKS = [0, 0.5, 1] as const;

type Evidence = Omit<CheckpointTying, 'conflict'>;

export interface TyingOptions {
  readonly decoder: Decoder;
  readonly signal?: AbortSignal | undefined;
  readonly onShare?: (share: number) => void;
}

export async function findTying(
  directory: TensorDirectory,
  tables: FoundTables,
  options: TyingOptions,
): Promise<Evidence> {
  const { input, output, same } = tables;
  // A table on its own says nothing about another one.
  if ((directory.format === 'npy' || directory.format === 'csv') && output === null && !same)
    return { tied: null, evidence: null };
  if (input !== null && output !== null) return compared(input, output, options);
  const there = (input ?? output)!;
  if (!same && isAliased(directory, there)) return { tied: true, evidence: 'alias' };
  return { tied: true, evidence: input === null ? 'missing-input' : 'missing-output' };
}

/** Writers of safetensors record the omitted name in the metadata. */
const isAliased = ({ metadata, tensors }: TensorDirectory, there: StoredTensor): boolean =>
  [...metadata].some(([name, of]) => of === there.name && !tensors.has(name));

async function compared(input: StoredTensor, output: StoredTensor, options: TyingOptions): Promise<Evidence> {
  const [one, other] = [tableShape(input), tableShape(output)];
  const isSameShape = one.rows === other.rows && one.cols === other.cols && input.turned === output.turned;
  if (!isSameShape) return { tied: false, evidence: 'different' };
  if (one.dtype === other.dtype)
    return (await haveEqualBytes(input, output, one, options))
      ? { tied: true, evidence: 'equal-bytes' }
      : { tied: false, evidence: 'different' };
  return (await haveEqualValues(input, output, options))
    ? { tied: true, evidence: 'equal-values' }
    : { tied: false, evidence: 'different' };
}

/** The first check ends most comparisons; equal tables are read whole, because a part proves nothing. */
async function haveEqualBytes(
  input: StoredTensor,
  output: StoredTensor,
  { rowBytes }: TableShape,
  options: TyingOptions,
): Promise<boolean> {
  const { signal, onShare } = options;
  const { bytes } = input;
  const look = Math.min(bytes, Math.max(rowBytes, LOOK_BYTES));
  const areEqual = async (at: number, length: number): Promise<boolean> => {
    throwIfAborted(signal);
    const [one, other] = await Promise.all([
      input.source.read(input.from + at, length, signal),
      output.source.read(output.from + at, length, signal),
    ]);
    return haveSameBytes(one, other);
  };
  for (const share of LOOKS) if (!(await areEqual(Math.floor(share * (bytes - look)), look))) return false;
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    if (!(await areEqual(at, Math.min(PIECE_BYTES, bytes - at)))) return false;
    onShare?.(Math.min(1, (at + PIECE_BYTES) / bytes));
  }
  return true;
}

/** A plain loop, because both may have hundreds of megabytes. */
function haveSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return one.length === other.length;
}

async function haveEqualValues(input: StoredTensor, output: StoredTensor, options: TyingOptions): Promise<boolean> {
  const { decoder, signal, onShare } = options;
  const { rows, cols } = tableShape(input);
  const steps = [stepsOf(tableShape(input).dtype), stepsOf(tableShape(output).dtype)] as const;
  const most = Math.max(1, Math.floor(PIECE_BYTES / cols));
  for (let from = 0; from < rows; from += most) {
    const range = [{ from, to: Math.min(rows, from + most) }];
    const [one, other] = await Promise.all([
      new RowReading(input, range).finish({ decoder, signal }),
      new RowReading(output, range).finish({ decoder, signal }),
    ]);
    if (!areClose(one.data, other.data, steps)) return false;
    onShare?.(range[0]!.to / rows);
  }
  return true;
}

/** How far a stored value may be from the original. */
interface Steps {
  /** As a fraction of the value itself: half the last bit. */
  readonly relative: number;
  /** As a fraction of the largest value in a block, whose values share a scale. */
  readonly ofBlock: number;
  /** Near zero, where the smallest values are. */
  readonly absolute?: number;
}

const STEPS: Readonly<Record<TableShape['dtype'], Steps>> = {
  F64: { relative: 2 ** -24, ofBlock: 0 },
  F32: { relative: 2 ** -24, ofBlock: 0 },
  F16: { relative: 2 ** -11, ofBlock: 0 },
  BF16: { relative: 2 ** -8, ofBlock: 0 },
  F8_E4M3: { relative: 2 ** -4, ofBlock: 0, absolute: 2 ** -10 },
  F8_E5M2: { relative: 2 ** -3, ofBlock: 0, absolute: 2 ** -17 },
  // At least half a step, including the rounding of the scale; K types round their scales too, and one-sided types lose the far end of the other
  // side.
  Q8_0: { relative: 0, ofBlock: 2 ** -7 },
  Q6_K: { relative: 0, ofBlock: 2 ** -5 },
  Q5_K: { relative: 0, ofBlock: 2 ** -4 },
  Q5_0: { relative: 0, ofBlock: 2 ** -4 },
  Q5_1: { relative: 0, ofBlock: 2 ** -4 },
  Q4_K: { relative: 0, ofBlock: 2 ** -3 },
  Q4_0: { relative: 0, ofBlock: 2 ** -3 },
  Q4_1: { relative: 0, ofBlock: 2 ** -3 },
};
const stepsOf = (dtype: TableShape['dtype']): Steps => STEPS[dtype];

const BLOCK = 32;
/** The step of 16-bit floats near zero; smaller types have their own (`absolute`). */
const SMALLEST_STEP = 2 ** -24;
const ROUNDING = 1.05;

function areClose(one: Float32Array, other: Float32Array, [a, b]: readonly [Steps, Steps]): boolean {
  const relative = (a.relative + b.relative) * ROUNDING;
  const absolute = SMALLEST_STEP + (a.absolute ?? 0) + (b.absolute ?? 0);
  const ofBlock = (a.ofBlock + b.ofBlock) * ROUNDING;
  for (let start = 0; start < one.length; start += BLOCK) {
    const end = Math.min(one.length, start + BLOCK);
    let largest = 0;
    if (ofBlock > 0)
      for (let i = start; i < end; i++) largest = Math.max(largest, Math.abs(one[i]!), Math.abs(other[i]!));
    for (let i = start; i < end; i++) {
      const [x, y] = [one[i]!, other[i]!];
      if (Object.is(x, y)) continue;
      const allowed = relative * Math.max(Math.abs(x), Math.abs(y)) + ofBlock * largest + absolute;
      if (!(Math.abs(x - y) <= allowed)) return false;
    }
  }
  return true;
}

/** How `config.json` contradicts the tensors, in words. */
export function conflictOf({ tied, evidence }: Evidence, flag: boolean | null): string | null {
  if (flag === null || tied === null || flag === tied) return null;
  const found = {
    'missing-output': 'the file has no output table of its own',
    'missing-input': 'the file has no input table of its own',
    'equal-bytes': 'the two tables have equal bytes',
    'equal-values': 'the two tables have equal values, up to rounding',
    different: 'the file has two tables that differ',
    alias: 'the file names one table as both',
  }[evidence!];
  return `config.json says tie_word_embeddings: ${flag}, but ${found}`;
}
