import { html, nothing, type TemplateResult } from 'lit';
import type { HeadCost } from '../../core/accounting/types.js';
import { barsPicture } from '../shared/bars.js';
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
  const bars = heads.map((head) => ({
    name: rowName(head),
    number: texts.headNumbers(percentText(head.shareOfFull), macsText(head.macs.total)),
    parts: [{ look: `head-bar ${head.exact ? '' : 'inexact'}`, value: head.shareOfFull }],
  }));
  const max = Math.max(1, ...heads.map(({ shareOfFull }) => shareOfFull));
  return html`
    <div class="head-bars">
      ${barsPicture({ width, max, axis: false, barHeight: 14, track: true, leastWidth: 1, bars })}
    </div>
    ${
      roomy
        ? nothing
        : html`<ul class="notes aside" data-picture>
            ${heads
              .filter(({ kind }) => texts.headNote(kind) !== '')
              .map(({ kind }) => html`<li>${texts.headName(kind)}: ${texts.headNote(kind)}</li>`)}
          </ul>`
    }
  `;
}
