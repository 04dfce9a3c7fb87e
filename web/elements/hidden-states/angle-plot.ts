import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { angleOfCosine, angleOfRatio } from '../../charts/right-triangle.js';
import { makeScale, type Scale } from '../../charts/scale.js';
import { diamond, keyEntry } from '../../charts/drawing.js';
import type { HiddenStatesStrings } from './hidden-states.strings.js';
import { tableNames, type Beside, type PerTable, type Split, type TableName } from './measure.js';
import { symbolsInSvg } from './symbols.js';

const [left, right, top, plotHeight] = [40, 8, 26, 210];
/** With fewer pixels per position than this, only the chosen token is written. */
const leastStep = 11;
/** Degrees between two lines of the grid. */
const spacing = 15;

/** What the drawings show for a prompt. */
export interface View {
  readonly texts: HiddenStatesStrings;
  readonly tokens: readonly string[];
  readonly splits: PerTable<Split>;
  /** The chosen position, from 0. */
  readonly at: number;
  readonly here: PerTable<Beside>;
  /** The ratio by chance; null: not drawn. */
  readonly baseline: number | null;
  readonly width: number;
}

const positionScale = ({ splits, width }: View): Scale =>
  makeScale('linear', [-0.5, splits.tied.positions.length - 0.5], [left, width - right]);

const degrees = (angle: number): string => `${angle.toFixed(0)}°`;

/** Of the angles that are drawn; their sign is lost in ratios. */
export function medianAngle({ positions }: Split): number {
  const angles = positions.map(({ cosine }) => angleOfCosine(cosine)).sort((a, b) => a - b);
  const middle = (angles.length - 1) / 2;
  return (angles[Math.floor(middle)]! + angles[Math.ceil(middle)]!) / 2;
}

/** The position nearest to a point in the drawing. */
export const positionAt = (x: number, view: View): number => Math.round(positionScale(view).invert(x));

/** The angle between h and its word's row at every position, in each table. */
export function anglePlot(view: View): TemplateResult {
  const { texts, tokens, splits, at, baseline, width } = view;
  const x = positionScale(view);
  const angles = tableNames.flatMap((name) => splits[name].positions.map(({ cosine }) => angleOfCosine(cosine)));
  const [least, most] = [Math.min(40, ...angles) - 4, Math.max(100, ...angles) + 4];
  const y = makeScale('linear', [least, most], [top + plotHeight, top]);
  const [bottom, end] = [top + plotHeight, width - right];
  const [chanceTop, chanceBottom] =
    baseline === null ? [0, 0] : ([-baseline, baseline].map((one) => y(angleOfRatio(one))) as [number, number]);
  const step = x(1) - x(0);
  const longestToken = Math.max(...tokens.map((token) => token.length));
  const height = bottom + 14 + 7.5 * longestToken;
  const firstTick = Math.ceil(least / spacing);
  const shownTicks = Array.from(
    { length: Math.floor(most / spacing) - firstTick + 1 },
    (_, index) => (firstTick + index) * spacing,
  );
  return html`
    <svg data-picture aria-hidden="true" width=${width} height=${height} viewBox="0 0 ${width} ${height}">
      <text class="faint" x="0" y="12">${symbolsInSvg(texts.angleAxis)}</text>
      ${
        baseline === null
          ? nothing
          : svg`<rect class="by-chance" x=${left} width=${end - left} y=${chanceTop} height=${chanceBottom - chanceTop}></rect>
            <line class="baseline" x1=${left} x2=${end} y1=${chanceBottom} y2=${chanceBottom}></line>`
      }
      ${shownTicks.map(
        (tick) => svg`
          <line class="grid" x1=${left} x2=${end} y1=${y(tick)} y2=${y(tick)}></line>
          <text class="faint" x=${left - 6} y=${y(tick)} text-anchor="end" dominant-baseline="central">${tick}°</text>`,
      )}
      <rect class="chosen" x=${x(at - 0.5)} width=${step} y=${top} height=${plotHeight}></rect>
      ${tableNames.map((name) => svg`<g class=${name}>${splits[name].positions.map(({ cosine }, index) => mark(name, x(index), y(angleOfCosine(cosine))))}</g>`)}
      ${tokens.slice(0, splits.tied.positions.length).map((token, index) =>
        step < leastStep && index !== at
          ? nothing
          : svg`<text class="token" font-weight=${index === at ? 650 : 400} text-anchor="end" dominant-baseline="central"
              transform="translate(${x(index)} ${bottom + 8}) rotate(-90)">${token}</text>`,
      )}
    </svg>
  `;
}

/** Each table has its own shape, for readers who can't tell the colors apart. */
export function mark(name: TableName, x: number, y: number): SVGTemplateResult {
  if (name === 'tied') return svg`<circle class="mark" cx=${x} cy=${y} r="4"></circle>`;
  return diamond(5)('mark', x, y);
}

/** What the marks mean, with the medians over the prompt. */
export function plotKey({ texts, splits, baseline }: View): TemplateResult {
  return html`<div class="row note" data-picture>
    ${tableNames.map((name) =>
      keyEntry(
        svg`<g class=${name}>${mark(name, 7, 7)}</g>`,
        texts.median(texts.tables[name], degrees(medianAngle(splits[name]))),
      ),
    )}
    ${
      baseline === null
        ? nothing
        : keyEntry(
            svg`<rect class="by-chance" width="14" height="14"></rect>`,
            texts.chanceKey(degrees(angleOfRatio(baseline)), degrees(angleOfRatio(-baseline))),
          )
    }
  </div>`;
}
