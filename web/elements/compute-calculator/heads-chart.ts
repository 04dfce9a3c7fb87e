import { html, nothing, svg, type TemplateResult } from 'lit';
import { barChart } from '../../charts/bar-chart.js';
import type { HeadCost } from '../../core/accounting-types.js';
import type { NumberEvent } from '../shared/number-field.js';
import { macsText, percentText } from './amounts.js';
import type { ComputeCalculatorStrings } from './compute-calculator.strings.js';
import type { CompleteHeadSizes, HeadSizes } from './batch.js';

/** The full softmax over the vocabulary and its alternatives. */
export interface HeadsChart {
  readonly texts: ComputeCalculatorStrings;
  readonly width: number;
  readonly vocabSize: number;
  readonly sizes: CompleteHeadSizes;
  readonly heads: readonly HeadCost[];
  readonly onSizes: (change: HeadSizes) => void;
}

export function headsChart(chart: HeadsChart): TemplateResult {
  return html`${headFields(chart)}${headBars(chart)}`;
}

function headFields({ texts, sizes, vocabSize, heads, onSizes }: HeadsChart): TemplateResult {
  const [first, second] = sizes.adaptive;
  const field = (
    id: string,
    label: string,
    value: number,
    [min, max]: [number, number],
    change: (value: number) => HeadSizes,
  ) =>
    html`<tied-number-field
      id=${id}
      whole
      .label=${label}
      .value=${value}
      .min=${min}
      .max=${max}
      .step=${Math.max(1, Number((value / 50).toPrecision(1)))}
      @tied-number=${(event: NumberEvent) => {
        event.stopPropagation();
        onSizes(change(event.detail.value));
      }}
    ></tied-number-field>`;
  return html`
    <div class="fields">
      ${field('sampled', texts.sampledField, sizes.sampled, [1, vocabSize - 1], (sampled) => ({ sampled }))}
      ${
        heads.some(({ kind }) => kind === 'adaptive')
          ? html`
              ${field('adaptive-first', texts.adaptiveFirst, first, [1, second - 1], (value) => ({ adaptive: [value, second] }))}
              ${field('adaptive-second', texts.adaptiveSecond, second, [first + 1, vocabSize - 1], (value) => ({ adaptive: [first, value] }))}
            `
          : nothing
      }
      ${field('culled', texts.culledField, sizes.culled, [1, vocabSize], (culled) => ({ culled }))}
      ${field('clustered', texts.clusteredField, sizes.clustered, [1, vocabSize], (clustered) => ({ clustered }))}
    </div>
  `;
}

function headBars({ texts, width, heads }: HeadsChart): TemplateResult {
  const roomy = width >= 560;
  const rowName = ({ kind }: HeadCost): string => {
    const note = texts.headNote(kind);
    return note === '' || !roomy ? texts.headName(kind) : `${texts.headName(kind)}: ${note}`;
  };
  const drawing = barChart({
    width,
    max: Math.max(1, ...heads.map(({ shareOfFull }) => shareOfFull)),
    axis: false,
    barHeight: 14,
    bars: heads.map(({ kind, shareOfFull }) => ({ id: kind, segments: [{ id: kind, value: shareOfFull }] })),
  });
  const numbers = heads.map(({ shareOfFull, macs }) =>
    texts.headNumbers(percentText(shareOfFull), macsText(macs.total)),
  );
  const label = heads.map((head, at) => `${rowName(head)}: ${numbers[at] ?? ''}`).join('. ');
  return html`
    <div class="head-bars">
      <svg data-picture role="img" aria-label=${label} width=${drawing.width} height=${drawing.height}>
        ${drawing.bars.map((bar, at) => {
          const head = heads[at];
          return svg`
            <text x="0" y=${bar.nameY}>${head === undefined ? '' : rowName(head)}</text>
            <text class="number" x=${drawing.width} y=${bar.nameY} text-anchor="end">${numbers[at]}</text>
            <rect class="track" x="0.5" y=${bar.y + 0.5} width=${drawing.width - 1} height=${drawing.barHeight - 1}></rect>
            ${bar.segments.map(
              (segment) =>
                svg`<rect class="head-bar ${head?.exact === false ? 'inexact' : ''}" x=${segment.x} y=${bar.y} width=${Math.max(1, segment.width)} height=${drawing.barHeight}></rect>`,
            )}`;
        })}
      </svg>
    </div>
    ${
      roomy
        ? nothing
        : html`<ul class="notes" data-picture>
            ${heads
              .filter(({ kind }) => texts.headNote(kind) !== '')
              .map(({ kind }) => html`<li>${texts.headName(kind)}: ${texts.headNote(kind)}</li>`)}
          </ul>`
    }
  `;
}
