import { formatNumber } from '../../charts/number-format.js';
import { angleOfCosine } from '../../charts/right-triangle.js';

export const ratio = (value: number): string => formatNumber(value);
export const cosine = (value: number): string => formatNumber(value, { decimals: 2 });
export const degrees = (cosine: number): string => `${formatNumber(angleOfCosine(cosine), { decimals: 0 })}°`;
