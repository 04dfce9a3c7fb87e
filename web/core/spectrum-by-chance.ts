/** What the spectrum of a table would be like by chance. An order of its rows at random has the same one, so this is theory. */

export interface SpectrumByChance {
  /** d n / (d + n), from the second moment of the singular values (Marchenko and Pastur, 1967). */
  participationRatio: number;
  /** m e^(-m / 2M) with m the smaller and M the larger of d and n, from their mean entropy (Page, 1993). */
  effectiveRank: number;
}

/** Of independent normal entries: `rows` that vary freely, one less where the mean row was removed. NaN without any. */
export function spectrumByChance(rows: number, cols: number): SpectrumByChance {
  if (rows < 1) return { participationRatio: NaN, effectiveRank: NaN };
  const [fewer, more] = [Math.min(rows, cols), Math.max(rows, cols)];
  return { participationRatio: (cols * rows) / (cols + rows), effectiveRank: fewer * Math.exp(-fewer / (2 * more)) };
}
