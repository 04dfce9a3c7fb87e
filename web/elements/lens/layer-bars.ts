import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { makeScale } from '../../charts/scale.js';
import { drawing, keyEntry } from '../../charts/drawing.js';
import { pairKinds } from '../shared/model-pair.js';
import type { LensStrings } from './lens.strings.js';
import type { Measured, PerModel } from './measure.js';

export const bits = (value: number): string => formatNumber(value, { decimals: value < 10 ? 2 : 1 });
export const nats = (value: number): string => formatNumber(value, { decimals: 2 });

const [barHeight, rowHeight, top] = [11, 34, 2];
/** Width of the column of numbers: at the ends of the bars they would be taken for chance levels. */
const right = 48;

interface Bars {
  readonly texts: LensStrings;
  /** Bars of one layer are close together, the tied model's first. */
  readonly layers: readonly { readonly name: string; readonly shortName: string; readonly values: PerModel<number> }[];
  readonly number: (value: number) => string;
  /** A number in words. */
  readonly bar: (model: string, layer: string, number: string) => string;
  /** Drawn across the bars of each model. */
  readonly chance?: PerModel<number> | undefined;
  readonly width: number;
}

function layerBars({ texts, layers, number, bar, chance, width }: Bars): TemplateResult {
  const narrow = width < 420;
  const left = narrow ? 46 : 110;
  const all = [...layers.map(({ values }) => values), ...(chance === undefined ? [] : [chance])];
  const [least, most] = [Math.min, Math.max].map((extreme) =>
    extreme(0, ...all.flatMap((values) => pairKinds.map((kind) => values[kind]))),
  ) as [number, number];
  const x = makeScale('linear', [least, least === most ? 1 : most], [left, width - right]);
  const height = top + layers.length * rowHeight;
  const described = layers.flatMap(({ name, values }) =>
    pairKinds.map((kind) => bar(texts.models[kind], name, number(values[kind]))),
  );
  if (chance) described.push(texts.byChance(number(chance.tied), number(chance.untied)));
  const level = (value: number, from: number): SVGTemplateResult =>
    svg`<line class="chance" x1=${x(value)} x2=${x(value)} y1=${from - 1} y2=${from + barHeight + 1}></line>`;
  return drawing(
    { label: described.join(' '), width, height },
    svg`
      <line class="grid" x1=${x(0)} x2=${x(0)} y1=${top} y2=${height}></line>
      ${layers.map(({ name, shortName, values }, layer) => {
        const y = top + layer * rowHeight;
        return svg`
          <text class="faint" x=${left - 8} y=${y + rowHeight / 2} text-anchor="end" dominant-baseline="central">${narrow ? shortName : name}</text>
          ${pairKinds.map((kind, index) => {
            const [from, to] = [x(0), x(values[kind])].sort((a, b) => a - b) as [number, number];
            const at = y + rowHeight / 2 - barHeight - 1 + index * (barHeight + 2);
            return svg`<g class=${kind}>
              <rect class="bar" x=${from} y=${at} width=${to - from} height=${barHeight}></rect>
              ${chance ? level(chance[kind], at) : nothing}
              <text class="value" x=${width} y=${at + barHeight / 2} text-anchor="end" dominant-baseline="central">${number(values[kind])}</text>
            </g>`;
          })}`;
      })}
    `,
  );
}

/**
 * For both models: how far each layer is from the answer, and how much leaving it out adds to the loss. If `chance`,
 * also the level that a layer reaches without telling any tokens apart.
 */
export function layerCharts({
  texts,
  measured: { means, increases, measuredTokens, chance: levels },
  chance,
  width,
}: {
  readonly texts: LensStrings;
  readonly measured: Measured;
  readonly chance: boolean;
  readonly width: number;
}): TemplateResult {
  const last = means.tied.length - 1;
  // The last layer on top, as in the grids of tokens.
  const layersOf = (measures: PerModel<readonly number[]>, first: number): Bars['layers'] =>
    measures.tied
      .map((tied, at) => ({
        name: texts.layer(first + at, last),
        shortName: texts.shortLayer(first + at),
        values: { tied, untied: measures.untied[at]! },
      }))
      .reverse();
  return html`
    <div>
      <p class="part-title" data-picture>${texts.barsTitle(formatWhole(measuredTokens))}</p>
      <div class="row note" data-picture>
        ${pairKinds.map((kind) =>
          keyEntry(
            svg`<g class=${kind}><rect class="bar" y="2" width="14" height="10"></rect></g>`,
            texts.models[kind],
          ),
        )}
        ${chance ? keyEntry(svg`<line class="chance" x1="7" x2="7" y2="14"></line>`, texts.chanceKey) : nothing}
      </div>
      ${layerBars({
        ...{ texts, width, layers: layersOf(means, 0), number: bits, bar: texts.bar },
        chance: chance ? levels : undefined,
      })}
    </div>
    <div>
      <p class="part-title" data-picture>${texts.increasesTitle}</p>
      ${layerBars({ texts, width, layers: layersOf(increases, 1), number: nats, bar: texts.increaseBar })}
    </div>
  `;
}
