/** A share that is not quite none or all is not called so. */
export function percent(share: number): string {
  if (share < 0.0005) return '< 0.1%';
  return share > 0.9995 ? '> 99.9%' : `${(100 * share).toFixed(1)}%`;
}

/** The same in a sentence. */
export const percentInWords = (share: number): string =>
  percent(share).replace('<', 'less than').replace('>', 'more than');
