import { html, nothing, svg, type TemplateResult } from 'lit';
import { formatNumber } from '../../../charts/number-format.js';
import { plot, type Plot } from '../../../charts/plot.js';
import type { CardToken, IdentityCardData, IdentityTable } from '../../../core/types.js';
import { circle } from '../../../charts/drawing.js';
import type { LineChartView, RoleSeries, SeriesRole } from '../../shared/line-chart-view.js';
import { visibleToken } from '../visible-token.js';
import type { CardStrings } from './card.strings.js';
import { measuredTables, type Role } from './levels.js';

const chartHeight = 230;

type CardPair = IdentityCardData['oneWay'][number];

/** A single table is blue if it has both roles; two tables have the colors of their roles. */
const seriesRole = (role: Role, tied: boolean): SeriesRole => (role === 'one' ? (tied ? 'tied' : 'ink') : role);

interface Chart {
  readonly title: string;
  readonly note: string | null;
  readonly axis: string;
  readonly name: string;
  readonly yKind: LineChartView['yKind'];
  readonly yDomain: LineChartView['yDomain'];
  readonly series: readonly RoleSeries[];
  readonly references: LineChartView['references'];
  readonly decimals: number;
}

const number = (value: number): string => formatNumber(value);

export function chartView({ title, note, axis, name, series, references, decimals, ...kinds }: Chart): TemplateResult {
  const ends = series.map(({ label, y }) => `${label}: ${number(y[0] ?? NaN)} … ${number(y[y.length - 1] ?? NaN)}.`);
  const levels = references.map(({ label, value }) => `${label}: ${number(value)}.`);
  return html`<div>
    <p class="part-title" data-picture>${title}</p>
    <tied-line-chart
      label=${[`${title}.`, ...ends, ...levels].join(' ')}
      .series=${series}
      .references=${references}
      x-title=${axis}
      x-name=${name}
      y-kind=${kinds.yKind}
      .yDomain=${kinds.yDomain}
      .decimals=${decimals}
      .height=${chartHeight}
    ></tied-line-chart>
    ${note === null ? nothing : html`<p class="aside">${note}</p>`}
  </div>`;
}

/** Singular values as multiples of their root mean square. */
export function profileOf({ centered: { values } }: IdentityTable): number[] {
  const scale = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  return values.map((value) => value / scale);
}

/** Lengths by token id, and singular values beside the limits of noise. */
export function chartsOf(data: IdentityCardData, texts: CardStrings): Chart[] {
  const tied = data.tying.tied === true;
  const tables = measuredTables(data);
  const lines = (pointsOf: (table: IdentityTable) => Pick<RoleSeries, 'x' | 'y' | 'runs'>): RoleSeries[] =>
    tables.map(([role, table]) => ({
      ...{ id: role, role: seriesRole(role, tied), label: texts.tableNames[role] },
      ...pointsOf(table),
    }));
  const norms = lines(({ normBands }) => ({
    x: normBands.map(({ from, to }) => (from + to - 1) / 2),
    y: normBands.map(({ median }) => median),
    runs: [normBands.map(({ least }) => least), normBands.map(({ greatest }) => greatest)],
  }));
  const longest = Math.max(...tables.map(([, { normQuantiles }]) => normQuantiles.at(-1)!));
  const [[, first]] = tables as [readonly [Role, IdentityTable]];
  const spectra = lines((table) => {
    // A log scale has no 0; the last singular value may be 0 once the mean row is subtracted.
    const values = profileOf(table).filter((value) => value > 1e-6);
    return { x: values.map((_, at) => at + 1), y: values };
  });
  const [rows = 1, cols = 1] = first.shape;
  const edge = Math.sqrt(cols / rows);
  const noise = [
    { id: 'top', label: texts.noiseTop, value: 1 + edge },
    ...(edge < 0.98 ? [{ id: 'bottom', label: texts.noiseBottom, value: 1 - edge }] : []),
  ];
  return [
    {
      ...{ title: texts.normsTitle, note: texts.normsNote, axis: texts.normsAxis, name: texts.normsName },
      ...{ yKind: 'linear', yDomain: [0, longest * 1.04], series: norms, decimals: 3 },
      references: tables.length === 1 ? [{ id: 'short', label: texts.normsLevel, value: first.shortRows.below }] : [],
    },
    {
      ...{ title: texts.spectrumTitle, note: null, axis: texts.spectrumAxis, name: texts.spectrumName },
      ...{ yKind: 'log', yDomain: null, series: spectra, references: noise, decimals: 2 },
    },
  ];
}

/** A token as the file spells it, with visible blanks. */
export const tokenInWords = ({ id, text }: CardToken, texts: CardStrings): string =>
  text === null || text === '' ? texts.unnamed(String(id)) : visibleToken(text);

/** Scores have the same order of magnitude within a model, and are compared with each other. */
const score = (value: number): string => formatNumber(value, { decimals: 2 });

/** The scores of pairs in both orders, on one scale. */
export const pairsPlot = ({ oneWay }: IdentityCardData, texts: CardStrings, width: number): Plot<CardPair> =>
  plot({
    rows: oneWay,
    width,
    margin: { top: 6 },
    x: { include: [0], ticks: [0] },
    y: {
      each: 44,
      above: 18,
      name: ({ from, to }) => `${tokenInWords(from, texts)} → ${tokenInWords(to, texts)}`,
      end: ({ forward, backward }) => svg`${score(forward)}<tspan class="faint"> / ${score(backward)}</tspan>`,
      endLook: () => 'number',
    },
    marks: ({ dots, rules }) => [
      dots({ x: ({ forward }) => forward, look: 'forward', sign: circle(5.5), key: texts.pairsForward }),
      dots({ x: ({ backward }) => backward, look: 'turned', sign: circle(5), key: texts.pairsBackward }),
      rules({ x: ({ forward, backward }) => [backward, forward], look: 'gap' }),
    ],
    describe: ({ from, to, forward, backward }) =>
      texts.pairInWords(tokenInWords(from, texts), tokenInWords(to, texts), score(forward), score(backward)),
    label: texts.pairsLabel,
    caption: texts.pairsData,
    head: [texts.firstToken, texts.secondToken, texts.pairsForward, texts.pairsBackward],
    cells: ({ from, to, forward, backward }) => [
      ...[from, to].map((token) => tokenInWords(token, texts)),
      ...[forward, backward].map(number),
    ],
  });
