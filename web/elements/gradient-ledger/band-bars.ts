import { svg } from 'lit';
import type { GradientBand } from '../../core/types.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { parts, type GradientLedgerStrings } from './gradient-ledger.strings.js';
import type { View } from './view.js';

/** Rows without any gradient have an exact 0, and rounded ones don't look like it. */
export const norm = (value: number): string => {
  if (value === 0) return '0';
  return value < 0.0005 ? '<\u00a00.001' : formatNumber(value, { decimals: 3 });
};

/** Between two bars of a band, from middle to middle. */
const step = 13;
const widestCount = 2 ** 31;

/** Width of the column with the names of bands. */
export const bandRoom = (width: number): number => (width < 420 ? 112 : 132);

export function bandName(texts: GradientLedgerStrings, { from, to }: Pick<GradientBand, 'from' | 'to'>): string {
  return to > widestCount ? texts.openBand(formatWhole(from)) : texts.band(formatWhole(from), formatWhole(to));
}

/** The name of the model whose bands are shown, and the step. */
export const nameOfModel = (
  texts: GradientLedgerStrings,
  { steps, model, at }: Pick<View, 'steps' | 'model' | 'at'>,
): string =>
  steps === null
    ? texts.givenModel(texts.names[model])
    : texts.modelAtStep(texts.names[model], formatWhole(steps[at]!));

/** For each band of tokens: the gradient through reading, and the two parts of the gradient through writing. */
export function bandBars(view: View): Plot {
  const { texts, measured, model, at, width } = view;
  const left = bandRoom(width);
  const nameOf = (band: GradientBand): string => bandName(texts, band);
  return plot({
    rows: measured.reports[model][at]!.bands,
    width,
    margin: { left, right: 50 },
    x: { include: [0], ticks: [0], format: () => '' },
    y: {
      each: 46,
      look: '',
      name: (band) =>
        svg`<tspan class="name" dy="-8">${nameOf(band)}</tspan><tspan class="faint" x=${left - 8} dy="16">${texts.rows(formatWhole(band.count))}</tspan>`,
    },
    marks: ({ bars, words }) =>
      parts.flatMap((part, index) => {
        const dy = (index - 1) * step;
        return [
          bars({ x: (band) => band[part], dy, height: 11, look: `${part} ${model}`, key: texts.parts[part] }),
          words({ x: (band) => band[part], dx: 5, dy, look: 'faint small', text: (band) => norm(band[part]) }),
        ];
      }),
    describe: (band) =>
      texts.bandLabel(nameOf(band), formatWhole(band.count), norm(band.input), norm(band.pull), norm(band.push)),
    caption: `${texts.dataBands} (${nameOfModel(texts, view)})`,
    head: texts.bandsHead,
    cells: (band) => [
      nameOf(band),
      formatWhole(band.count),
      ...parts.map((part) => norm(band[part])),
      formatWhole(band.pushedRows),
    ],
  });
}
