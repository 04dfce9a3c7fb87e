import { html, nothing, svg, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../charts/number-format.js';
import { plot, type Plot } from '../../../charts/plot.js';
import type { Cell } from '../../../charts/heat-map.js';
import type { Matrix, TensorHistogram, TensorReport } from '../../../core/types.js';
import { dataTable, titled, type Content } from '../../shared/figure.js';
import type { CellEvent } from '../../shared/heat-map-view.js';
import type { CommonStrings } from '../../shared/strings.js';
import type { CheckpointStrings } from '../checkpoint.strings.js';
import { visibleToken } from '../visible-token.js';
import type { ReadWindow } from './read-window.js';

/** What draws a tensor: fetched with the first one. */

export type TensorMeasure = 'size' | 'mean';

interface MapOptions {
  readonly texts: CheckpointStrings & CommonStrings;
  readonly cell: Cell | null;
  readonly onCell: (cell: Cell | null) => void;
}

const value = (of: number, texts: CheckpointStrings): string =>
  Number.isFinite(of) ? formatNumber(of) : texts.notFinite;

const largestOf = ({ data }: Matrix): number =>
  data.reduce((most, one) => (Math.abs(one) > most && Math.abs(one) < Infinity ? Math.abs(one) : most), 0);

/** Ends of a block, the last one included, as "12 to 23". */
const rangeInWords = (ends: readonly number[], at: number, texts: CheckpointStrings): string =>
  texts.range(formatWhole(ends[at]!), formatWhole(ends[at + 1]! - 1));

function heatMap(
  { texts, cell, onCell }: MapOptions,
  map: {
    readonly title: string;
    readonly matrix: Matrix;
    readonly kind: 'diverging' | 'sequential';
    readonly rowName: (row: number) => string;
    readonly colName: (col: number) => string;
    readonly describe: (cell: Cell, value: number) => string;
  },
): TemplateResult {
  const { matrix, title } = map;
  // Text that no cell has would shift the outline.
  const inside = cell !== null && cell.row < matrix.rows && cell.col < matrix.cols ? cell : null;
  const words =
    inside === null ? texts.pointHint : map.describe(inside, matrix.data[inside.row * matrix.cols + inside.col]!);
  return html`<p class="part-title" data-picture>${title}</p>
    <tied-heat-map
      .keys=${texts.gridKeys}
      .values=${matrix.data}
      .rowLabels=${Array.from({ length: matrix.rows }, (_, row) => map.rowName(row))}
      .colLabels=${Array.from({ length: matrix.cols }, (_, col) => map.colName(col))}
      .label=${`${title}.`}
      .rowTitle=${texts.rowAxis}
      .colTitle=${texts.colAxis}
      .kind=${map.kind}
      .limit=${largestOf(matrix)}
      .maxCell=${18}
      .describe=${map.describe}
      .cell=${inside}
      @tied-cell=${({ detail }: CellEvent) => onCell(detail.cell)}
    ></tied-heat-map>
    <p class="cell-words" aria-hidden="true">${words}</p>`;
}

/** The whole tensor, a cell for each block. */
export function blocksMap(report: TensorReport, measure: TensorMeasure, options: MapOptions): TemplateResult {
  const { texts } = options;
  const { blocks } = report;
  if (blocks === null) return html`<p class="aside">${texts.emptyTensor}</p>`;
  const { rowEnds, colEnds, means, sizes } = blocks;
  const name = texts.tensorMeasures[measure] ?? measure;
  return heatMap(options, {
    title: texts.blocksTitle(report.name, name),
    matrix: measure === 'size' ? sizes : means,
    kind: measure === 'size' ? 'sequential' : 'diverging',
    rowName: (row) => formatWhole(rowEnds[row]!),
    colName: (col) => formatWhole(colEnds[col]!),
    describe: ({ row, col }, found) =>
      texts.cellOfBlocks(
        rangeInWords(rowEnds, row, texts),
        rangeInWords(colEnds, col, texts),
        name,
        value(found, texts),
      ),
  });
}

/** A window, a cell for each element. `tokens`: the strings of the rows, for a token table. */
export function windowMap(
  { name, rows, cols, matrix }: ReadWindow,
  tokens: readonly string[] | null,
  options: MapOptions,
): TemplateResult {
  const { texts } = options;
  if (matrix.data.length === 0) return html`<p class="aside">${texts.emptyTensor}</p>`;
  const rowName = (row: number): string => {
    const token = tokens?.[rows.from + row] ?? '';
    return token === '' ? formatWhole(rows.from + row) : visibleToken(token);
  };
  const named = (row: number): string => {
    const id = formatWhole(rows.from + row);
    return rowName(row) === id ? id : `${id} (“${rowName(row)}”)`;
  };
  return heatMap(options, {
    title: texts.windowTitle(
      name,
      texts.range(formatWhole(rows.from), formatWhole(rows.to - 1)),
      texts.range(formatWhole(cols.from), formatWhole(cols.to - 1)),
    ),
    matrix,
    kind: 'diverging',
    rowName,
    colName: (col) => formatWhole(cols.from + col),
    describe: ({ row, col }, found) =>
      texts.cellOfWindow(named(row), formatWhole(cols.from + col), value(found, texts)),
  });
}

/** Its numbers, as a table. */
export function statisticsTable(report: TensorReport, texts: CheckpointStrings): TemplateResult {
  const { elements, nan, infinite, zeros, least, greatest, mean, standardDeviation, norms, rowLengths } = report;
  const share = (count: number): string =>
    count === 0 || count === elements
      ? formatWhole(count)
      : `${formatWhole(count)} (${texts.percent(formatNumber((100 * count) / elements, { significant: 2 }))})`;
  const rows: [string, Content][] = [
    [texts.elementCount, formatWhole(elements)],
    [texts.leastAndGreatest, `${value(least, texts)} … ${value(greatest, texts)}`],
    [texts.meanAndDeviation, `${value(mean, texts)} ± ${value(standardDeviation, texts)}`],
    [texts.euclideanNorm, value(norms.euclidean, texts)],
    [texts.sumNorm, value(norms.sum, texts)],
    [texts.zeros, share(zeros)],
    [texts.notNumbers, share(nan)],
    ...(infinite === 0 ? [] : [[texts.infinities, share(infinite)] satisfies [string, string]]),
  ];
  if (rowLengths !== null && report.rows > 1) {
    const { shortest, longest, mean: typical } = rowLengths;
    rows.push(
      [texts.meanRow, formatNumber(typical)],
      [texts.shortestRow, texts.ofRow(formatNumber(shortest.length), formatWhole(shortest.row))],
      [texts.longestRow, texts.ofRow(formatNumber(longest.length), formatWhole(longest.row))],
    );
  }
  return html`<div class="facts turned statistics" tabindex="0" role="region" aria-label=${texts.statistics}>
    ${dataTable({ caption: texts.statistics, head: [texts.quantity, texts.value], rows })}
  </div>`;
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const binsOf = ({ from, width, counts }: TensorHistogram): Bin[] =>
  counts.map((count, at) => ({ from: from + at * width, to: from + (at + 1) * width, count }));

function histogramPlot(histogram: TensorHistogram, texts: CheckpointStrings, width: number): Plot<Bin> {
  const bins = binsOf(histogram);
  const [first, last] = [bins[0]!, bins.at(-1)!];
  const most = bins.reduce((best, bin) => (bin.count > best.count ? bin : best));
  return plot({
    rows: bins,
    width,
    plotHeight: 150,
    margin: { left: 52, right: 14 },
    x: {
      domain: [first.from, last.to],
      ticks: 5,
      lines: 'below',
      format: (tick) => formatNumber(tick),
      title: texts.valueAxis,
    },
    y: { include: [0], nice: true, ticks: 3, format: (tick) => formatNumber(tick) },
    marks: () => [
      {
        y: [({ count }) => count],
        draw: ({ rows, x, y }) =>
          rows.map(({ from, to, count }) => {
            const [left, right, top] = [x(from), x(to), y(count)];
            return svg`<rect class="bin" x=${left + 0.5} y=${top} width=${Math.max(0.5, right - left - 1)} height=${y(0) - top}></rect>`;
          }),
      },
    ],
    describe: () => '',
    label: () =>
      texts.histogramLabel(formatNumber(first.from), formatNumber(last.to), formatNumber((most.from + most.to) / 2)),
    caption: texts.histogramTitle,
    head: [texts.valueColumnOf, texts.countColumn],
    cells: ({ from, to, count }) => [`${formatNumber(from)} … ${formatNumber(to)}`, formatWhole(count)],
  });
}

export function histogramView(
  { histogram }: TensorReport,
  texts: CheckpointStrings,
  width: number,
): TemplateResult | typeof nothing {
  if (histogram === null) return nothing;
  const { below, above } = histogram;
  return html`<div class="histogram">
    ${titled(texts.histogramTitle, histogramPlot(histogram, texts, width))}
    ${
      below + above === 0
        ? nothing
        : html`<p class="aside">${texts.histogramBeyond(formatWhole(below), formatWhole(above))}</p>`
    }
  </div>`;
}

/** The drawings as tables. */
export const tensorData = (report: TensorReport, texts: CheckpointStrings): Content =>
  report.histogram === null ? nothing : dataTable(histogramPlot(report.histogram, texts, 320).table);
