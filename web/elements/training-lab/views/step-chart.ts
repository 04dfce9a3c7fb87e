import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole, type ReferenceLine } from '../../../charts/index.js';
import { button, checkbox } from '../../shared/controls.js';
import type { CornerNote, CursorEvent, RoleSeries } from '../../shared/line-chart-view.js';
import { thinnedIndices, type GrowingSeries } from '../history.js';
import type { ShownRun } from '../mode.js';

/** Points per line; charts are rarely a thousand pixels wide. */
const mostPoints = 700;

/** A line with one value a step. */
export interface StepSeries extends Omit<RoleSeries, 'x' | 'y' | 'raw'> {
  readonly values: GrowingSeries;
  /** The step of the first value. */
  readonly first: 0 | 1;
  /** What is drawn at an index, such as a mean. Default: the value itself. */
  readonly drawn?: (values: Float32Array, index: number) => number;
  /** The values themselves are dots behind the line. */
  readonly dots?: boolean;
}

/** As many points as can be seen, spaced as the axis is. */
function lineOf({ values: series, first, drawn, dots, ...line }: StepSeries, logarithmic: boolean): RoleSeries {
  const values = series.values();
  const own = (index: number): number => values[index] ?? Number.NaN;
  const indices = thinnedIndices(values.length, mostPoints, logarithmic)
    // A log scale has no step 0.
    .filter((index) => !logarithmic || index + first > 0);
  const y = drawn === undefined ? indices.map(own) : indices.map((index) => drawn(values, index));
  const x = indices.map((index) => index + first);
  return { ...line, x, y, ...(dots === true ? { raw: indices.map(own) } : {}) };
}

/** The step axis: from the start to the planned end at least. */
const stepAxis = ({ look, settings, step }: ShownRun): [number, number] => [
  look.linearSteps ? 0 : 1,
  Math.max(settings.steps, step, 2),
];

/** Values against steps, with a cursor at the viewed step; pressing and dragging moves it. */
export function stepChart(
  shown: ShownRun,
  options: {
    label: string;
    yTitle: string;
    /** Of the values that are drawn. */
    yDomain: (lines: readonly RoleSeries[]) => readonly [number, number];
    height: number;
    series: readonly StepSeries[];
    references: readonly ReferenceLine[];
    referencesInside?: 'left' | 'right' | null;
    notes?: readonly CornerNote[];
    decimals?: number;
    cursor?: number | null;
    onStep: (step: number) => void;
  },
): TemplateResult {
  const { texts, look, viewedStep } = shown;
  const { referencesInside = null, notes = [], decimals = 3, cursor = viewedStep } = options;
  const lines = options.series.map((one) => lineOf(one, !look.linearSteps));
  return html`
    <tied-line-chart
      label=${options.label}
      .series=${lines}
      .references=${options.references}
      .referencesInside=${referencesInside}
      .notes=${notes}
      x-name=${texts.step}
      x-title=${look.linearSteps ? texts.stepAxis : texts.stepAxisLog}
      y-title=${options.yTitle}
      x-kind=${look.linearSteps ? 'linear' : 'log'}
      .xDomain=${stepAxis(shown)}
      .yDomain=${options.yDomain(lines)}
      .decimals=${decimals}
      .height=${options.height}
      .cursor=${cursor === null || look.linearSteps ? cursor : Math.max(1, cursor)}
      @tied-cursor=${({ detail: { x, pressed } }: CursorEvent) => {
        if (x !== null && pressed) options.onStep(x);
      }}
    ></tied-line-chart>
  `;
}

/** The floors of a text as levels of a chart of losses. */
export const floorLines = <Floor extends string>(
  names: Readonly<Record<Floor, string>>,
  floors: Readonly<Record<Floor, number>>,
  drawn: readonly Floor[],
): ReferenceLine[] =>
  drawn.map((id) => ({
    id,
    label: `${names[id]} ${formatNumber(floors[id], { decimals: 2 })}`,
    value: floors[id],
  }));

/** The smallest and the largest of `low`, `high` and all values that are drawn. */
export function extentOf(low: number, high: number, lines: readonly RoleSeries[]): [number, number] {
  let [least, most] = [low, high];
  for (const values of lines.flatMap(({ y, raw = [], marks }) => [y, raw, marks?.y ?? []])) {
    for (const value of Array.from(values)) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return [least, most];
}

/** A slider over `steps`, a button to the newest one, and the choice of the step axis. */
export function historyRow(
  shown: ShownRun,
  steps: { count: number; at: number; stepAt: (index: number) => number },
): TemplateResult {
  const { texts, look, viewedStep, viewsNewest, onLook, onView } = shown;
  const moment = texts.historyValue(formatWhole(viewedStep));
  const canGoBack = steps.count > 1;
  return html`
    <div class="row tight history">
      <label class="scrubber">
        <span class="legend">${texts.history}</span>
        <input
          type="range"
          min="0"
          max=${Math.max(1, steps.count - 1)}
          step="1"
          ?disabled=${!canGoBack}
          .value=${String(canGoBack ? steps.at : 1)}
          aria-valuetext=${moment}
          @input=${(event: Event) => {
            onView(steps.stepAt(Number((event.target as HTMLInputElement).value)));
          }}
        />
        <span class="value">${moment}</span>
      </label>
      ${button({
        label: texts.newest,
        kind: 'quiet',
        disabled: viewsNewest,
        onPress: () => void onView(null),
      })}
      ${checkbox({
        label: texts.logSteps,
        checked: !look.linearSteps,
        onChange: (logarithmic) => void onLook({ linearSteps: !logarithmic }),
      })}
    </div>
  `;
}
