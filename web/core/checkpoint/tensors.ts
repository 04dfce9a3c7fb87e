/** The result of the readers of all formats: where each tensor of a checkpoint is. */
import type { CheckpointFormat, CheckpointTying } from './types.js';
import type { GgufValue } from './formats/gguf-values.js';
import type { Printed } from './elements/printed.js';
import type { ByteSource } from './bytes/source.js';
import type { TokenStrings } from './tokens/token-strings.js';
import type { SharedNames } from './tables/two-tables.js';

export interface StoredTensor {
  readonly name: string;
  /** Row-major: the last dimension is contiguous. */
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly bytes: number;
  readonly source: ByteSource;
  /** First byte in the file. */
  readonly from: number;
  /** Whether the file stores the transpose, a matrix with contiguous columns. `shape` is as in the file, [cols, rows]. */
  readonly turned?: boolean;
  /** Whether it is known that a token is a row of what `shape` and `turned` show, whatever the name says. */
  readonly hasRowsOfTokens?: boolean;
  /** Of a packed table, its tensors by what follows its name in theirs. Its type is how it is packed. */
  readonly parts?: ReadonlyMap<string, StoredTensor>;
  /** Whether the shape of a packed table is that of its numbers, not of what is stored. */
  readonly hasShape?: boolean;
  /** Of a packed table whose rows are arranged as they are read: what the file has. */
  readonly arrangedFrom?: StoredTensor;
  /** Of integers whose scales are beside them in the file, and not tensors of the model: their rows as floats, and what holds the scales. */
  readonly scaled?: ScaledIntegers;
  /** Why the rows of a packed table cannot be read, in words, if it is packed in a way that is known. */
  readonly whyPacked?: string;
  /** How numbers of a text were rounded; absent if they were not, and for all other formats. */
  readonly printed?: Printed;
}

export interface ScaledIntegers {
  readonly rows: (from: number, count: number, signal?: AbortSignal) => Promise<Float32Array>;
  readonly parts: ReadonlyMap<string, StoredTensor>;
}

/** Where tensors begin and where they end, each in order: whether they fill a file, or overlap, needs no order of the tensors themselves. */
export function boundsOf(tensors: ReadonlyMap<string, StoredTensor>): {
  readonly from: Float64Array;
  readonly to: Float64Array;
} {
  const [from, to] = [new Float64Array(tensors.size), new Float64Array(tensors.size)];
  let [at, isSorted] = [0, true];
  for (const tensor of tensors.values()) {
    from[at] = tensor.from;
    to[at] = tensor.from + tensor.bytes;
    isSorted &&= at === 0 || (from[at - 1]! <= from[at]! && to[at - 1]! <= to[at]!);
    at++;
  }
  // Most files have them in order.
  return isSorted ? { from, to } : { from: from.sort(), to: to.sort() };
}

/** Whether both are the same numbers of one file: in files of PyTorch, two names of one storage. Other formats store no tensor within another. */
export const areOneStorage = (one: StoredTensor, other: StoredTensor): boolean =>
  one.source === other.source &&
  one.from === other.from &&
  one.bytes === other.bytes &&
  one.bytes > 0 &&
  one.dtype === other.dtype;

/** Of each tensor that is another name of an earlier one, the name of that. */
export function namesOfOneStorage(tensors: ReadonlyMap<string, StoredTensor>): ReadonlyMap<string, string> {
  const shared = new Map<string, string>();
  // Most sources have one tensor, or all of them.
  const first = new Map<ByteSource, StoredTensor>();
  const placed = new Map<ByteSource, Map<number, StoredTensor>>();
  for (const tensor of tensors.values()) {
    const one = first.get(tensor.source);
    if (one === undefined) {
      first.set(tensor.source, tensor);
      continue;
    }
    const inSource = placed.get(tensor.source) ?? new Map([[one.from, one]]);
    placed.set(tensor.source, inSource);
    const earlier = inSource.get(tensor.from);
    if (earlier === undefined) inSource.set(tensor.from, tensor);
    else if (areOneStorage(earlier, tensor)) shared.set(tensor.name, earlier.name);
  }
  return shared;
}

/** What files say of how tables are packed, beyond shapes. */
export interface PackingFacts {
  /** `quantization_config` or `quantization` of the configuration; none if it has neither. */
  readonly configuration: ReadonlyMap<string, unknown>;
  /** By the names of the tensors that describe others: their fields; in words what is wrong with them. */
  readonly states: ReadonlyMap<string, ReadonlyMap<string, unknown> | string>;
}

/** Which tensors are the tables, where the format or the model's graph says so. A name is one of the directory's tensors; null: there is none, or it cannot be read. */
export interface StatedRoles {
  readonly input: string | null;
  readonly output: string | null;
  /** The verdict, where the file shows it without a comparison of numbers. One table of two is never compared. */
  readonly verdict?: Pick<CheckpointTying, 'tied' | 'evidence' | 'reason'>;
  /** What the format says of the two, in words, to stand before what their numbers say. */
  readonly said?: string;
}

export interface TensorDirectory {
  /** Names of all tensors of its model, if some of its files were not opened. */
  readonly names?: Iterable<string>;
  readonly format: CheckpointFormat;
  /** Whether the file is one table without a name, of which nobody knows what it is for. */
  readonly isOneTable?: boolean;
  /** Absent: the tables are found by their names. */
  readonly roles?: StatedRoles;
  /** Of two files with a table each, whose rows have names that are not the same. */
  readonly sharedNames?: SharedNames;
  /** Whether the model has other tensors in files that nobody named. */
  readonly isPart?: boolean;
  /** Whether every matrix is a part of one: the others are in files that nobody named. */
  readonly isSlice?: boolean;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Texts that the file stores beside its tensors, such as the names of shared ones. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Keys and values of a GGUF file. */
  readonly values: ReadonlyMap<string, GgufValue>;
  /** Token strings in the file itself. */
  readonly tokens: TokenStrings | null;
  readonly notes: readonly string[];
  /** What is said of how its tables are packed. */
  readonly packing?: PackingFacts;
}
