import { html, nothing, svg, type TemplateResult } from 'lit';
import { barChart } from '../../charts/bar-chart.js';
import type { HeadCost } from '../../core/accounting-types.js';
import type { Content } from '../shared/figure.js';
import { renderPanel } from '../shared/settings/panel.js';
import { macsText, percentText } from './amounts.js';
import type { ComputeCalculatorStrings } from './compute-calculator.strings.js';
import type { CompleteHeadSizes, HeadSizes } from './batch.js';
import { headFields, headsPanel } from './compute-calculator.settings.js';

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
  return html`${fields(chart)}${headBars(chart)}`;
}

function fields({ texts, sizes, vocabSize, heads, onSizes }: HeadsChart): Content {
  const [adaptiveFirst, adaptiveSecond] = sizes.adaptive;
  const hasAdaptive = heads.some(({ kind }) => kind === 'adaptive');
  const change = ({
    adaptiveFirst: first,
    adaptiveSecond: second,
    ...sized
  }: Readonly<Record<string, number>>): void => {
    const moved = first !== undefined || second !== undefined;
    onSizes(moved ? { adaptive: [first ?? adaptiveFirst, second ?? adaptiveSecond] } : sized);
  };
  const values = { ...sizes, adaptiveFirst, adaptiveSecond, vocabSize, hasAdaptive };
  return renderPanel(headFields, headsPanel, { texts, values, change });
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
