import { html, svg, type TemplateResult } from 'lit';
import { barChart } from '../../charts/bar-chart.js';
import { formatCompact } from '../../charts/number-format.js';
import { configurations, nominalSizes, shareOfNominal, type Compared, type CountedState } from './calculator-counts.js';
import { configurationName, percentOf, percentText } from './calculator-words.js';
import type { ParameterCalculatorStrings } from './parameter-calculator.strings.js';

/** What tying saves: for models of nominal size, and for a list of configurations that includes the reader's. */

export function renderNominal(
  texts: ParameterCalculatorStrings,
  width: number,
  counted: CountedState | null,
): TemplateResult {
  const saved = counted?.shared.count.saved ?? null;
  const shares = nominalSizes.map(({ name, size }) => ({
    name,
    share: saved === null ? 0 : Math.max(0, shareOfNominal(saved, size)),
  }));
  const drawing = barChart({
    width,
    max: 1,
    axis: false,
    bars: shares.map(({ name, share }) => ({ id: name, segments: [{ id: 'saved', value: share }] })),
  });
  const names = shares.map(({ name, share }) => ({
    text: texts.model(name),
    number:
      saved === null
        ? texts.waiting
        : share > 1
          ? texts.doesNotFit(percentText(share))
          : texts.percent(percentText(share)),
  }));
  const label = names.map(({ text, number }) => `${text}: ${number}`).join('. ');
  return html`
    <svg data-picture role="img" aria-label=${label} width=${drawing.width} height=${drawing.height}>
      ${drawing.bars.map(
        (bar, at) => svg`
          <rect class="track" x="0.5" y=${bar.y + 0.5} width=${drawing.width - 1} height=${drawing.barHeight - 1}></rect>
          <text x="0" y=${bar.nameY}>${names[at]?.text}</text>
          <text class="number words-tied" x=${drawing.width} y=${bar.nameY} text-anchor="end">${names[at]?.number}</text>
          ${bar.segments.map(
            (segment) =>
              svg`<rect class="bar bar-saved ${segment.cut ? 'cut' : ''}" x=${segment.x} y=${bar.y} width=${segment.width} height=${drawing.barHeight}></rect>`,
          )}`,
      )}
    </svg>
  `;
}

/** A model with its saving. */
interface Row {
  readonly name: string;
  readonly current: boolean;
  /** Null until counted. */
  readonly saving: { readonly saved: number; readonly ofTied: number; readonly ofUntied: number } | null;
}

export function savingRows(
  texts: ParameterCalculatorStrings,
  compared: Compared | null,
  counted: CountedState | null,
): Row[] {
  const own = counted?.shared.count ?? null;
  const current: Row = {
    name: texts.yourModel,
    current: true,
    saving: own === null ? null : savingOf(own),
  };
  const others = configurations.map((sizes): Row => {
    const found = compared?.rows.find(({ id }) => id === sizes.id);
    return {
      name: configurationName(texts, compared?.as ?? 'gpt-2', sizes),
      current: false,
      saving: found === undefined ? null : savingOf(found.count),
    };
  });
  return [current, ...others];
}

const savingOf = (count: {
  saved: number;
  savedOfStored: number;
  savedOfUntied: number;
}): NonNullable<Row['saving']> => ({
  saved: count.saved,
  ofTied: count.savedOfStored,
  ofUntied: count.savedOfUntied,
});

const nothingLess = (value: number): number => Math.max(0, value);

/** Saved parameters, one bar per model. */
export function renderSaved(texts: ParameterCalculatorStrings, width: number, rows: readonly Row[]): TemplateResult {
  const drawing = barChart({
    width,
    barHeight: 16,
    axis: false,
    endRoom: 76,
    // Rows are as high as those of the other drawing, which has two bars of 12 and a gap.
    nameHeight: 22,
    gap: 18,
    bars: rows.map(({ name, saving }) => ({
      id: name,
      segments: [{ id: 'saved', value: nothingLess(saving?.saved ?? 0) }],
    })),
  });
  const number = ({ saving }: Row): string => (saving === null ? texts.waiting : formatCompact(saving.saved));
  const label = rows.map((row) => `${row.name}: ${number(row)}`).join('. ');
  return html`
    <svg data-picture role="img" aria-label=${label} width=${drawing.width} height=${drawing.height}>
      ${drawing.bars.map((bar, at) => {
        const row = rows[at];
        if (row === undefined) return svg``;
        return svg`
          <text class=${row.current ? 'chosen' : ''} x="0" y=${bar.nameY}>${row.name}</text>
          ${bar.segments.map(
            (segment) =>
              svg`<rect class="bar bar-saved ${row.current ? '' : 'other'}" x=${segment.x} y=${bar.y} width=${segment.width} height=${drawing.barHeight}></rect>`,
          )}
          <text class="number words-tied" x=${bar.endX + 6} y=${bar.y + drawing.barHeight / 2} dominant-baseline="central">${number(row)}</text>`;
      })}
    </svg>
  `;
}

/** The same as fractions of the tied and of the untied model, two bars per model. */
export function renderShares(texts: ParameterCalculatorStrings, width: number, rows: readonly Row[]): TemplateResult {
  const drawing = barChart({
    width,
    barHeight: 12,
    axis: false,
    endRoom: 130,
    gap: 8,
    nameHeight: 22,
    bars: rows.flatMap(({ name, saving }) => [
      { id: name, segments: [{ id: 'of-tied', value: nothingLess(saving?.ofTied ?? 0) }] },
      {
        id: `${name} untied`,
        joined: true,
        segments: [{ id: 'of-untied', value: nothingLess(saving?.ofUntied ?? 0) }],
      },
    ]),
  });
  const words = ({ saving }: Row): [string, string] =>
    saving === null
      ? [texts.waiting, texts.waiting]
      : [texts.ofTiedShort(percentOf(texts, saving.ofTied)), texts.ofUntiedShort(percentOf(texts, saving.ofUntied))];
  const label = rows.map((row) => `${row.name}: ${words(row).join(', ')}`).join('. ');
  return html`
    <svg data-picture role="img" aria-label=${label} width=${drawing.width} height=${drawing.height}>
      ${drawing.bars.map((bar, at) => {
        const row = rows[Math.floor(at / 2)];
        if (row === undefined) return svg``;
        const second = at % 2;
        const role = second === 0 ? 'tied' : 'untied';
        return svg`
          ${second === 1 ? '' : svg`<text class=${row.current ? 'chosen' : ''} x="0" y=${bar.nameY}>${row.name}</text>`}
          ${bar.segments.map(
            (segment) =>
              svg`<rect class="bar bar-of-${role} ${row.current ? '' : 'other'}" x=${segment.x} y=${bar.y} width=${segment.width} height=${drawing.barHeight}></rect>`,
          )}
          <text class="share words-${role}" x=${bar.endX + 6} y=${bar.y + drawing.barHeight / 2} dominant-baseline="central">${words(row)[second]}</text>`;
      })}
    </svg>
  `;
}
