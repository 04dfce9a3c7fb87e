import { formatNumber } from '../../charts/number-format.js';

const usualDecimals = 3;
/** Float32 values that differ do so in nine significant digits. */
const mostDecimals = 9;

/** Two values side by side: numbers that differ are written with as many decimals as it takes to see that. */
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
