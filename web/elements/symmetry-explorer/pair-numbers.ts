import { formatNumber } from '../../charts/number-format.js';

const usualDecimals = 3;
/** If two float32 values differ, nine significant digits show it. */
const mostDecimals = 9;

/** With fixed decimals, or as a power of ten where these would make it look like 0. */
function written(value: number, decimals: number): string {
  const fixed = formatNumber(value, { decimals });
  return value !== 0 && !/[1-9]/.test(fixed) ? formatNumber(value, { significant: 2 }) : fixed;
}

/**
 * Two values side by side; different numbers are written with as many decimals as it takes to see the difference, and no number
 * is rounded to 0.
 */
export function pairNumbers(one: number, other: number): readonly [string, string] {
  let decimals = usualDecimals;
  const pair = (): readonly [string, string] => [written(one, decimals), written(other, decimals)];
  while (one !== other && pair()[0] === pair()[1] && decimals < mostDecimals) decimals += 1;
  return pair();
}
