import { html, svg, type TemplateResult } from 'lit';
import type { DirectPathReport } from '../../core/types.js';
import { circle, diamond, square, type Sign } from '../../charts/drawing.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { niceDomain } from '../../charts/scale.js';
import { wholePercent } from '../shared/in-words.js';
import { twinKinds, perModel, type TwinKind, type PerModel } from '../shared/model-twins.js';
import type { Drawn } from '../shared/seeded-twin-element.js';
import type { DirectPathStrings } from './direct-path.strings.js';
import { panelGap } from './direct-path.styles.js';
import { bigramsOf, pathNames, valueOf, type MeasureName, type PathName } from './measure.js';

/** From this width on, the two models are drawn side by side. */
const sideBySide = 560;
const [left, top] = [46, 28];

/** Each path has its own sign, for readers who can't tell the colors apart. */
const signs: Readonly<Record<PathName, Sign>> = {
  embeddings: circle(5),
  finalNorm: circle(4),
  mlp0: diamond(6),
  model: square(4),
};

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

/** Chance does not depend on the model or the step. */
export const chanceOf = ({ measured, measure }: View): number => measured.reports.tied[0]!.chance[measure];

function domainOf(view: View): [number, number] {
  const { measured, measure, chance } = view;
  if (isShare(measure) || measure === 'asymmetry') return [0, 1];
  const reports = twinKinds.flatMap((kind) => measured.reports[kind]);
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

/** A step, with the reports of both models; or a path, with the reports of the trained models. */
interface Place {
  readonly name: string;
  readonly reports: PerModel<DirectPathReport>;
  /** Null: all paths. */
  readonly path: PathName | null;
}

function placesOf(view: View): Place[] {
  const { texts, measured, steps } = view;
  const reportsAt = (at: number) => perModel((kind) => measured.reports[kind][at]!);
  if (steps !== null) return steps.map((step, at) => ({ name: formatWhole(step), reports: reportsAt(at), path: null }));
  return pathsOf(view).map((path) => ({ name: texts.shortPaths[path], reports: reportsAt(0), path }));
}

/** The paths of one model: over the steps, or side by side. The table has both models. */
function panel(view: View, kind: TwinKind, width: number): Plot {
  const { texts, steps, measure, chance, at } = view;
  const rows = placesOf(view);
  const paths = pathsOf(view);
  const reference = bigramsOf(rows[0]!.reports[kind], measure);
  const valueAt = ({ reports, path: only }: Place, path: PathName, of = kind): number | null =>
    only === null || only === path ? valueOf(reports[of], path, measure) : null;
  const text = (value: number | null): string => (value === null ? texts.none : written(value, measure));
  const values = (place: Place, of: TwinKind): string[] =>
    (place.path === null ? paths : [place.path]).map((path) => text(valueAt(place, path, of)));
  return plot({
    rows,
    width,
    plotHeight: 180,
    margin: { left, top, right: 12 },
    // Steps are equally spaced: most happens in the first ones.
    x: {
      each: 'fit',
      look: 'faint',
      name: ({ name }) => name,
      title: steps === null ? texts.pathAxis : texts.stepAxis,
    },
    y: {
      domain: domainOf(view),
      format: (tick) => (isShare(measure) ? written(tick, measure) : formatNumber(tick, { decimals: 1 })),
    },
    marks: ({ line, level, column }) => [
      steps === null && {
        draw: ({ y, place: middle }) =>
          rows.map((place, index) => {
            const value = valueAt(place, place.path!)!;
            // Above its sign, or below it at the top of the plot.
            const [up, down] = [y(value) - 10, y(value) + 22];
            return svg`<text class="value" x=${middle(index)} y=${up < top + 12 ? down : up} text-anchor="middle">${text(value)}</text>`;
          }),
      },
      ...paths.map((path) =>
        line({
          y: (place) => valueAt(place, path),
          look: `${path} ${kind}`,
          sign: signs[path],
          key: texts.paths[path],
        }),
      ),
      reference !== null &&
        level({ y: reference, look: 'reference', key: texts.bigramsKey(written(reference, measure)) }),
      chance &&
        level({
          y: chanceOf(view),
          look: 'by-chance',
          key: texts.chanceKey[measure](written(chanceOf(view), measure)),
        }),
      steps !== null && column({ look: 'chosen', at }),
      { draw: () => svg`<text class="model-name ${kind}" x=${left} y="14">${texts.names[kind]}</text>` },
    ],
    ...(steps === null
      ? {
          describe: (place: Place) => texts.pathValue(texts.paths[place.path!], values(place, kind)[0]!),
          between: ', ',
          label: (all: string) => texts.pathsLabel(texts.names[kind], all),
        }
      : {}),
    caption: texts.measures[measure],
    head:
      steps === null
        ? texts.dataPathsHead(texts.names.tied, texts.names.untied)
        : texts.dataHead(
            paths.map((path) => texts.paths[path]),
            texts.names.tied,
            texts.names.untied,
          ),
    cells: (place) => [
      place.path === null ? place.name : texts.paths[place.path],
      ...twinKinds.flatMap((of) => values(place, of)),
    ],
  });
}

/** Both models, side by side or one below the other, with one key and one table. */
export function pathPlot(view: View): Pick<Plot, 'key' | 'table' | 'rowAt'> & { readonly drawing: TemplateResult } {
  const stacked = view.width < sideBySide;
  const width = stacked ? view.width : (view.width - panelGap) / 2;
  const [tied, untied] = twinKinds.map((kind) => panel(view, kind, width)) as [Plot, Plot];
  return {
    ...tied,
    drawing: html`<div class="panels ${stacked ? '' : 'beside'}">${tied.drawing}${untied.drawing}</div>`,
    rowAt: (x) => tied.rowAt(x > width ? x - width - panelGap : x),
  };
}
