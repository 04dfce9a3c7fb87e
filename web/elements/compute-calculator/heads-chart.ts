import { html, nothing, type TemplateResult } from 'lit';
import type { HeadCost } from '../../core/accounting/types.js';
import { plot } from '../../charts/plot.js';
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
  const numbersOf = ({ shareOfFull, macs }: HeadCost): string =>
    texts.headNumbers(percentText(shareOfFull), macsText(macs.total));
  const { drawing } = plot({
    rows: heads,
    width,
    margin: { left: 1, right: 1, top: 0 },
    x: { domain: [0, Math.max(1, ...heads.map(({ shareOfFull }) => shareOfFull))], ticks: [] },
    y: { each: 48, above: 20, look: '', name: rowName, end: numbersOf, endLook: () => 'number' },
    marks: ({ stack }) => [
      stack({
        parts: ({ exact, shareOfFull }) => [{ look: `head-bar ${exact ? '' : 'inexact'}`, value: shareOfFull }],
        ...{ height: 14, track: true, least: 1 },
      }),
    ],
    describe: (head) => `${rowName(head)}: ${numbersOf(head)}`,
    between: '. ',
  });
  return html`
    <div class="head-bars">${drawing}</div>
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
