import type { TokenPair } from '../../core/types.js';

/** Ids of the `most` most frequent tokens, without those that never occur; most frequent first, ties by id. */
export function mostFrequent(frequencies: ArrayLike<number>, most: number): Uint32Array {
  const ids = Array.from(frequencies, (_, id) => id).filter((id) => (frequencies[id] ?? 0) > 0);
  ids.sort((a, b) => (frequencies[b] ?? 0) - (frequencies[a] ?? 0) || a - b);
  return Uint32Array.from(ids.slice(0, most));
}

/** A pair by its tokens' names; another text may have them under other ids. */
export interface PairNames {
  readonly from: string;
  readonly to: string;
}

/** How the tokens of the maps are chosen and ordered. */
export type TokenOrder = 'one-way' | 'frequency';

/** What the maps show. */
export type MapQuantity = 'probabilities' | 'logits';

export interface MapTokens {
  /** Ids, most frequent first. */
  readonly mapIds: Uint32Array;
  /** Positions in `mapIds` in the order in which they are drawn. */
  readonly orders: Readonly<Record<TokenOrder, readonly number[]>>;
}

/** The tokens worth drawing: those of one-way pairs, side by side, and the most frequent ones; `most` in total. */
export function mapTokens(pairs: readonly TokenPair[], frequencies: ArrayLike<number>, most: number): MapTokens {
  // A pair may be a token and itself.
  const paired = [...new Set(pairs.flatMap(({ from, to }) => [from, to]))].slice(0, most - (most % 2));
  const chosen = new Set(paired);
  for (const id of mostFrequent(frequencies, most)) if (chosen.size < most) chosen.add(id);
  const mapIds = mostFrequent(frequencies, frequencies.length).filter((id) => chosen.has(id));
  const position = new Map(Array.from(mapIds, (id, at) => [id, at]));
  const everyPosition = Array.from(mapIds.keys());
  const oneWay = new Set(paired.map((id) => position.get(id) ?? 0));
  return {
    mapIds,
    orders: {
      'one-way': [...oneWay, ...everyPosition.filter((at) => !oneWay.has(at))],
      frequency: everyPosition,
    },
  };
}

export interface MapChoice {
  readonly tokens: readonly string[];
  readonly frequencies: ArrayLike<number>;
  /** One-way pairs of the text, best first. */
  readonly pairs: readonly TokenPair[];
  /** The pair that the reader looks at, if any. */
  readonly wanted: PairNames | null;
  readonly most: number;
}

/** The pair to look at, and the tokens of the maps, including those of the pair. */
export function mapTokensWithPair(choice: MapChoice): MapTokens & { readonly pair: TokenPair } {
  const { tokens, frequencies, pairs, wanted, most } = choice;
  const named = wanted && { from: tokens.indexOf(wanted.from), to: tokens.indexOf(wanted.to) };
  const occurs = (id: number): boolean => (frequencies[id] ?? 0) > 0;
  const chosen = named && occurs(named.from) && occurs(named.to) ? named : null;
  const known = chosen === null || pairs.some(({ from, to }) => from === chosen.from && to === chosen.to);
  // The wanted pair comes last, so the maps of a text start the same for everybody.
  const found = mapTokens(known ? pairs : [...pairs, chosen], frequencies, most);
  const { mapIds } = found;
  return { ...found, pair: chosen ?? pairs[0] ?? { from: mapIds[0] ?? 0, to: mapIds[1] ?? 1 } };
}
