import { nice } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';

/** The used part of d3's scales, declared here so that the package's types do not depend on d3. */
export interface Scale {
  /** Data to drawing. On a log scale not finite for data at or below zero. */
  (value: number): number;
  /** Drawing to data. */
  invert(position: number): number;
  domain(): number[];
  ticks(count: number): number[];
  tickFormat(count: number): (value: number) => string;
}

export type ScaleKind = 'linear' | 'log';

/** An empty domain is drawn in the middle. Both ends of a log scale's domain must be positive; d3 would return NaN. */
export function makeScale(kind: ScaleKind, domain: readonly [number, number], range: readonly [number, number]): Scale {
  if (kind === 'linear') return scaleLinear(domain, range);
  if (!(domain[0] > 0 && domain[1] > 0)) {
    throw new RangeError(
      `domain of a log scale is [${String(domain[0])}, ${String(domain[1])}]; expected two numbers above 0`,
    );
  }
  return scaleLog(domain, range);
}

/** Extends a domain to round ends, with about `count` steps. */
export function niceDomain([low, high]: readonly [number, number], count = 5): [number, number] {
  if (low === high) return low === 0 ? [0, 1] : [Math.min(0, 2 * low), Math.max(0, 2 * high)];
  return nice(low, high, count);
}
