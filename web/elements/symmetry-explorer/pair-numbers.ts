import { formatNumber } from '../../charts/number-format.js';

const usualDecimals = 3;
/** If two float32 values differ, nine significant digits show it. */
const mostDecimals = 9;

/** Two values side by side; different numbers are written with as many decimals as it takes to see the difference. */
export function pairNumbers(one: number, other: number): readonly [string, string] {
  let decimals = usualDecimals;
  const written = (): readonly [string, string] => [formatNumber(one, { decimals }), formatNumber(other, { decimals })];
  let pair = written();
  while (one !== other && pair[0] === pair[1] && decimals < mostDecimals) {
    decimals += 1;
    pair = written();
  }
  return pair;
}
