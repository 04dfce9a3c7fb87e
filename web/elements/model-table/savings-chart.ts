import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { circle, diamond } from '../../charts/drawing.js';
import type { Frame, Mark } from '../../charts/marks.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { placeNames, type PlacedName } from '../../charts/place-names.js';
import { plot } from '../../charts/plot.js';
import { niceDomain } from '../../charts/scale.js';
import type { ModelTableStrings } from './model-table.strings.js';
import { isTied, type ModelRow } from './model-rows.js';
import { ruleOf, thresholds } from './rule.js';
import type { ChartAxis } from './rule.js';
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

const mark = (row: ModelRow, x: number, y: number, size: number): SVGTemplateResult =>
  (isTied(row) ? circle(size) : diamond(size * 1.25))('shape', x, y);

/** What is drawn of the models: from the most important to the least, in whose order they get their names. */
interface Drawn {
  readonly chart: SavingsChart;
  readonly share: (row: ModelRow) => number;
  /** Models about which the rule of thumb is wrong, and those with a name. */
  readonly otherwise: ReadonlySet<ModelRow>;
  readonly named: ReadonlySet<ModelRow>;
  readonly roomy: boolean;
}

export function savingsChart(chart: SavingsChart): TemplateResult {
  const { texts, axis, width, rows, chosen } = chart;
  const shown = rows.filter((row) => row.savedOfUntied !== null);
  const share = (row: ModelRow): number => (axis === 'rule' ? ruleOf(row).share : savedShare(row));
  const otherwise = new Set(axis === 'rule' ? shown.filter((row) => ruleOf(row).agrees === false) : []);
  const roomy = width >= 520;
  // Largest fractions first; models that the rule gets wrong come before all others, so they get the best label
  // positions.
  const isWrong = (row: ModelRow): boolean => otherwise.has(row) && chosen.has(row.model.id);
  const ordered = [...shown].sort((a, b) => Number(isWrong(b)) - Number(isWrong(a)) || share(b) - share(a));
  const named = new Set(
    axis === 'rule' ? ordered.filter(isWrong) : ordered.filter(({ model }) => chosen.has(model.id)).slice(0, mostNames),
  );
  const drawn: Drawn = { chart, share, otherwise, named, roomy };
  const { frame, content, key } = plot({
    rows: ordered,
    width,
    ...sizes(width),
    ...axesOf(drawn, ordered),
    marks: () => [pointedWords(drawn), points(drawn), namesOf(drawn)],
  });
  const places = placesOf(drawn, frame);
  const live = places.filter(({ row }) => chosen.has(row.model.id));
  const stop = stopOf(chart, live);
  const nearest = (event: PointerEvent | MouseEvent): string | null => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best: { id: string; distance: number } | null = null;
    for (const point of live) {
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance <= reach && distance < (best?.distance ?? Infinity)) best = { id: point.row.model.id, distance };
    }
    return best?.id ?? null;
  };
  const onKey = (event: KeyboardEvent): void => {
    const at = live.findIndex(({ row }) => row.model.id === stop);
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
      const { id } = next.row.model;
      chart.onPoint(id);
      const stage = event.currentTarget as SVGSVGElement;
      stage.querySelector<SVGGElement>(`[data-id="${CSS.escape(id)}"]`)?.focus();
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
      width=${width}
      height=${frame.height}
      @pointermove=${(event: PointerEvent) => chart.onPoint(nearest(event))}
      @pointerleave=${() => chart.onPoint(null)}
      @click=${(event: MouseEvent) => {
        const id = nearest(event);
        if (id !== null) chart.onOpen(id);
      }}
      @keydown=${onKey}
    >
      ${content}
    </svg>
    ${key}
  `;
}

const sizes = (width: number) => {
  const margin = { left: 40, right: 10, top: 28, bottom: 44 };
  return { margin, plotHeight: Math.round(Math.min(420, Math.max(300, width * 0.46))) - margin.top - margin.bottom };
};

/** A log axis of sizes, and fractions from 0 to a round number above all of them. */
function axesOf({ chart: { texts, axis, width }, share, roomy }: Drawn, rows: readonly ModelRow[]) {
  const totals = rows.map(({ total }) => Number(total));
  const [low, high] = totals.length === 0 ? [1, 10] : [Math.min(...totals), Math.max(...totals)];
  const margin = low === high ? 2 : (high / low) ** 0.04;
  const xDomain = [low / margin, high * margin] as const;
  // Whole decades only: 1, 10, 100 are easier to read than 1, 2, 10, 20.
  const room = Math.max(2, Math.round(width / 90));
  const decades = Math.floor(Math.log10(xDomain[1] / xDomain[0]));
  const highest = Math.max(0, ...rows.map(share), ...levelsOf(axis));
  const x = {
    kind: 'log',
    domain: xDomain,
    ticks: decades >= 2 ? Math.min(room, decades) : room,
    lines: 'below',
  } as const;
  const y = {
    domain: niceDomain([0, highest === 0 ? 1 : highest], 4),
    format: (value: number) => texts.percent(formatNumber(value * 100)),
  };
  return { x: { ...x, title: texts.xTitle }, y: { ...y, title: (roomy ? texts.yTitle : texts.yTitleShort)[axis] } };
}

interface Place {
  readonly row: ModelRow;
  readonly x: number;
  readonly y: number;
}

/** From left to right: the order of the arrow keys. */
const placesOf = ({ share }: Drawn, { rows, x, y }: Frame<ModelRow>): Place[] =>
  rows.map((row) => ({ row, x: x(Number(row.total)), y: y(share(row)) })).sort((a, b) => a.x - b.x);

const stopOf = ({ tabStop }: SavingsChart, live: readonly Place[]): string | null =>
  live.some(({ row }) => row.model.id === tabStop) ? tabStop : (live[0]?.row.model.id ?? null);

const keysOf = ({ texts, axis }: SavingsChart): NonNullable<Mark<ModelRow>['key']> => {
  const kinds = [
    ['tied', circle(4.5)('shape', 7, 7), texts.legendTied[axis]],
    ['untied', diamond(4.5 * 1.25)('shape', 7, 7), texts.legendUntied[axis]],
    ['otherwise', circle(6.5)('otherwise', 7, 7), texts.legendOtherwise],
  ] as const;
  return (axis === 'rule' ? kinds : kinds.slice(0, 2)).map(([kind, sign, words]) => ({
    sign: svg`<g class="point is-${kind}">${sign}</g>`,
    words,
  }));
};

/** The models, as buttons. */
const points = (drawn: Drawn): Mark<ModelRow> => ({
  key: keysOf(drawn.chart),
  draw: (frame) => {
    const { chart, otherwise } = drawn;
    const places = placesOf(drawn, frame);
    const stop = stopOf(
      chart,
      places.filter(({ row }) => chart.chosen.has(row.model.id)),
    );
    return places.map(({ row, x, y }) => {
      const { id, name } = row.model;
      const isChosen = chart.chosen.has(id);
      const isPointed = chart.pointed === id;
      return svg`<g
        data-id=${id}
        class="point ${isTied(row) ? 'is-tied' : 'is-untied'} ${isChosen ? '' : 'faded'} ${isPointed ? 'pointed' : ''} ${chart.opened === id ? 'opened' : ''}"
        role=${isChosen ? 'button' : 'presentation'}
        aria-hidden=${isChosen ? nothing : 'true'}
        aria-label=${isChosen ? `${name}, ${pointWords(row, chart)}` : nothing}
        tabindex=${isChosen ? (id === stop ? 0 : -1) : nothing}
        @focus=${() => chart.onPoint(id)}
        @blur=${() => chart.onPoint(null)}
      >
        ${circle(hitRadius)('hit', x, y)}
        ${otherwise.has(row) ? circle(ringRadius)('otherwise', x, y) : nothing}
        ${mark(row, x, y, isPointed ? 6 : 4.5)}
      </g>`;
    });
  },
});

/** Names of models, the thresholds of the rule with theirs, and the axis. */
const namesOf = ({ chart: { texts, axis }, share, otherwise, named, roomy }: Drawn): Mark<ModelRow> => ({
  draw: ({ rows, x, y, plot: area }) => {
    const [tie, doNotTie] = roomy
      ? [
          texts.tieLine(texts.percent(percentText(thresholds.tie, 0))),
          texts.doNotTieLine(texts.percent(percentText(thresholds.doNotTie, 0))),
        ]
      : [texts.tieLineShort, texts.doNotTieLineShort];
    const levels = levelsOf(axis).map((value, at) => ({ y: y(value), name: at === 0 ? tie : doNotTie }));
    const { names, levelNames } = placeNames(
      rows.map((row) => ({
        ...{ x: x(Number(row.total)), y: y(share(row)), radius: otherwise.has(row) ? ringRadius : 5 },
        ...(named.has(row) && roomy ? { name: row.model.name } : {}),
      })),
      levels,
      area,
    );
    const across = (at: number, look: string): SVGTemplateResult =>
      svg`<line class=${look} x1=${area.left} x2=${area.right} y1=${at} y2=${at}></line>`;
    return svg`
      ${across(area.bottom, 'tick')} ${levels.map((level) => across(level.y, 'reference'))}
      ${levelNames.map((label) => nameAt(label, 'reference-name'))} ${names.map((label) => nameAt(label, 'name'))}`;
  },
});

const levelsOf = (axis: ChartAxis): readonly number[] => (axis === 'rule' ? [thresholds.tie, thresholds.doNotTie] : []);

const savedShare = (row: ModelRow): number => row.savedOfUntied ?? 0;

/** Size and fractions of a model as text. */
const pointWords = (row: ModelRow, { texts, axis }: SavingsChart): string => {
  const [state, total, saved] = [stateText(row, texts), countText(row.total), percentText(savedShare(row))];
  return axis === 'rule'
    ? texts.pointedByRule(state, total, percentText(ruleOf(row).share), saved)
    : texts.pointed(state, total, saved);
};

const nameAt = ({ x, y, anchor, text, leader }: PlacedName, look: string): SVGTemplateResult => svg`
  ${leader === undefined ? nothing : svg`<line class="leader" x1=${leader.x1} y1=${leader.y1} x2=${leader.x2} y2=${leader.y2}></line>`}
  <text class=${look} x=${x} y=${y} text-anchor=${anchor} dominant-baseline="central">${text}</text>`;

/** Name and numbers of the selected model, above its mark and inside the drawing. */
const pointedWords = ({ chart, share }: Drawn): Mark<ModelRow> => ({
  draw: ({ rows, x, y, plot: area }) => {
    const row = rows.find(({ model }) => model.id === chart.pointed);
    if (row === undefined) return nothing;
    const words = pointWords(row, chart);
    const length = Math.max([...row.model.name].length, [...words].length) * 7.2;
    const left = Math.max(area.left, Math.min(area.right - length, x(Number(row.total)) - length / 2));
    const middle = y(share(row));
    const baseline = middle - 44 > area.top ? middle - 32 : middle + 26;
    return svg`<g class="pointed-words" aria-hidden="true">
      <rect x=${left - 6} y=${baseline - 16} width=${length + 12} height="40" rx="4"></rect>
      <text class="pointed-name" x=${left} y=${baseline}>${row.model.name}</text>
      <text x=${left} y=${baseline + 17}>${words}</text>
    </g>`;
  },
});
