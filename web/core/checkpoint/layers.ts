/** The layers that a model's names number. */
import { isInLayer, isOfOtherPart } from './families.js';

export interface Layers {
  readonly from: number;
  readonly to: number;
  readonly gap: boolean;
}

const NUMBERED = /^(.*?(?:layers?|blocks?|blk|cells?|encoder|decoder|transformer|stack|(?:^|[./])h))[./_]?(\d+)[./_]/;

/** The longest range of layers; of an encoder and a decoder, both are ranges of their own. Null: there are none. */
export function layersOf(names: readonly string[]): Layers | null {
  const stacks = new Map<string, Set<number>>();
  for (const name of names) {
    if (!isInLayer(name) || isOfOtherPart(name)) continue;
    const [, stack, number] = NUMBERED.exec(name) ?? [];
    const key = stack ?? '';
    const numbers = stacks.get(key) ?? new Set<number>();
    numbers.add(Number(number ?? 0));
    stacks.set(key, numbers);
  }
  let longest: Set<number> | null = null;
  for (const numbers of stacks.values()) if (longest === null || numbers.size > longest.size) longest = numbers;
  if (longest === null) return null;
  const [from, to] = [Math.min(...longest), Math.max(...longest)];
  return { from, to, gap: from > 0 || to - from + 1 > longest.size };
}
