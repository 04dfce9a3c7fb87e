import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole, type ReferenceLine } from '../../../charts/index.js';
import { button, checkbox } from '../../shared/controls.js';
import type { CornerNote, CursorEvent, RoleSeries } from '../../shared/line-chart-view.js';
import type { ShownRun } from '../mode.js';

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
    yDomain: readonly [number, number];
    height: number;
    series: readonly RoleSeries[];
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
  return html`
    <tied-line-chart
      label=${options.label}
      .series=${options.series}
      .references=${options.references}
      .referencesInside=${referencesInside}
      .notes=${notes}
      x-name=${texts.step}
      x-title=${look.linearSteps ? texts.stepAxis : texts.stepAxisLog}
      y-title=${options.yTitle}
      x-kind=${look.linearSteps ? 'linear' : 'log'}
      .xDomain=${stepAxis(shown)}
      .yDomain=${options.yDomain}
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

/** The smallest and the largest of `low`, `high` and all values. */
export function extentOf(low: number, high: number, values: readonly ArrayLike<number>[]): [number, number] {
  let [least, most] = [low, high];
  for (const some of values) {
    for (let index = 0; index < some.length; index += 1) {
      const value = some[index] ?? Number.NaN;
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
