import { formatNumber } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { halfWidth } from '../shared/columns.js';
import { twinKinds } from '../shared/model-twins.js';
import type { LensStrings } from './lens.strings.js';
import type { Measured } from './measure.js';

export const bits = (value: number): string => formatNumber(value, { decimals: value < 10 ? 2 : 1 });
const nats = (value: number): string => formatNumber(value, { decimals: 2 });

/** What the drawings show. */
export interface View {
  readonly texts: LensStrings;
  readonly measured: Measured;
  /** The chosen position, from 0. */
  readonly at: number;
  readonly chance: boolean;
  readonly width: number;
}

/**
 * A bar for each model and layer, with the last layer on top, as in the grids of tokens: how far the layer is from the answer, or
 * how much leaving it out adds to the loss. `chance` also shows how near a layer comes without telling any tokens apart.
 */
export function layerBars({ texts, measured, chance, width: all }: View, shown: 'divergence' | 'increase'): Plot {
  const isDivergence = shown === 'divergence';
  const [measures, first, number] = isDivergence ? [measured.means, 0, bits] : [measured.increases, 1, nats];
  const [sentence, caption] = isDivergence ? [texts.bar, texts.dataBits] : [texts.increaseBar, texts.dataIncreases];
  const levels = isDivergence && chance ? measured.chance : null;
  const chanceWords = levels === null ? '' : texts.byChance(number(levels.tied), number(levels.untied));
  const last = measured.means.tied.length - 1;
  const width = halfWidth(all);
  const narrow = width < 420;
  return plot({
    rows: measures.tied
      .map((tied, at) => ({ layer: first + at, values: { tied, untied: measures.untied[at]! } }))
      .reverse(),
    width,
    // The numbers have their own column, because beside the bars they look like chance levels.
    margin: { left: narrow ? 46 : 110, right: 48, top: 2 },
    x: { include: [0], ticks: [0], format: () => '' },
    y: {
      each: 34,
      look: 'faint',
      name: ({ layer }) => (narrow ? texts.shortLayer(layer) : texts.layer(layer, last)),
    },
    marks: ({ bars, ticks, words }) =>
      twinKinds.flatMap((kind, index) => {
        const dy = 13 * index - 6.5;
        const level = { x: () => levels![kind], ...(index === 0 ? { key: texts.chanceKey } : {}) };
        return [
          words({ x: 'end', dy, look: `value ${kind}`, text: ({ values }) => number(values[kind]) }),
          levels && ticks({ ...level, dy, height: 13, look: 'chance' }),
          bars({ x: ({ values }) => values[kind], dy, height: 11, look: `bar ${kind}`, key: texts.models[kind] }),
        ];
      }),
    describe: ({ layer, values }) =>
      twinKinds.map((kind) => sentence(texts.models[kind], texts.layer(layer, last), number(values[kind]))).join(' '),
    label: (layers) => [layers, chanceWords].filter(Boolean).join(' '),
    caption,
    head: ['', ...twinKinds.map((kind) => texts.models[kind])],
    cells: ({ layer, values }) => [texts.layer(layer, last), ...twinKinds.map((kind) => number(values[kind]))],
  });
}
