import { html, svg, type TemplateResult } from 'lit';
import type { GradientBand } from '../../core/types.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { makeScale } from '../../charts/scale.js';
import { drawing, keyEntry } from '../shared/drawing.js';
import { parts, type GradientLedgerStrings } from './gradient-ledger.strings.js';
import type { View } from './step-plot.js';

/** Rows without any gradient have an exact 0, and rounded ones don't look like it. */
export const norm = (value: number): string => {
  if (value === 0) return '0';
  return value < 0.0005 ? '<\u00a00.001' : formatNumber(value, { decimals: 3 });
};

const [barHeight, rowHeight, top, right] = [11, 46, 4, 50];
const widestCount = 2 ** 31;

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
export function bandBars({ texts, measured, steps, model, at, width }: View): TemplateResult {
  const { bands } = measured.reports[model][at]!;
  const left = width < 420 ? 112 : 132;
  const largest = Math.max(...bands.flatMap((band) => parts.map((part) => band[part])));
  const x = makeScale('linear', [0, largest === 0 ? 1 : largest], [left, width - right]);
  const height = top + bands.length * rowHeight;
  const modelName = nameOfModel(texts, { steps, model, at });
  const described = bands.map((band) =>
    texts.bandLabel(bandName(texts, band), formatWhole(band.count), norm(band.input), norm(band.pull), norm(band.push)),
  );
  return html`
    <p class="part-title" data-picture>${texts.bandsTitle(modelName)}</p>
    <div class="row note" data-picture>
      ${parts.map((part) =>
        keyEntry(
          svg`<g class=${model}><rect class=${part} y="2" width="14" height="10"></rect></g>`,
          texts.parts[part],
        ),
      )}
    </div>
    ${drawing(
      { label: described.join(' '), width, height },
      svg`
      <line class="grid" x1=${left} x2=${left} y1=${top} y2=${height}></line>
      ${bands.map((band, index) => {
        const y = top + index * rowHeight;
        return svg`<g class=${model}>
          <text class="name" x=${left - 8} y=${y + 18} text-anchor="end">${bandName(texts, band)}</text>
          <text class="faint" x=${left - 8} y=${y + 34} text-anchor="end">${texts.rows(formatWhole(band.count))}</text>
          ${parts.map((part, row) => {
            const from = y + 4 + row * (barHeight + 2);
            return svg`
              <rect class=${part} x=${left} y=${from} width=${Math.max(0, x(band[part]) - left)} height=${barHeight}></rect>
              <text class="faint small" x=${x(band[part]) + 5} y=${from + barHeight / 2} dominant-baseline="central">${norm(band[part])}</text>`;
          })}
        </g>`;
      })}
      `,
    )}
  `;
}
