import { formatNumber } from '../../../charts/number-format.js';

/** A number in a table of data. */
export const four = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : formatNumber(value, { decimals: 4 });
