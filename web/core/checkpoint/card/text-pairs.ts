/** The pairs of a text, limited to so few tokens that their rows can be read one by one. */
import { MOST_TOKENS } from './identity-options.js';

const MOST_NEXT = 2048;

export interface TextPairs {
  /** Different tokens, ascending. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** For each pair, the indices of its tokens in these lists. */
  readonly pairs: readonly (readonly [from: number, to: number])[];
  readonly leftOut: number;
}

export function pairsOf(text: Uint32Array): TextPairs {
  const [from, to] = [new Set<number>(), new Set<number>()];
  const kept: [number, number][] = [];
  for (let i = 0; i + 1 < text.length; i++) {
    const [one, other] = [text[i]!, text[i + 1]!];
    const fits = (from.has(one) || from.size < MOST_TOKENS) && (to.has(other) || to.size < MOST_NEXT);
    if (!fits) continue;
    from.add(one);
    to.add(other);
    kept.push([one, other]);
  }
  const lists = [from, to].map((ids) => Uint32Array.from(ids).sort()) as [Uint32Array, Uint32Array];
  const places = lists.map((ids) => new Map([...ids].map((id, i) => [id, i])));
  return {
    from: lists[0],
    to: lists[1],
    pairs: kept.map(([one, other]) => [places[0]!.get(one)!, places[1]!.get(other)!]),
    leftOut: Math.max(0, text.length - 1) - kept.length,
  };
}
