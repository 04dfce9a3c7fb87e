import { svg } from 'lit';
import { circle } from '../../charts/drawing.js';
import { formatNumber } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { wholePercent } from '../shared/in-words.js';
import { textOrders, type TextOrder } from './bigrams.settings.js';
import type { BigramsStrings } from './bigrams.strings.js';
import type { MeasuredOrder, MeasuredText } from './measured-text.js';

export const nats = (value: number): string => formatNumber(value, { decimals: 3 });
export const plusMinus = ({ mean, standardDeviation }: MeasuredOrder['null']): string =>
  [mean, standardDeviation].map((value) => formatNumber(value, { decimals: 4 })).join('\u00a0±\u00a0');

/** A null is drawn with two standard deviations on either side. */
const deviations = [-2, 2];

/** JS of each order of the text with its null, on one axis from 0 to ln 2; orders that are not measured yet have a name only. */
export function irreversibilityAxis(options: {
  readonly texts: BigramsStrings;
  readonly orders: MeasuredText['orders'];
  readonly order: TextOrder;
  readonly width: number;
  /** Whether the nulls are shown. */
  readonly chance: boolean;
}): Plot {
  const { texts, orders, order: chosen, width, chance } = options;
  const shareOf = ({ share }: MeasuredOrder): string => texts.share(wholePercent(share));
  const ticks = width < 480 ? [0, 0.2, 0.4] : [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
  return plot({
    rows: textOrders.map((order) => ({ order, found: orders[order] })),
    width,
    margin: { left: 88, right: 52, top: 22 },
    x: {
      domain: [0, Math.LN2],
      ticks: [...ticks, Math.LN2],
      format: (tick) => (tick === Math.LN2 ? 'ln 2' : String(tick)),
    },
    y: {
      each: 30,
      look: ({ order }) => (order === chosen ? 'name chosen' : 'name'),
      name: ({ order }) => texts.textOrders[order],
      end: ({ found }) => found && shareOf(found),
    },
    marks: ({ dots, rules, bars }) => [
      dots({ x: ({ found }) => found?.js ?? null, look: 'js', sign: circle(5), key: texts.textKey }),
      rules({ x: ({ found }) => (found ? [chance ? found.null.mean : 0, found.js] : null), look: 'excess' }),
      chance &&
        bars({
          x: ({ found }) =>
            found ? deviations.map((side) => Math.max(0, found.null.mean + side * found.null.standardDeviation)) : null,
          ...{ look: 'null', height: 18, least: 3, key: texts.nullKey },
        }),
      {
        draw: ({ x }) => svg`
          <text class="faint" x=${x(0)} y="12">${texts.reversible}</text>
          <text class="faint" x=${x(Math.LN2)} y="12" text-anchor="end">${texts.oneWay}</text>
          <text class="faint" x=${width} y="12" text-anchor="end">${texts.shareTitle}</text>`,
      },
    ],
    describe: ({ order, found }) =>
      found ? texts.row(texts.textOrders[order], nats(found.js), plusMinus(found.null), shareOf(found)) : '',
    label: texts.axisLabel,
    caption: texts.dataOrders,
    head: texts.dataHead,
    cells: ({ order, found }) => {
      if (found === undefined) return [];
      const { mean, standardDeviation } = found.null;
      const numbers = [found.js, mean, standardDeviation, found.heldOut, found.mutualInformation];
      return [texts.textOrders[order], ...numbers.map(nats), shareOf(found)];
    },
    without: chance ? [] : [2, 3],
  });
}
