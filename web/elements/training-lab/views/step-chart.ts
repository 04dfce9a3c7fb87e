import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole, type ReferenceLine } from '../../../charts/index.js';
import { button, checkbox } from '../../shared/controls.js';
import type { CornerNote, CursorEvent, RoleSeries } from '../../shared/line-chart-view.js';
import { thinnedIndices, type GrowingSeries } from '../history.js';
import type { ShownArm, ShownRun } from '../shown-run.js';

/** Points per line; charts are rarely a thousand pixels wide. */
const mostPoints = 700;

/** The line of a model, with one value per step. */
export interface StepLine extends Partial<Omit<RoleSeries, 'x' | 'y' | 'raw'>> {
  readonly values: GrowingSeries;
  /** What is drawn at an index, for example a mean. Default: the value itself. */
  readonly drawn?: (values: Float32Array, index: number) => number;
  /** Whether the values themselves are drawn as dots behind the line. */
  readonly dots?: boolean;
}

/** As many points as are visible, spaced like the axis; `first` is the step of the first value. */
function lineOf(
  { kind }: ShownArm,
  { values: series, drawn, dots, ...line }: StepLine,
  { texts, look, first }: Pick<ShownRun, 'texts' | 'look' | 'first'>,
): RoleSeries {
  const values = series.values();
  const own = (index: number): number => values[index] ?? Number.NaN;
  const indices = thinnedIndices(values.length, mostPoints, !look.linearSteps)
    // A log scale has no step 0.
    .filter((index) => look.linearSteps || index + first > 0);
  const y = drawn === undefined ? indices.map(own) : indices.map((index) => drawn(values, index));
  const x = indices.map((index) => index + first);
  const raw = dots === true ? { raw: indices.map(own) } : {};
  return { ...line, id: kind, role: kind, label: texts.arms[kind], x, y, ...raw };
}

/** The step axis: from the start to at least the planned end. */
const stepAxis = ({ look, settings, step }: ShownRun): [number, number] => [
  look.linearSteps ? 0 : 1,
  Math.max(settings.steps, step, 2),
];

/** The stored step nearest to the pointer. */
export const nearestStop = (stops: readonly number[], step: number): number | null =>
  stops.reduce<number | null>(
    (best, stop) => (Math.abs(stop - step) < Math.abs((best ?? Infinity) - step) ? stop : best),
    null,
  );

/** Values against steps, with a cursor at the viewed step; pressing and dragging moves it. */
export function stepChart<Arm extends ShownArm>(
  shown: ShownRun<Arm>,
  options: {
    title: string;
    /** The value of a model at the viewed step. */
    spoken: (arm: Arm) => string;
    yTitle: string;
    /** Computed from the values that are drawn. */
    yDomain: (lines: readonly RoleSeries[]) => readonly [number, number];
    height: number;
    line: (arm: Arm, index: number) => StepLine;
    references: readonly ReferenceLine[];
    referencesInside?: 'left' | 'right' | null;
    notes?: readonly CornerNote[];
    decimals?: number;
  },
): TemplateResult {
  const { texts, look, arms, first, step, viewedStep, stops, everyStep, onView } = shown;
  const { referencesInside = null, notes = [], decimals = 3 } = options;
  const lines = arms.map((arm, index) => lineOf(arm, options.line(arm, index), shown));
  // Without values, there is nothing to read at a step.
  const cursor = step < first ? null : look.linearSteps ? viewedStep : Math.max(1, viewedStep);
  const values = arms.map((arm) => `${texts.arms[arm.kind]} ${options.spoken(arm)}`).join(', ');
  const label = `${options.title} ${texts.step} ${formatWhole(viewedStep)}${viewedStep < first ? '' : `: ${values}`}`;
  return html`
    <tied-line-chart
      label=${label}
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
      .cursor=${cursor}
      @tied-cursor=${({ detail: { x, pressed } }: CursorEvent) => {
        if (x !== null && pressed) onView(everyStep ? Math.min(step, Math.round(x)) : nearestStop(stops, x));
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

/**
 * A slider over the steps that can be viewed, a button that goes to the newest one, and the choice of the step axis.
 */
export function historyRow(shown: ShownRun): TemplateResult {
  const { texts, look, step, viewedStep, viewsNewest, stops, everyStep, onLook, onView } = shown;
  const last = everyStep ? step : stops.length - 1;
  const moment = texts.historyValue(formatWhole(viewedStep));
  const at = everyStep ? viewedStep : stops.indexOf(viewedStep);
  const canGoBack = last > 0;
  return html`
    <div class="row tight history rest">
      <label class="scrubber">
        <span class="legend">${texts.history}</span>
        <input
          type="range"
          min="0"
          max=${Math.max(1, last)}
          step="1"
          ?disabled=${!canGoBack}
          .value=${String(canGoBack ? at : 1)}
          aria-valuetext=${moment}
          @input=${(event: Event) => {
            const chosen = Number((event.target as HTMLInputElement).value);
            onView(everyStep ? chosen : (stops[chosen] ?? 0));
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
