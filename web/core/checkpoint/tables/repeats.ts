/**
 * What very many tensors have in common. Half a million tensors are numbered parts of some hundred layers, such as experts, and two of those in a
 * layer tell what all of them tell: which tables a model has, and whether they are one, is found among these.
 */
import { inSlices, pause } from '../../runtime/pause.js';
import { isDeepPart, memberOf } from './layers.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';

/** Directories of fewer tensors are searched as they are. */
const MOST_SEARCHED = 10_000;
/** Of numbered parts that differ by their number only: with two of them, there are several. */
const KEPT = 2;
const AT_ONCE = 4000;
/** More beginnings of names are not remembered. */
const MOST_HEADS = 100_000;
const [ZERO, NINE] = [0x30, 0x39];
const isSeparator = (code: number): boolean => code === 0x2e || code === 0x2f;

/** Tensors whose names differ by one number. */
interface Alike {
  readonly shape: readonly number[];
  readonly dtype: string;
  count: number;
}

/** Of tensors with equal ends of names, those of each shape and type; null: parts with this end are judged one by one. */
type Ends = Map<string, Alike[] | null>;

class Repeats {
  /** By what comes before a number; null: that is the number of a layer, or of none. */
  readonly #heads = new Map<string, Ends | null>();

  /** Whether the tensor tells no more than others before it. `tensor`: undefined if only its name is known. */
  repeats(name: string, tensor: StoredTensor | undefined): boolean {
    for (let at = 0; at < name.length; at++) {
      const isStart = at === 0 || isSeparator(name.charCodeAt(at - 1));
      if (!isStart || !isDigit(name.charCodeAt(at))) continue;
      const from = at;
      while (isDigit(name.charCodeAt(at))) at++;
      if (!isSeparator(name.charCodeAt(at))) continue;
      const ends = this.#endsAfter(name.slice(0, from), name);
      if (ends !== null) return isOneMore(ends, name, at, tensor);
    }
    return false;
  }

  #endsAfter(head: string, name: string): Ends | null {
    const known = this.#heads.get(head);
    if (known !== undefined) return known;
    const sub = memberOf(name)?.sub;
    const isWithin = sub !== undefined && name.length - sub.length <= head.length;
    const ends: Ends | null = isWithin && this.#heads.size < MOST_HEADS ? new Map<string, Alike[] | null>() : null;
    if (this.#heads.size < MOST_HEADS) this.#heads.set(head, ends);
    return ends;
  }
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

function isOneMore(ends: Ends, name: string, at: number, tensor: StoredTensor | undefined): boolean {
  const end = name.slice(at);
  let found = ends.get(end);
  if (found === undefined) ends.set(end, (found = isDeepPart(name) ? [] : null));
  if (found === null) return false;
  const { shape, dtype } = tensor ?? NAMED_ONLY;
  const alike = found.find((one) => one.dtype === dtype && areSame(one.shape, shape));
  if (alike === undefined) found.push({ shape, dtype, count: 1 });
  else alike.count++;
  return alike !== undefined && alike.count > KEPT;
}

const NAMED_ONLY = { shape: [], dtype: '' } as const;

const areSame = (one: readonly number[], other: readonly number[]): boolean =>
  one === other || (one.length === other.length && one.every((size, i) => size === other[i]));

/** The directory as it is searched, and the names of its model's tensors. `wanted`: names that stay. */
export async function withoutRepeats<Directory extends TensorDirectory>(
  directory: Directory,
  wanted: readonly (string | undefined)[],
  most = MOST_SEARCHED,
): Promise<{ readonly directory: Directory; readonly names: readonly string[] }> {
  const { tensors } = directory;
  const named = [...(directory.names ?? tensors.keys())];
  if (named.length <= most) return { directory, names: named };
  const all = new Repeats();
  const kept = new Map<string, StoredTensor>();
  const names: string[] = [];
  const isDue = inSlices(AT_ONCE);
  for (const name of named) {
    if (isDue()) await pause();
    const tensor = tensors.get(name);
    if (all.repeats(name, tensor) && !wanted.includes(name)) continue;
    names.push(name);
    if (tensor !== undefined) kept.set(name, tensor);
  }
  return { directory: { ...directory, tensors: kept }, names };
}

/** The same of names alone. */
export async function namesWithoutRepeats(names: Iterable<string>): Promise<readonly string[]> {
  const all = new Repeats();
  const kept: string[] = [];
  const isDue = inSlices(AT_ONCE);
  for (const name of names) {
    if (isDue()) await pause();
    if (!all.repeats(name, undefined)) kept.push(name);
  }
  return kept;
}
