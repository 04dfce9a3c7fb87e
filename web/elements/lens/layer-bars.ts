import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { makeScale } from '../../charts/scale.js';
import { drawing, keyEntry } from '../shared/drawing.js';
import { pairKinds } from '../shared/model-pair.js';
import type { LensStrings } from './lens.strings.js';
import type { Measured, PerModel } from './measure.js';

export const bits = (value: number): string => formatNumber(value, { decimals: value < 10 ? 2 : 1 });
export const nats = (value: number): string => formatNumber(value, { decimals: 2 });

const [barHeight, rowHeight, top] = [9, 34, 2];
/** Width for the numbers at the ends of the bars. */
const right = 44;

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

/** Width of a digit or point, and the space to leave free on either side of a number. */
const [digitWidth, room] = [7.5, 4];

/** Where a number starts that would start at `from`, moved away from the chance levels of both bars. */
function besideLevels(from: number, digits: number, levels: readonly number[]): number {
  return [...levels]
    .sort((a, b) => a - b)
    .reduce(
      (at, level) => (level > at - room && level < at + digits * digitWidth + room ? level + room + 2 : at),
      from,
    );
}

function layerBars({ texts, layers, number, bar, chance, width }: Bars): TemplateResult {
  const narrow = width < 420;
  const left = narrow ? 46 : 110;
  const all = [...layers.map(({ values }) => values), ...(chance === undefined ? [] : [chance])];
  const [least, most] = [Math.min, Math.max].map((extreme) =>
    extreme(0, ...all.flatMap((values) => pairKinds.map((kind) => values[kind]))),
  ) as [number, number];
  const x = makeScale('linear', [least, least === most ? 1 : most], [left, width - right]);
  const levels = chance === undefined ? [] : pairKinds.map((kind) => x(chance[kind]));
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
            const written = number(values[kind]);
            const at = y + rowHeight / 2 - barHeight - 1 + index * (barHeight + 2);
            return svg`<g class=${kind}>
              <rect class="bar" x=${from} y=${at} width=${to - from} height=${barHeight}></rect>
              ${chance ? level(chance[kind], at) : nothing}
              <text class="value" x=${besideLevels(to + 5, written.length, levels)} y=${at + barHeight / 2} dominant-baseline="central">${written}</text>
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
  const layersOf = (measures: PerModel<readonly number[]>, first: number): Bars['layers'] =>
    measures.tied.map((tied, at) => ({
      name: texts.layer(first + at, last),
      shortName: texts.shortLayer(first + at),
      values: { tied, untied: measures.untied[at]! },
    }));
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
