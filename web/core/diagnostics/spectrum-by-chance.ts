/** The theoretical spectrum of a table by chance. Shuffling the rows does not change it, so it cannot be measured that way. */
import { exp } from '../runtime/elementary.js';

export interface SpectrumByChance {
  /**
   * d n / (d + n), from the second moment of s² (Marchenko and Pastur, 1967). For normal entries, 1 over the mean of 1 / ratio
   * is (d n + 2) / (d + n + 1) for every d and n, from the second moment of a Wishart matrix.
   */
  participationRatio: number;
  /**
   * m e^(-m / 2M) with m the smaller and M the larger of d and n: their mean entropy is ln m - m / 2M (D. N. Page, Average entropy of a
   * subsystem, Phys. Rev. Lett. 71, 1291, 1993; arXiv gr-qc/9305007). Page's entries are complex; the leading order is the same.
   */
  effectiveRank: number;
}

/** For independent normal entries; `rows`: rows that vary freely, one fewer if the mean row was removed. NaN without any. */
export function spectrumByChance(rows: number, cols: number): SpectrumByChance {
  if (rows < 1) return { participationRatio: NaN, effectiveRank: NaN };
  const [fewer, more] = [Math.min(rows, cols), Math.max(rows, cols)];
  // These are for many rows and columns. With a single row or column all are 1, which is also the least that exists.
  return {
    participationRatio: Math.max(1, (cols * rows) / (cols + rows)),
    effectiveRank: Math.max(1, fewer * exp(-fewer / (2 * more))),
  };
}

/** IsoScore is a function of the participation ratio. NaN for one column. */
export const isoScoreByChance = ({ participationRatio }: SpectrumByChance, cols: number): number =>
  cols > 1 ? (participationRatio - 1) / (cols - 1) : NaN;
