import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import { makeScale } from '../../charts/scale.js';
import { drawing } from '../../charts/drawing.js';
import { wholePercent } from '../shared/in-words.js';
import { textOrders, type TextOrder } from './bigrams.settings.js';
import type { BigramsStrings } from './bigrams.strings.js';
import type { MeasuredOrder, MeasuredText } from './measured-text.js';

export const nats = (value: number): string => formatNumber(value, { decimals: 3 });
export const plusMinus = ({ mean, standardDeviation }: MeasuredOrder['null']): string =>
  [mean, standardDeviation].map((value) => formatNumber(value, { decimals: 4 })).join('\u00a0±\u00a0');

const [nameWidth, shareWidth] = [88, 52];
const [top, rowHeight, bottom] = [22, 30, 40];
/** A null is drawn with two standard deviations on either side, and never too narrow to see. */
const deviations = 2;
const narrowestBand = 3;

/** JS of each order of the text with its null, on one axis from 0 to ln 2. */
export function irreversibilityAxis(options: {
  readonly texts: BigramsStrings;
  readonly orders: MeasuredText['orders'];
  readonly order: TextOrder;
  readonly width: number;
  /** Whether the nulls are drawn. */
  readonly chance: 'shown' | 'hidden';
  /** Replaces the title during the measurement. */
  readonly progress: string | null;
}): TemplateResult {
  const { texts, orders, order: chosen, width, progress } = options;
  const chance = options.chance === 'shown';
  const scale = makeScale('linear', [0, Math.LN2], [nameWidth, width - shareWidth]);
  const height = top + textOrders.length * rowHeight + bottom;
  const end = top + textOrders.length * rowHeight;
  const ticks = width < 480 ? [0, 0.2, 0.4] : [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
  const described = textOrders.flatMap((order) => {
    const found = orders[order];
    if (found === undefined) return [];
    const share = texts.share(wholePercent(found.share));
    return [texts.row(texts.textOrders[order], nats(found.js), plusMinus(found.null), share)];
  });
  return html`
    <p class="part-title" data-picture>${progress ?? texts.axisTitle}</p>
    ${drawing(
      { label: texts.axisLabel(described.join(' ')), width, height },
      svg`
      <text class="faint" x=${scale(0)} y="12">${texts.reversible}</text>
      <text class="faint" x=${scale(Math.LN2)} y="12" text-anchor="end">${texts.oneWay}</text>
      <text class="faint" x=${width} y="12" text-anchor="end">${texts.shareTitle}</text>
      ${[...ticks, Math.LN2].map(
        (tick) => svg`
          <line x1=${scale(tick)} x2=${scale(tick)} y1=${top - 4} y2=${end}></line>
          <text class="faint" x=${scale(tick)} y=${end + 16} text-anchor="middle">${tick === Math.LN2 ? 'ln 2' : String(tick)}</text>`,
      )}
      ${textOrders.map((order, index) => row(texts, order, orders[order], order === chosen, index))}
      <circle class="js" cx="5" cy=${height - 8} r="5"></circle>
      <text class="faint" x="16" y=${height - 4}>${texts.textKey}</text>
      ${
        chance
          ? svg`<rect class="null" x="84" y=${height - 14} width="6" height="12"></rect>
              <text class="faint" x="96" y=${height - 4}>${texts.nullKey}</text>`
          : nothing
      }
      `,
    )}
  `;

  function row(
    { textOrders: names, share }: BigramsStrings,
    order: TextOrder,
    found: MeasuredOrder | undefined,
    isChosen: boolean,
    index: number,
  ): SVGTemplateResult {
    const y = top + (index + 0.5) * rowHeight;
    const name = svg`<text font-weight=${isChosen ? 650 : 400} x="0" y=${y} dominant-baseline="central">${names[order]}</text>`;
    if (found === undefined) return name;
    const { js, null: byChance } = found;
    const [low, high] = [-1, 1].map((side) =>
      scale(Math.max(0, byChance.mean + side * deviations * byChance.standardDeviation)),
    );
    const band = Math.max(narrowestBand, high! - low!);
    const middle = (low! + high!) / 2;
    return svg`
      ${name}
      ${chance ? svg`<rect class="null" x=${middle - band / 2} y=${y - 9} width=${band} height="18"></rect>` : nothing}
      <line class="excess" stroke-width="2" x1=${scale(chance ? byChance.mean : 0)} x2=${scale(js)} y1=${y} y2=${y}></line>
      <circle class="js" cx=${scale(js)} cy=${y} r="5"></circle>
      <text font-weight=${isChosen ? 650 : 400} x=${width} y=${y} text-anchor="end" dominant-baseline="central">${share(wholePercent(found.share))}</text>`;
  }
}
