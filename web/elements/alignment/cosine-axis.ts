import { circle, diamond } from '../../charts/drawing.js';
import { formatNumber } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import type { AlignmentStrings } from './alignment.strings.js';
import { comparisons } from './compared-tables.js';
import type { Measured } from './tables.js';

export const cosine = (value: number): string => formatNumber(value, { decimals: 2 });
const precise = (value: number | undefined): string =>
  value === undefined ? '–' : formatNumber(value, { decimals: 3 });

/** A mean cosine below 0 is drawn at the end of the axis; the text states the number. */
const drawn = (value: number): number => Math.max(0, Math.min(1, value));

/**
 * The agreement of each comparison, its chance level if `chance`, and the agreement on held-out tokens, on one axis from 0 to
 * 1.
 */
export function cosineAxis(options: {
  readonly texts: AlignmentStrings;
  readonly measured: Measured;
  readonly chance: boolean;
  readonly width: number;
}): Plot {
  const { texts, measured, chance, width } = options;
  const rows = comparisons.map(({ id }) => ({
    id,
    ...measured.pairs[id].alignment,
    overlap: measured.pairs[id].overlap,
  }));
  return plot({
    rows,
    width,
    x: { domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: String },
    y: { each: 46, above: 14, name: ({ id }) => texts.pairs[id] },
    marks: ({ dots }) => [
      dots({
        x: ({ meanCosine }) => drawn(meanCosine),
        ...{ look: 'fit', rowLook: ({ id }) => id, sign: circle(6), key: texts.fitKey },
      }),
      measured.question.holdOut &&
        dots({
          x: (row) => row.heldOut && drawn(row.heldOut.meanCosine),
          ...{ look: 'held-out', rowLook: ({ id }) => id, sign: diamond(6), key: texts.heldOutKey },
        }),
      chance && dots({ x: (row) => drawn(row.null.meanCosine), look: 'chance', sign: circle(5), key: texts.chanceKey }),
    ],
    describe: (row) => {
      const byChance = chance ? texts.rowChance(cosine(row.null.meanCosine)) : '';
      const unseen = row.heldOut === null ? '' : texts.rowHeldOut(cosine(row.heldOut.meanCosine));
      return texts.row(texts.pairs[row.id], cosine(row.meanCosine), byChance + unseen);
    },
    label: texts.axisLabel,
    caption: texts.dataPairs,
    head: texts.dataPairsHead,
    cells: (row) => {
      const agreement = [row.meanCosine, row.null.meanCosine, row.heldOut?.meanCosine];
      return [texts.pairs[row.id], ...[...agreement, row.overlap.overlap, row.overlap.null].map(precise)];
    },
    without: chance ? [] : [2, 5],
  });
}
