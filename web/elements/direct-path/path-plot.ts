import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { DirectPathReport } from '../../core/types.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { polyline, type Point } from '../../charts/paths.js';
import { makeScale, niceDomain, type Scale } from '../../charts/scale.js';
import { diamond } from '../../charts/drawing.js';
import { wholePercent } from '../shared/in-words.js';
import { pairKinds, type PairKind } from '../shared/model-pair.js';
import type { Drawn } from '../shared/seeded-twin-element.js';
import type { DirectPathStrings } from './direct-path.strings.js';
import { bigramsOf, pathNames, shownSteps, valueOf, type MeasureName, type PathName } from './measure.js';

const [left, right, top, plotHeight, bottom] = [46, 12, 28, 180, 42];
const panelHeight = top + plotHeight + bottom;
/** From this width on, the two models are drawn side by side. */
const sideBySide = 560;
const gap = 20;

/** Trained models have no steps; their paths are drawn side by side. */
export interface View extends Drawn<DirectPathReport> {
  readonly texts: DirectPathStrings;
  readonly measure: MeasureName;
  readonly chance: boolean;
  readonly width: number;
}

const isShare = (measure: MeasureName): boolean => measure === 'selfPrediction' || measure === 'breaking';

/** A number of this measure, as the figure writes it. */
export function written(value: number, measure: MeasureName): string {
  if (Number.isNaN(value)) return '–';
  if (isShare(measure)) return `${wholePercent(value)}%`;
  return formatNumber(value, { decimals: 2 });
}

const panelWidth = (width: number): number => (width < sideBySide ? width : (width - gap) / 2);
/** Steps are equally spaced: most happens in the first ones. */
const placeScale = (places: number, width: number): Scale =>
  makeScale('linear', [-0.5, places - 0.5], [left, panelWidth(width) - right]);

/** The step at a place in either panel. */
export function stepAt(x: number, width: number): number {
  const panel = panelWidth(width);
  return Math.round(placeScale(shownSteps.length, width).invert(x > panel ? x - panel - gap : x));
}

/** Chance does not depend on the model or the step. */
export const chanceOf = ({ measured, measure }: View): number => measured.reports.tied[0]!.chance[measure];

function domainOf(view: View): [number, number] {
  const { measured, measure, chance } = view;
  if (isShare(measure) || measure === 'asymmetry') return [0, 1];
  const reports = pairKinds.flatMap((kind) => measured.reports[kind]);
  const values = reports.flatMap((report) => [
    ...pathNames.map((path) => valueOf(report, path, measure)),
    bigramsOf(report, measure),
  ]);
  const shown = [...values, chance ? chanceOf(view) : null].filter((value) => value !== null && !Number.isNaN(value));
  const ends = [Math.min(...(shown as number[])), Math.max(...(shown as number[]))] as const;
  return niceDomain(measure === 'correlation' ? [Math.min(0, ends[0]), 1] : ends);
}

/** The paths that have this measure. */
export const pathsOf = ({ measured, measure }: View): PathName[] =>
  pathNames.filter((path) => valueOf(measured.reports.tied[0]!, path, measure) !== null);

/** What a drawing without a slider shows, for screen readers. */
const pathsInWords = (view: View): string =>
  pairKinds
    .map((kind) => {
      const { texts, measured, measure } = view;
      const values = pathsOf(view).map((path) =>
        texts.pathValue(texts.paths[path], written(valueOf(measured.reports[kind][0]!, path, measure)!, measure)),
      );
      return texts.pathsLabel(texts.names[kind], values.join(', '));
    })
    .join(' ');

export function pathPlot(view: View): TemplateResult {
  const { width } = view;
  const stacked = width < sideBySide;
  const height = stacked ? 2 * panelHeight : panelHeight;
  const y = makeScale('linear', domainOf(view), [top + plotHeight, top]);
  return html`
    <svg
      data-picture
      aria-hidden=${view.steps === null ? nothing : 'true'}
      role=${view.steps === null ? 'img' : nothing}
      aria-label=${view.steps === null ? pathsInWords(view) : nothing}
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
    >
      ${pairKinds.map(
        (kind, index) => svg`
          <g class=${kind} transform="translate(${stacked ? 0 : index * (panelWidth(width) + gap)} ${stacked ? index * panelHeight : 0})">
            ${panel(view, kind, y)}
          </g>`,
      )}
    </svg>
  `;
}

function panel(view: View, kind: PairKind, y: Scale): SVGTemplateResult {
  const { texts, measured, steps, measure, chance, at, width } = view;
  const shown = pathsOf(view);
  const places = steps === null ? shown.map((path) => texts.shortPaths[path]) : steps.map((step) => formatWhole(step));
  const x = placeScale(places.length, width);
  const end = panelWidth(width) - right;
  const reports = measured.reports[kind];
  const reference = bigramsOf(reports[0]!, measure);
  const level = (value: number, name: string): SVGTemplateResult =>
    svg`<line class=${name} x1=${left} x2=${end} y1=${y(value)} y2=${y(value)}></line>`;
  return svg`
    <text class="model-name" x=${left} y="14">${texts.names[kind]}</text>
    ${steps === null ? nothing : svg`<rect class="chosen" x=${x(at - 0.5)} width=${x(1) - x(0)} y=${top} height=${plotHeight}></rect>`}
    ${y.ticks(5).map(
      (tick) => svg`
        <line class="grid" x1=${left} x2=${end} y1=${y(tick)} y2=${y(tick)}></line>
        <text class="faint" x=${left - 6} y=${y(tick)} text-anchor="end" dominant-baseline="central">${isShare(measure) ? written(tick, measure) : formatNumber(tick, { decimals: 1 })}</text>`,
    )}
    ${chance ? level(chanceOf(view), 'by-chance') : nothing}
    ${reference === null ? nothing : level(reference, 'reference')}
    ${shown.map((path) => line(path))}
    ${places.map(
      (name, index) =>
        svg`<text class="faint" x=${x(index)} y=${top + plotHeight + 17} text-anchor="middle">${name}</text>`,
    )}
    <text class="faint" x=${(left + end) / 2} y=${panelHeight - 7} text-anchor="middle">${steps === null ? texts.pathAxis : texts.stepAxis}</text>
  `;

  function line(path: PathName): SVGTemplateResult | typeof nothing {
    const points = reports
      .map(
        (report, index) => [x(steps === null ? shown.indexOf(path) : index), valueOf(report, path, measure)] as const,
      )
      .filter((point): point is readonly [number, number] => point[1] !== null && !Number.isNaN(point[1]))
      .map(([px, value]): Point => [px, y(value)]);
    if (points.length === 0) return nothing;
    return svg`<g class=${path}>
      <path class="line" d=${polyline(points)}></path>
      ${points.map(([px, py]) => mark(path, px, py))}
      ${steps === null ? points.map(([px, py]) => valueAt(px, py, written(valueOf(reports[0]!, path, measure)!, measure))) : nothing}
    </g>`;
  }
}

/** A value above its mark, or below it at the top of the plot. */
const valueAt = (x: number, y: number, value: string): SVGTemplateResult =>
  svg`<text class="value" x=${x} y=${y < top + 22 ? y + 22 : y - 10} text-anchor="middle">${value}</text>`;

/** Each path has its own shape, for readers who can't tell the colors apart. */
function mark(path: PathName, x: number, y: number): SVGTemplateResult {
  if (path === 'embeddings') return svg`<circle class="mark" cx=${x} cy=${y} r="5"></circle>`;
  if (path === 'finalNorm') return svg`<circle class="mark" cx=${x} cy=${y} r="4"></circle>`;
  if (path === 'mlp0') return diamond(6)('mark', x, y);
  return svg`<rect class="mark" x=${x - 4} y=${y - 4} width="8" height="8"></rect>`;
}

/** The key of the lines. */
export function plotKey(view: View): TemplateResult {
  const { texts, measured, measure, chance } = view;
  const report = measured.reports.tied[0]!;
  const entry = (sign: SVGTemplateResult, words: string): TemplateResult =>
    html`<span class="field"><svg width="26" height="14" aria-hidden="true">${sign}</svg>${words}</span>`;
  const level = (name: string): SVGTemplateResult => svg`<line class=${name} x1="0" x2="26" y1="7" y2="7"></line>`;
  const reference = bigramsOf(report, measure);
  return html`<div class="row note" data-picture>
    ${pathsOf(view).map((path) =>
      entry(
        svg`<g class="tied"><g class=${path}><path class="line" d="M0 7L26 7"></path>${mark(path, 13, 7)}</g></g>`,
        texts.paths[path],
      ),
    )}
    ${reference === null ? nothing : entry(level('reference'), texts.bigramsKey(written(reference, measure)))}
    ${chance ? entry(level('by-chance'), texts.chanceKey[measure](written(chanceOf(view), measure))) : nothing}
  </div>`;
}
