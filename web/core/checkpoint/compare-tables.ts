/** Whether two stored tables are equal: byte by byte where they are stored alike, else by their values. */
import type { Decoder } from './decoder.js';
import type { TyingEvidence } from './types.js';
import { compareTransposed, compareValues } from './equal-values.js';
import { checkTable, whyNotDecoded } from './rows.js';
import { throwIfAborted } from './source.js';
import type { StoredTensor } from './tensors.js';

/** Bytes of each table that are compared at once, and in the first check of the beginning, middle and end. */
const PIECE_BYTES = 2 ** 20;
const LOOK_BYTES = 2 ** 12;
const LOOKS = [0, 0.5, 1] as const;

export interface TyingOptions {
  readonly decoder: Decoder;
  readonly signal?: AbortSignal | undefined;
  readonly onShare?: (share: number) => void;
}

export interface Compared {
  readonly tied: boolean | null;
  readonly evidence: Extract<TyingEvidence, 'equal-bytes' | 'equal-values' | 'different' | 'unknown'>;
}

export async function compareTables(
  input: StoredTensor,
  output: StoredTensor,
  options: TyingOptions,
): Promise<Compared> {
  const [one, other] = [checkTable(input), checkTable(output)];
  const areEqual = (evidence: 'equal-bytes' | 'equal-values', found: boolean): Compared =>
    found ? { tied: true, evidence } : { tied: false, evidence: 'different' };
  const isSameShape = one.rows === other.rows && one.cols === other.cols && input.turned === output.turned;
  const isTransposed = !isSameShape && one.rows === other.cols && one.cols === other.rows;
  if (!isSameShape && !isTransposed) return { tied: false, evidence: 'different' };
  // Bytes tell without being decoded; those of unknown types have no length.
  if (isSameShape && input.dtype === output.dtype && input.bytes > 0)
    return areEqual('equal-bytes', await haveEqualBytes(input, output, Math.ceil(input.bytes / one.rows), options));
  if (whyNotDecoded(input) !== null || whyNotDecoded(output) !== null) return { tied: null, evidence: 'unknown' };
  const found = await (isTransposed ? compareTransposed : compareValues)(input, output, options);
  return found === 'unknown' ? { tied: null, evidence: 'unknown' } : areEqual('equal-values', found === 'equal');
}

/** The first check ends most comparisons; equal tables are read whole, because a part proves nothing. */
async function haveEqualBytes(
  input: StoredTensor,
  output: StoredTensor,
  rowBytes: number,
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
