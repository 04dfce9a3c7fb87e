/**
 * Maps data to drawing units and back. Ticks come from d3-array; the maps are two lines each, and d3-scale would
 * weigh ten times as much as everything else the charts use.
 */

export interface Scale {
  readonly kind: 'linear' | 'log';
  readonly domain: readonly [number, number];
  readonly range: readonly [number, number];
  /** Data to drawing. Of a log scale: not a number for data at or below zero. */
  position(value: number): number;
  /** Drawing to data. */
  invert(position: number): number;
}

/** position = r0 + (v - d0) (r1 - r0) / (d1 - d0). A domain without width maps everything to the middle. */
export function linearScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [d0, d1] = domain;
  const [r0, r1] = range;
  const span = d1 - d0;
  return {
    kind: 'linear',
    domain,
    range,
    position: (value) => (span === 0 ? (r0 + r1) / 2 : r0 + ((value - d0) / span) * (r1 - r0)),
    invert: (position) => (r1 === r0 ? d0 : d0 + ((position - r0) / (r1 - r0)) * span),
  };
}

/** The same on logarithms; both ends of the domain must be above zero. */
export function logScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  if (!(domain[0] > 0 && domain[1] > 0)) {
    throw new RangeError(
      `domain of a log scale is [${String(domain[0])}, ${String(domain[1])}]; expected two numbers above 0`,
    );
  }
  const inner = linearScale([Math.log(domain[0]), Math.log(domain[1])], range);
  return {
    kind: 'log',
    domain,
    range,
    position: (value) => (value > 0 ? inner.position(Math.log(value)) : Number.NaN),
    invert: (position) => Math.exp(inner.invert(position)),
  };
}

/** Smallest and largest of the finite numbers, or null where there is none. */
export function extent(values: Iterable<number>): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}
