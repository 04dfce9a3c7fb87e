import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { pairKinds } from '../shared/model-pair.js';
import type { LensStrings } from './lens.strings.js';
import type { Measured, PerModel } from './measure.js';

export const bits = (value: number): string => formatNumber(value, { decimals: value < 10 ? 2 : 1 });
export const nats = (value: number): string => formatNumber(value, { decimals: 2 });

export interface LayersView {
  readonly texts: LensStrings;
  readonly measured: Measured;
  readonly chance: boolean;
  readonly width: number;
}

interface Bars {
  /** A number for each layer, from the layer `first` on. */
  readonly measures: PerModel<readonly number[]>;
  readonly first: number;
  readonly number: (value: number) => string;
  /** A number in words. */
  readonly bar: (model: string, layer: string, number: string) => string;
  /** Drawn across the bars of each model; null: not drawn. */
  readonly chance: PerModel<number> | null;
  readonly caption: string;
}

/** A bar for each model and layer, with the last layer on top, as in the grids of tokens. */
function layerBars({ texts, measured, width }: LayersView, bars: Bars): Plot {
  const { measures, first, number, bar, chance, caption } = bars;
  const last = measured.means.tied.length - 1;
  const narrow = width < 420;
  const layers = measures.tied
    .map((tied, at) => ({ layer: first + at, values: { tied, untied: measures.untied[at]! } }))
    .reverse();
  const chanceWords = chance === null ? '' : texts.byChance(number(chance.tied), number(chance.untied));
  return plot({
    rows: layers,
    width,
    // The numbers have their own column, because beside the bars they look like chance levels.
    margin: { left: narrow ? 46 : 110, right: 48, top: 2 },
    x: { include: [0], ticks: [0], format: () => '' },
    y: {
      each: 34,
      look: 'faint',
      name: ({ layer }) => (narrow ? texts.shortLayer(layer) : texts.layer(layer, last)),
    },
    marks: ({ bars: barsOf, ticks, words }) =>
      pairKinds.flatMap((kind, index) => {
        const dy = 13 * index - 6.5;
        return [
          words({ x: 'end', dy, look: `value ${kind}`, text: ({ values }) => number(values[kind]) }),
          chance &&
            ticks({
              x: () => chance[kind],
              dy,
              height: 13,
              look: 'chance',
              ...(index === 0 ? { key: texts.chanceKey } : {}),
            }),
          barsOf({ x: ({ values }) => values[kind], dy, height: 11, look: `bar ${kind}`, key: texts.models[kind] }),
        ];
      }),
    describe: ({ layer, values }) =>
      pairKinds.map((kind) => bar(texts.models[kind], texts.layer(layer, last), number(values[kind]))).join(' '),
    label: (layers) => [layers, chanceWords].filter(Boolean).join(' '),
    caption,
    head: ['', ...pairKinds.map((kind) => texts.models[kind])],
    cells: ({ layer, values }) => [texts.layer(layer, last), ...pairKinds.map((kind) => number(values[kind]))],
  });
}

/** How far each layer is from the answer. With `chance`, also the level that a layer reaches without telling any tokens apart. */
export function divergenceBars(view: LayersView): Plot {
  const { texts, measured, chance } = view;
  const { means: measures } = measured;
  const levels = chance ? measured.chance : null;
  return layerBars(view, { measures, first: 0, number: bits, bar: texts.bar, chance: levels, caption: texts.dataBits });
}

/** How much leaving out each layer adds to the loss. */
export function increaseBars(view: LayersView): Plot {
  const { texts, measured } = view;
  const { increases: measures } = measured;
  const { increaseBar: bar, dataIncreases: caption } = texts;
  return layerBars(view, { measures, first: 1, number: nats, bar, chance: null, caption });
}

/** Both, side by side if they fit. */
export function layerCharts(view: LayersView): TemplateResult {
  const { texts, measured } = view;
  const divergence = divergenceBars(view);
  return html`
    <div>
      <p class="part-title" data-picture>${texts.barsTitle(formatWhole(measured.measuredTokens))}</p>
      ${divergence.key} ${divergence.drawing}
    </div>
    <div>
      <p class="part-title" data-picture>${texts.increasesTitle}</p>
      ${increaseBars(view).drawing}
    </div>
  `;
}
