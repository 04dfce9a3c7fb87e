import { formatNumber } from '../../charts/number-format.js';

/** A share in whole percent, without the sign. */
export const wholePercent = (share: number): string => formatNumber(100 * share, { decimals: 0 });

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
