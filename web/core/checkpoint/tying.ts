/** Whether the two tables are one, and the evidence for it. */
import type { Decoder } from './decoder.js';
import type { CheckpointTying, TyingEvidence } from '../checkpoint-types.js';
import { compareTransposed, compareValues } from './equal-values.js';
import { checkTable, whyNotDecoded } from './rows.js';
import { throwIfAborted } from './source.js';
import type { FoundTables } from './tables.js';
import type { StoredTensor, TensorDirectory } from './tensors.js';

/** Bytes of each table that are compared at once, and in the first check of the beginning, middle and end. */
const PIECE_BYTES = 2 ** 20;
const LOOK_BYTES = 2 ** 12;
const LOOKS = [0, 0.5, 1] as const;

export type Evidence = Pick<CheckpointTying, 'tied' | 'evidence'>;

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
  if (directory.isOneTable === true && output === null && !same) return unknown;
  if (input !== null && output !== null) return compared(input, output, options);
  const there = (input ?? output)!;
  if (!same && isAliased(directory, there)) return { tied: true, evidence: 'alias' };
  // The other table may be in another file.
  if (directory.isPart === true && !same) return unknown;
  return { tied: true, evidence: input === null ? 'missing-input' : 'missing-output' };
}

/** Writers of safetensors record the omitted name in the metadata. */
const isAliased = ({ metadata, tensors }: TensorDirectory, there: StoredTensor): boolean =>
  [...metadata].some(([name, of]) => of === there.name && !tensors.has(name));

const unknown: Evidence = { tied: null, evidence: 'unknown' };

async function compared(input: StoredTensor, output: StoredTensor, options: TyingOptions): Promise<Evidence> {
  const [one, other] = [checkTable(input), checkTable(output)];
  const areEqual = (evidence: 'equal-bytes' | 'equal-values', found: boolean): Evidence =>
    found ? { tied: true, evidence } : { tied: false, evidence: 'different' };
  const isSameShape = one.rows === other.rows && one.cols === other.cols && input.turned === output.turned;
  const isTransposed = !isSameShape && one.rows === other.cols && one.cols === other.rows;
  if (!isSameShape && !isTransposed) return { tied: false, evidence: 'different' };
  // Bytes tell without being decoded; those of unknown types have no length.
  if (isSameShape && input.dtype === output.dtype && input.bytes > 0)
    return areEqual('equal-bytes', await haveEqualBytes(input, output, Math.ceil(input.bytes / one.rows), options));
  if (whyNotDecoded(input) !== null || whyNotDecoded(output) !== null) return unknown;
  const found = await (isTransposed ? compareTransposed : compareValues)(input, output, options);
  return found === 'unknown' ? unknown : areEqual('equal-values', found === 'equal');
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

const FOUND: Readonly<Record<TyingEvidence, string>> = {
  'same-storage': 'one tensor is named as both',
  'missing-output': 'the file has no output table of its own',
  'missing-input': 'the file has no input table of its own',
  'equal-bytes': 'the two tables have equal bytes',
  'equal-values': 'the two tables have equal values, up to rounding',
  different: 'the file has two tables that differ',
  'packed-output': 'the file has an output table of its own, which is packed',
  'packed-input': 'the file has an input table of its own, which is packed',
  alias: 'the file names one table as both',
  'not-a-language-model': 'the file is not a whole language model',
  unknown: 'that is not known',
};

/** How `config.json` contradicts the tensors, in words. */
export function conflictOf({ tied, evidence }: Evidence, flag: boolean | null): string | null {
  if (flag === null || tied === null || flag === tied) return null;
  return `config.json says tie_word_embeddings: ${flag}, but ${FOUND[evidence]}`;
}

export const sentenceOf = ({ evidence }: Evidence): string =>
  `${FOUND[evidence][0]!.toUpperCase()}${FOUND[evidence].slice(1)}.`;
