import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { scatterPlot, type ScatterLabel, type ScatterPlotDrawing } from '../../charts/scatter-plot.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { axes } from '../shared/axes.js';
import type { ModelTableStrings } from './model-table.strings.js';
import { isTied, type ModelRow } from './model-rows.js';
import { ruleOf, thresholds } from './rule.js';
import type { ChartAxis } from './model-table.settings.js';
import { countText, percentText, stateText } from './columns.js';

/**
 * Every model by its size and one of two fractions. The thresholds of the rule of thumb, and the rings around models
 * that it gets wrong, belong to its own quantity and appear on that axis only.
 */

export interface SavingsChart {
  readonly texts: ModelTableStrings;
  readonly axis: ChartAxis;
  readonly width: number;
  /** All models, so the axes do not change while the reader filters. */
  readonly rows: readonly ModelRow[];
  /** Ids of the filtered models. */
  readonly chosen: ReadonlySet<string>;
  /** Ids of the model under the pointer or focus, of the one whose details are open, and of the chart's tab stop. */
  readonly pointed: string | null;
  readonly opened: string | null;
  readonly tabStop: string | null;
  readonly onPoint: (id: string | null) => void;
  readonly onOpen: (id: string) => void;
}

/** Half of a 24 px target, rounded up. */
const hitRadius = 12.5;
const ringRadius = 9;
/** Number of labels if the rule singles out no model: the largest fractions get them. */
const mostNames = 8;

/** Pixels within which the pointer selects a mark. */
const reach = 28;

const mark = (tied: boolean, x: number, y: number, size: number): SVGTemplateResult =>
  tied
    ? svg`<circle class="shape" cx=${x} cy=${y} r=${size}></circle>`
    : svg`<path class="shape" d=${`M${String(x)} ${String(y - size * 1.25)}l${String(size * 1.25)} ${String(size * 1.25)}l${String(-size * 1.25)} ${String(size * 1.25)}l${String(-size * 1.25)} ${String(-size * 1.25)}z`}></path>`;

export function savingsChart(chart: SavingsChart): TemplateResult {
  const { texts, axis, width, rows, chosen } = chart;
  const shown = rows.filter((row) => row.savedOfUntied !== null);
  const share = (row: ModelRow): number => (axis === 'rule' ? ruleOf(row).share : savedShare(row));
  const otherwise = new Set(
    axis === 'rule' ? shown.filter((row) => ruleOf(row).agrees === false).map(({ model }) => model.id) : [],
  );
  const roomy = width >= 520;
  // Largest fractions first; models that the rule gets wrong come before all others, so they get the best label
  // positions.
  const isWrong = (row: ModelRow): boolean => otherwise.has(row.model.id) && chosen.has(row.model.id);
  const ordered = [...shown].sort((a, b) => Number(isWrong(b)) - Number(isWrong(a)) || share(b) - share(a));
  const named = new Set(
    axis === 'rule' ? ordered.filter(isWrong) : ordered.filter(({ model }) => chosen.has(model.id)).slice(0, mostNames),
  );
  const drawing = scatterPlot({
    width,
    height: Math.round(Math.min(420, Math.max(300, width * 0.46))),
    points: ordered.map((row) => ({
      id: row.model.id,
      x: Number(row.total),
      y: share(row),
      ...(otherwise.has(row.model.id) ? { radius: ringRadius } : {}),
      ...(named.has(row) && roomy ? { label: row.model.name } : {}),
    })),
    references: axis === 'rule' ? references(texts, roomy) : [],
    xKind: 'log',
    formatY: (value) => texts.percent(formatNumber(value * 100)),
  });
  const byId = new Map(shown.map((row) => [row.model.id, row]));
  // From left to right: the order of the arrow keys.
  const points = [...drawing.points].sort((a, b) => a.x - b.x);
  const live = points.filter(({ id }) => chosen.has(id));
  const stop = live.some(({ id }) => id === chart.tabStop) ? chart.tabStop : (live[0]?.id ?? null);
  const nearest = (event: PointerEvent | MouseEvent): string | null => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best: { id: string; distance: number } | null = null;
    for (const point of live) {
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance <= reach && distance < (best?.distance ?? Infinity)) best = { id: point.id, distance };
    }
    return best?.id ?? null;
  };
  const onKey = (event: KeyboardEvent): void => {
    const at = live.findIndex(({ id }) => id === stop);
    const to = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: live.length - 1,
    }[event.key];
    const next = to === undefined ? undefined : live[Math.min(live.length - 1, Math.max(0, to))];
    if (next !== undefined) {
      event.preventDefault();
      chart.onPoint(next.id);
      const stage = event.currentTarget as SVGSVGElement;
      stage.querySelector<SVGGElement>(`[data-id="${CSS.escape(next.id)}"]`)?.focus();
    } else if ((event.key === 'Enter' || event.key === ' ') && stop !== null) {
      event.preventDefault();
      chart.onOpen(stop);
    }
  };
  return html`
    <svg
      class="chart ${chart.pointed === null ? '' : 'pointing'}"
      data-picture
      role="group"
      aria-label=${texts.chartLabel(formatWhole(live.length), axis)}
      width=${drawing.width}
      height=${drawing.height}
      @pointermove=${(event: PointerEvent) => chart.onPoint(nearest(event))}
      @pointerleave=${() => chart.onPoint(null)}
      @click=${(event: MouseEvent) => {
        const id = nearest(event);
        if (id !== null) chart.onOpen(id);
      }}
      @keydown=${onKey}
    >
      ${axes({ ...drawing, xTitle: texts.xTitle, yTitle: (roomy ? texts.yTitle : texts.yTitleShort)[axis] })}
      ${drawing.referenceLabels.map((label) => nameAt(label, 'reference-name'))}
      ${points.map(({ id, x, y }) => {
        const row = byId.get(id);
        if (row === undefined) return nothing;
        const tied = isTied(row);
        const isChosen = chosen.has(id);
        const isPointed = chart.pointed === id;
        return svg`<g
          data-id=${id}
          class="point ${tied ? 'is-tied' : 'is-untied'} ${isChosen ? '' : 'faded'} ${isPointed ? 'pointed' : ''} ${chart.opened === id ? 'opened' : ''}"
          role=${isChosen ? 'button' : 'presentation'}
          aria-hidden=${isChosen ? nothing : 'true'}
          aria-label=${isChosen ? `${row.model.name}, ${pointWords(row, chart)}` : nothing}
          tabindex=${isChosen ? (id === stop ? 0 : -1) : nothing}
          @focus=${() => chart.onPoint(id)}
          @blur=${() => chart.onPoint(null)}
        >
          <circle class="hit" cx=${x} cy=${y} r=${hitRadius}></circle>
          ${otherwise.has(id) ? svg`<circle class="otherwise" cx=${x} cy=${y} r=${ringRadius}></circle>` : nothing}
          ${mark(tied, x, y, isPointed ? 6 : 4.5)}
        </g>`;
      })}
      ${drawing.labels.map((label) => svg`${leaderOf(label)}${nameAt(label, 'name')}`)}
      ${pointedWords(chart, drawing, byId)}
    </svg>
    <ul class="legend" data-picture>
      <li class="is-tied">${legendMark('tied')}${texts.legendTied[axis]}</li>
      <li class="is-untied">${legendMark('untied')}${texts.legendUntied[axis]}</li>
      ${axis === 'rule' ? html`<li>${legendMark('otherwise')}${texts.legendOtherwise}</li>` : nothing}
    </ul>
  `;
}

const savedShare = (row: ModelRow): number => row.savedOfUntied ?? 0;

/** Size and fractions of a model as text. */
const pointWords = (row: ModelRow, { texts, axis }: SavingsChart): string => {
  const [state, total, saved] = [stateText(row, texts), countText(row.total), percentText(savedShare(row))];
  return axis === 'rule'
    ? texts.pointedByRule(state, total, percentText(ruleOf(row).share), saved)
    : texts.pointed(state, total, saved);
};

const references = (texts: ModelTableStrings, roomy: boolean) => [
  {
    id: 'tie',
    value: thresholds.tie,
    label: roomy ? texts.tieLine(texts.percent(percentText(thresholds.tie, 0))) : texts.tieLineShort,
  },
  {
    id: 'do-not-tie',
    value: thresholds.doNotTie,
    label: roomy ? texts.doNotTieLine(texts.percent(percentText(thresholds.doNotTie, 0))) : texts.doNotTieLineShort,
  },
];

const nameAt = ({ x, y, anchor, text }: ScatterLabel, look: string): SVGTemplateResult =>
  svg`<text class=${look} x=${x} y=${y} text-anchor=${anchor} dominant-baseline="central">${text}</text>`;

const leaderOf = ({ leader }: ScatterLabel): SVGTemplateResult | typeof nothing =>
  leader === undefined
    ? nothing
    : svg`<line class="leader" x1=${leader.x1} y1=${leader.y1} x2=${leader.x2} y2=${leader.y2}></line>`;

/** Name and numbers of the selected model, above its mark and inside the drawing. */
function pointedWords(
  chart: SavingsChart,
  { points, plot }: ScatterPlotDrawing,
  rows: ReadonlyMap<string, ModelRow>,
): SVGTemplateResult | typeof nothing {
  const point = points.find(({ id }) => id === chart.pointed);
  const row = rows.get(chart.pointed ?? '');
  if (point === undefined || row === undefined) return nothing;
  const words = pointWords(row, chart);
  const length = Math.max([...row.model.name].length, [...words].length) * 7.2;
  const left = Math.max(plot.left, Math.min(plot.right - length, point.x - length / 2));
  const above = point.y - 44 > plot.top;
  const y = above ? point.y - 32 : point.y + 26;
  return svg`<g class="pointed-words" aria-hidden="true">
    <rect x=${left - 6} y=${y - 16} width=${length + 12} height="40" rx="4"></rect>
    <text class="pointed-name" x=${left} y=${y}>${row.model.name}</text>
    <text x=${left} y=${y + 17}>${words}</text>
  </g>`;
}

const legendMark = (kind: 'tied' | 'untied' | 'otherwise'): TemplateResult => html`
  <svg class="key" width="20" height="20" aria-hidden="true">
    <g class="point ${kind === 'otherwise' ? '' : `is-${kind}`}">
      ${kind === 'otherwise' ? svg`<circle class="otherwise" cx="10" cy="10" r="8"></circle>` : mark(kind === 'tied', 10, 10, 4.5)}
    </g>
  </svg>
`;
