import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { dataTable, type Content } from '../shared/figure.js';
import { columnsTable } from '../shared/tables.js';
import type { LineChartView, RoleSeries } from '../shared/line-chart-view.js';
import type { AlignmentStrings } from './alignment.strings.js';
import type { OtherMeasures, ComparisonMeasures, TableMeasures } from './other-measures.js';
import { comparisons, tableNames } from './compared-tables.js';
import type { Measured, MeasuredComparison } from './tables.js';

/** A value and its chance level: a number, or the range that chance stays within. */
type Level = readonly [value: number, chance: number | string];
type ComparisonMeasure = keyof AlignmentStrings['pairMeasures'];

const ofComparisons: Readonly<Record<ComparisonMeasure, (one: MeasuredComparison & ComparisonMeasures) => Level>> = {
  agreement: ({ alignment }) => [alignment.meanCosine, alignment.null.meanCosine],
  neighbors: ({ overlap }) => [overlap.overlap, overlap.null],
  cka: ({ similarity }) => [similarity.cka, similarity.null],
  subspaces: ({ similarity }) => [similarity.subspaces.overlap, similarity.subspaces.null],
  distance: ({ graphs }) => [graphs.distance, graphs.null.mean],
};
const ofTables: Readonly<Record<keyof AlignmentStrings['tableMeasures'], (table: TableMeasures) => Level>> = {
  meanCosine: ({ isotropy }) => [isotropy.meanCosine, isotropy.null.meanCosine],
  centered: ({ isotropy }) => [isotropy.centeredMeanCosine, isotropy.null.centeredMeanCosine],
  isoScore: ({ isotropy }) => [isotropy.isoScore, isotropy.null.isoScore],
  partition: ({ isotropy }) => [isotropy.partition, isotropy.null.partition],
  participation: ({ isotropy }) => [isotropy.participationRatio, isotropy.null.participationRatio],
  effectiveRank: ({ isotropy }) => [isotropy.effectiveRank, isotropy.null.effectiveRank],
  frequency: ({ isotropy }) => [isotropy.frequencyR2?.heldOut ?? NaN, '≤ 0'],
  norms: ({ norms }) => [norms.spearman, `± ${number(norms.null)}`],
};
const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] => Object.keys(record) as Key[];

/** Two decimals, or one for numbers of 10 and more; numbers close to 0 keep their first digit. NaN: not defined. */
function number(value: number): string {
  const size = Math.abs(value);
  if (Number.isNaN(size)) return '–';
  return formatNumber(value, size < 0.01 && size > 0 ? { significant: 1 } : { decimals: size < 10 ? 2 : 1 });
}

export interface OthersView {
  readonly texts: AlignmentStrings;
  readonly measured: Measured;
  readonly others: OtherMeasures;
  /** Whether chance levels are shown. */
  readonly chance: boolean;
}

const pairLevels = ({ measured, others }: OthersView, measure: ComparisonMeasure): Level[] =>
  comparisons.map(({ id }) => ofComparisons[measure]({ ...measured.pairs[id], ...others.pairs[id] }));

/** The other measures in words. */
export function othersWords(view: OthersView): string {
  const { texts, others, chance } = view;
  const [, ...measures] = keysOf(ofComparisons);
  const nearer = measures.filter((measure) => {
    const [writing = NaN, reading = NaN] = pairLevels(view, measure).map(([value]) => value);
    return measure === 'distance' ? writing < reading : writing > reading;
  });
  const ratios = tableNames.map((name) => number(others.tables[name].isotropy.participationRatio));
  return [
    texts.nearerBy(String(nearer.length), String(measures.length)),
    texts.filled(ratios, formatWhole(others.noise.length)),
    ...(chance ? [texts.filledByChance(number(others.tables.tied.isotropy.null.participationRatio))] : []),
  ].join(' ');
}

function measuresTable(
  { texts, chance }: OthersView,
  caption: string,
  head: readonly string[],
  rows: readonly (readonly [name: string, levels: readonly Level[]])[],
): TemplateResult {
  const cell = ([value, level]: Level): Content => html`
    ${number(value)}
    ${
      chance
        ? html`<span class="by-chance">
            <span class="visually-hidden">${texts.atChance}</span> ${typeof level === 'string' ? level : number(level)}
          </span>`
        : nothing
    }
  `;
  return dataTable({
    caption,
    look: 'numbers',
    head: ['', ...head],
    rows: rows.map(([name, levels]) => [name, ...levels.map(cell)]),
  });
}

interface Chart {
  readonly title: string;
  /** The quantity on the x axis. */
  readonly axis: string;
  readonly kinds: readonly [x: LineChartView['xKind'], y: LineChartView['yKind']];
  readonly series: readonly RoleSeries[];
  readonly references: LineChartView['references'];
}

const roles = { tied: 'tied', reading: 'input', writing: 'output' } as const;

/** Singular values beside those of noise, and norms by frequency. */
function chartsOf({ texts, others, chance }: OthersView): readonly Chart[] {
  const lines = (pointsOf: (table: TableMeasures) => Pick<RoleSeries, 'x' | 'y' | 'marks'>): RoleSeries[] =>
    tableNames.map((id) => ({ id, role: roles[id], label: texts.tables[id], ...pointsOf(others.tables[id]) }));
  const ranks = others.noise.map((_, at) => at + 1);
  const noise: RoleSeries = { id: 'noise', role: 'chance', label: texts.noise, x: ranks, y: others.noise };
  const profiles = lines(({ profile }) => ({ x: ranks, y: profile }));
  const norms = lines(({ norms: { bands, meanNorm } }) => {
    // A log scale has no 0, and tokens that never occur are the most telling.
    const points = { x: bands.map(({ from }) => 1 + from), y: bands.map((band) => band.meanNorm / meanNorm) };
    return { ...points, marks: points };
  });
  const one = { id: 'chance', label: texts.atChance, value: 1 };
  return [
    { ...texts.profiles, kinds: ['linear', 'log'], series: chance ? [...profiles, noise] : profiles, references: [] },
    { ...texts.norms, kinds: ['log', 'linear'], series: norms, references: chance ? [one] : [] },
  ];
}

function renderChart(texts: AlignmentStrings, { title, axis, kinds, series, references }: Chart): TemplateResult {
  const ends = series.map(({ label, y }) => texts.fromTo(label, number(y[0] ?? NaN), number(y[y.length - 1] ?? NaN)));
  return html`
    <div>
      <p class="part-title" data-picture>${title}</p>
      <tied-line-chart
        label=${[`${title}.`, ...ends].join(' ')}
        .series=${series}
        .references=${references}
        x-title=${axis}
        x-name=${axis}
        x-kind=${kinds[0]}
        y-kind=${kinds[1]}
        .decimals=${2}
        .height=${260}
      ></tied-line-chart>
    </div>
  `;
}

/** The other measures as tables and drawings, with their chance levels. */
export function othersView(view: OthersView): TemplateResult {
  const { texts, others, chance } = view;
  const compared = comparisons.map(({ id }) => texts.shortPairs[id]);
  const names = tableNames.map((name) => texts.tables[name]);
  const levels = (measure: keyof typeof ofTables): Level[] =>
    tableNames.map((name) => ofTables[measure](others.tables[name]));
  const pairRows = keysOf(ofComparisons).map((one) => [texts.pairMeasures[one], pairLevels(view, one)] as const);
  const rows = keysOf(ofTables).map((one) => [texts.tableMeasures[one], levels(one)] as const);
  return html`
    ${chance ? html`<p class="note">${texts.chanceNote}</p>` : nothing}
    <div class="charts">
      ${measuresTable(view, texts.pairsTitle, compared, pairRows)}
      ${measuresTable(view, texts.tablesTitle, names, rows)} ${chartsOf(view).map((chart) => renderChart(texts, chart))}
    </div>
  `;
}

/** The drawings as tables. */
export const othersData = (view: OthersView): Content =>
  chartsOf(view).map(({ title, axis, series }) =>
    columnsTable({
      caption: title,
      items: Array.from(series[0]!.x),
      columns: [
        [axis, formatWhole],
        ...series.map(({ label, x, y }) => {
          const valueAt = (at: number): number => y[Array.from(x).indexOf(at)] ?? NaN;
          return [label, (at: number) => formatNumber(valueAt(at), { decimals: 3 })] as const;
        }),
      ],
    }),
  );
