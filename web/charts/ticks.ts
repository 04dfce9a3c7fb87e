import { formatCompact, formatNumber } from './number-format.js';
import type { Scale } from './scale.js';

export interface Tick {
  readonly value: number;
  readonly position: number;
  readonly label: string;
}

/** Few, round ticks within the scale's domain: about `count`, or decades on a log scale. */
export function scaleTicks(scale: Scale, count: number): Tick[] {
  const format = scale.tickFormat(count);
  // d3 leaves labels empty that would crowd a log axis.
  const values = scale.ticks(count).filter((value) => format(value) !== '');
  return values.map((value) => ({ value, position: scale(value), label: tickLabel(value, scale, format) }));
}

function tickLabel(value: number, scale: Scale, format: (value: number) => string): string {
  if (Math.abs(value) >= 10_000) return formatCompact(value).replace(/\.0(?=\D*$)/, '');
  // d3 would write a log scale's ticks with SI prefixes, 0.05 as "50m".
  return 'base' in scale ? formatNumber(value) : format(value);
}
