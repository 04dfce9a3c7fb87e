import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { makeScale } from '../../charts/scale.js';
import { pairKinds } from '../shared/model-pair.js';
import type { LensStrings } from './lens.strings.js';
import type { Measured } from './measure.js';

export const bits = (value: number): string => formatNumber(value, { decimals: value < 10 ? 2 : 1 });

const [barHeight, rowHeight, top] = [9, 34, 2];
/** For the numbers at the ends of the bars. */
const right = 44;

/** The mean divergence of each layer in both models, a pair of bars per layer; if `chance`, beside what no information gives. */
export function divergenceBars({
  texts,
  measured,
  chance,
  width,
}: {
  readonly texts: LensStrings;
  readonly measured: Measured;
  readonly chance: boolean;
  readonly width: number;
}): TemplateResult {
  const { means } = measured;
  const last = means.tied.length - 1;
  const left = width < 420 ? 46 : 110;
  const levels = chance ? pairKinds.map((kind) => measured.chance[kind]) : [];
  const largest = Math.max(...means.tied, ...means.untied, ...levels);
  const x = makeScale('linear', [0, largest === 0 ? 1 : largest], [left, width - right]);
  const height = top + (last + 1) * rowHeight;
  const name = (layer: number): string => (width < 420 ? texts.shortLayer(layer) : texts.layer(layer, last));
  const described = means.tied.flatMap((_, layer) =>
    pairKinds.map((kind) => texts.bar(texts.models[kind], texts.layer(layer, last), bits(means[kind][layer]!))),
  );
  if (chance) described.push(texts.byChance(bits(measured.chance.tied), bits(measured.chance.untied)));
  const level = (value: number, from: number): SVGTemplateResult =>
    svg`<line class="chance" x1=${x(value)} x2=${x(value)} y1=${from - 1} y2=${from + barHeight + 1}></line>`;
  return html`
    <p class="part-title" data-picture>${texts.barsTitle(formatWhole(measured.measuredTokens))}</p>
    <div class="row note" data-picture>
      ${pairKinds.map(
        (kind) =>
          html`<span class="field"
            ><svg width="14" height="14" aria-hidden="true">
              <g class=${kind}><rect class="bar" y="2" width="14" height="10"></rect></g></svg
            >${texts.models[kind]}</span
          >`,
      )}
      ${
        chance
          ? html`<span class="field"
              ><svg width="14" height="14" aria-hidden="true">
                <line class="chance" x1="7" x2="7" y2="14"></line></svg
              >${texts.chanceKey}</span
            >`
          : nothing
      }
    </div>
    <svg
      data-picture
      role="img"
      aria-label=${described.join(' ')}
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
    >
      <line class="grid" x1=${left} x2=${left} y1=${top} y2=${height}></line>
      ${means.tied.map((_, layer) => {
        const y = top + layer * rowHeight;
        return svg`
          <text class="faint" x=${left - 8} y=${y + rowHeight / 2} text-anchor="end" dominant-baseline="central">${name(layer)}</text>
          ${pairKinds.map((kind, index) => {
            const value = means[kind][layer]!;
            const from = y + rowHeight / 2 - barHeight - 1 + index * (barHeight + 2);
            return svg`<g class=${kind}>
              <rect class="bar" x=${left} y=${from} width=${Math.max(0, x(value) - left)} height=${barHeight}></rect>
              ${chance ? level(measured.chance[kind], from) : nothing}
              <text class="value" x=${x(value) + 5} y=${from + barHeight / 2} dominant-baseline="central">${bits(value)}</text>
            </g>`;
          })}`;
      })}
    </svg>
  `;
}
