/** Whether one factor turns all numbers of one table into those of another one, up to rounding. */
import { isLeveled } from '../elements/leveled-blocks.js';
import type { Interval } from '../elements/originals.js';
import { isQuantized } from '../elements/stored-blocks.js';
import type { Part } from '../rows/stored-part.js';
import { forPieces, type PiecesOptions, type Way } from '../rows/table-pieces.js';
import type { StoredTensor } from '../tensors.js';

/** How exactly the numbers have to determine it, as a share of it: a few bits of both cannot do better. */
const EXACT = 0.5;

/** The factor from the first table to the second one; null if there is none. `seen`: elements that were read before, of which few have one. */
export async function factorBetween(
  tables: readonly [StoredTensor, StoredTensor],
  way: Way,
  options: PiecesOptions,
  seen: readonly [Part, Part] | null,
): Promise<number | null> {
  const search = new FactorSearch();
  if (seen !== null && !search.narrow(...seen)) return null;
  await forPieces(tables, way, options, (one, other) => search.narrow(one, other));
  return search.found();
}

class FactorSearch {
  /** All factors that are left. */
  #least = -Infinity;
  #most = Infinity;
  /** Their least size: what rounding to zero has hidden is no larger than that rounding. */
  #leastSize = 0;

  /** Whether any factor is left. */
  narrow(one: Part, other: Part): boolean {
    const [a, b] = [nearIn(one), nearIn(other)];
    for (let i = 0; i < one.values.length; i++) {
      if (Number.isNaN(one.values[i]) && Number.isNaN(other.values[i])) continue;
      if (!this.#allow(a(i), b(i))) return false;
    }
    return true;
  }

  found(): number | null {
    const [least, most] = [this.#least, this.#most];
    const factor = least / 2 + most / 2;
    const isExact = least <= most && most - least <= EXACT * Math.abs(factor);
    // Tables that are equal up to rounding differ in something else.
    return isExact && !(least <= 1 && 1 <= most) ? factor : null;
  }

  /** Narrows the factors to those that take a number of the first interval into the second one. */
  #allow(from: Interval, to: Interval): boolean {
    if (from.least > 0) this.#narrow(from.least, from.most, to.least, to.most);
    else if (from.most < 0) this.#narrow(-from.most, -from.least, -to.most, -to.least);
    else if (!(from.least <= 0 && from.most >= 0)) return false;
    else if (to.least > 0) this.#leastSize = Math.max(this.#leastSize, to.least / Math.max(-from.least, from.most));
    else if (to.most < 0) this.#leastSize = Math.max(this.#leastSize, -to.most / Math.max(-from.least, from.most));
    if (Math.max(-this.#least, this.#most) < this.#leastSize) return false;
    return this.#least <= this.#most;
  }

  /** 0 < a <= b. */
  #narrow(a: number, b: number, c: number, d: number): void {
    this.#least = Math.max(this.#least, c / (c >= 0 ? b : a));
    this.#most = Math.min(this.#most, d / (d >= 0 ? a : b));
    // NaN: not a number, or infinite.
    if (Number.isNaN(c) || Number.isNaN(d)) this.#most = -Infinity;
  }
}

function nearIn(part: Part): (i: number) => Interval {
  const { low, high, boundsOf } = part.originals('nearest');
  // Only at the ends of a range are they wider; of few levels, nothing is near.
  const { dtype } = part;
  if (isQuantized(dtype) && isLeveled(dtype)) return (i) => boundsOf(i).sure;
  return isQuantized(dtype) ? (i) => boundsOf(i).near : (i) => ({ least: low[i]!, most: high[i]! });
}
