import { tickStep, ticks } from 'd3-array';
import { formatCompact, formatNumber } from './number-format.js';
import type { Scale } from './scale.js';

export interface Tick {
  readonly value: number;
  readonly position: number;
  readonly label: string;
}

/** Widens a domain to round ends, `count` being about how many steps it should have. */
export function niceDomain([low, high]: readonly [number, number], count = 5): [number, number] {
  if (low === high) return low === 0 ? [0, 1] : [Math.min(0, 2 * low), Math.max(0, 2 * high)];
  const step = tickStep(low, high, count);
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
}

/** Digits after the point that tell ticks of this step apart. */
const decimalsOf = (step: number): number => Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));

/** Few, round ticks within the scale's domain; about `count` of them. */
export function scaleTicks(scale: Scale, count: number, options: { compact?: boolean; locale?: string } = {}): Tick[] {
  return scale.kind === 'log' ? logTicks(scale, count, options) : linearTicks(scale, count, options);
}

function linearTicks(
  scale: Scale,
  count: number,
  { compact = false, locale }: { compact?: boolean; locale?: string },
): Tick[] {
  const [low, high] = scale.domain;
  const decimals = decimalsOf(tickStep(low, high, count));
  const format = { decimals, ...(locale === undefined ? {} : { locale }) };
  return ticks(low, high, count).map((value) => ({
    value,
    position: scale.position(value),
    label: compact && Math.abs(value) >= 10_000 ? trimmedCompact(value, locale) : formatNumber(value, format),
  }));
}

/** Powers of ten, with 2 and 5 between them where there are few decades. */
function logTicks(scale: Scale, count: number, { locale }: { locale?: string }): Tick[] {
  const [low, high] = scale.domain;
  const decades = Math.log10(high / low);
  const steps = decades * 3 <= count ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / count));
  const found: Tick[] = [];
  const first = Math.floor(Math.log10(low) + 1e-9);
  for (let power = first; 10 ** power <= high * (1 + 1e-9); power++) {
    if ((power - first) % every !== 0) continue;
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      found.push({
        value,
        position: scale.position(value),
        label: value >= 10_000 ? trimmedCompact(value, locale) : formatNumber(value, { significant: 1 }),
      });
    }
  }
  return found;
}

const trimmedCompact = (value: number, locale?: string): string =>
  formatCompact(value, locale === undefined ? {} : { locale }).replace(/[.,]0(?=\D*$)/, '');
