import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole, niceDomain, smoothAt, type ReferenceLine } from '../../../charts/index.js';
import type { BigramBounds } from '../../../core/types.js';
import type { Arm } from '../direct-path-run.js';
import { thinnedIndices } from '../history.js';
import { button, checkbox } from '../../shared/controls.js';
import type { CursorEvent, RoleSeries } from '../../shared/line-chart-view.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';

export interface CurvesOptions {
  texts: TrainingLabStrings;
  height: number;
  arms: readonly Arm[];
  bounds: BigramBounds;
  /** Losses are of single batches, so that a smoothed line is drawn over them. */
  batches: boolean;
  logarithmic: boolean;
  /** The right end of the step axis, at least. */
  plannedSteps: number;
  step: number;
  /** Steps that can be looked back at, ascending; the last is the newest. */
  stops: readonly number[];
  viewedStep: number;
  viewsNewest: boolean;
  onLogarithmic: (logarithmic: boolean) => void;
  /** Null: the newest. */
  onView: (step: number | null) => void;
}

/** Points drawn a line; a chart is seldom a thousand pixels wide. */
const mostPoints = 700;

/** How many batches a smoothed line averages over. */
export const smoothingWindow = 25;

function seriesOf(arm: Arm, { texts, logarithmic, batches }: CurvesOptions): RoleSeries {
  const values = arm.losses.values();
  // Step 0 has no place on a log scale.
  const indices = thinnedIndices(values.length, mostPoints, logarithmic).filter((index) => !logarithmic || index > 0);
  const pick = (from: ArrayLike<number>): number[] => indices.map((index) => from[index] ?? Number.NaN);
  const line = { id: arm.tying, role: arm.tying, label: texts.arms[arm.tying], x: indices };
  return batches
    ? { ...line, y: indices.map((index) => smoothAt(values, index, smoothingWindow)), raw: pick(values) }
    : { ...line, y: pick(values) };
}

/** The loss that is drawn for an arm at a step: smoothed where the line is. */
export function drawnLoss(arm: Arm, step: number, batches: boolean): number | null {
  if (!batches) return arm.losses.at(Math.min(step, arm.losses.length - 1));
  const mean = smoothAt(arm.losses.values(), step, smoothingWindow);
  return Number.isFinite(mean) ? mean : null;
}

/** The kept step nearest to where the reader pointed. */
export function nearestStop(stops: readonly number[], step: number): number | null {
  let best: number | null = null;
  for (const stop of stops) if (best === null || Math.abs(stop - step) < Math.abs(best - step)) best = stop;
  return best;
}

/** From under the lowest floor to over the highest loss, the start included, so that the axis stays where it is. */
function lossDomain(series: readonly RoleSeries[], arms: readonly Arm[], bounds: BigramBounds): [number, number] {
  let [low, high] = [bounds.bigram, Math.max(bounds.unigram, ...arms.map(({ losses }) => losses.at(0) ?? 0))];
  for (const { y, raw } of series) {
    for (const values of [y, raw ?? []]) {
      for (const value of Array.from(values)) {
        if (value > high) high = value;
        if (value < low) low = value;
      }
    }
  }
  return niceDomain([low, high]);
}

/** Loss against steps with the floors, and a slider that goes back through the kept steps. */
export function curves(options: CurvesOptions): TemplateResult {
  const { texts, bounds, logarithmic, plannedSteps, step, stops, viewedStep, batches } = options;
  const last = Math.max(plannedSteps, step, 2);
  const references: ReferenceLine[] = (['unigram', 'symmetricLogits', 'bigram'] as const).map((floor) => ({
    id: floor,
    label: `${texts.floors[floor]} ${formatNumber(bounds[floor], { decimals: 2 })}`,
    value: bounds[floor],
  }));
  const moment = `${texts.step} ${formatWhole(viewedStep)}`;
  const spoken = options.arms
    .map((arm) => {
      const loss = drawnLoss(arm, viewedStep, batches) ?? Number.NaN;
      return `${texts.arms[arm.tying]} ${formatNumber(loss, { decimals: 3 })}`;
    })
    .join(', ');
  const series = options.arms.map((arm) => seriesOf(arm, options));
  return html`
    <tied-line-chart
      label="${texts.curves}; ${moment}: ${spoken}"
      .series=${series}
      .references=${references}
      x-name=${texts.step}
      x-title=${logarithmic ? texts.stepAxisLog : texts.stepAxis}
      y-title=${texts.lossAxis}
      x-kind=${logarithmic ? 'log' : 'linear'}
      .xDomain=${logarithmic ? [1, last] : [0, last]}
      .yDomain=${lossDomain(series, options.arms, bounds)}
      .height=${options.height}
      .cursor=${logarithmic ? Math.max(1, viewedStep) : viewedStep}
      @tied-cursor=${(event: CursorEvent) => {
        const { x, pressed } = event.detail;
        if (x !== null && pressed) options.onView(nearestStop(stops, x));
      }}
    ></tied-line-chart>
    <div class="row tight history">
      <label class="scrubber">
        <span class="legend">${texts.history}</span>
        <input
          type="range"
          min="0"
          max=${Math.max(1, stops.length - 1)}
          step="1"
          ?disabled=${stops.length < 2}
          .value=${String(stops.length < 2 ? 1 : stops.indexOf(viewedStep))}
          aria-valuetext=${texts.historyValue(formatWhole(viewedStep))}
          @input=${(event: Event) => {
            options.onView(stops[Number((event.target as HTMLInputElement).value)] ?? null);
          }}
        />
        <span class="value">${texts.historyValue(formatWhole(viewedStep))}</span>
      </label>
      ${button({
        label: texts.newest,
        kind: 'quiet',
        disabled: options.viewsNewest,
        onPress: () => {
          options.onView(null);
        },
      })}
      ${checkbox({ label: texts.logSteps, checked: logarithmic, onChange: options.onLogarithmic })}
    </div>
    ${batches ? html`<p class="note">${texts.smoothing(String(smoothingWindow))}</p>` : nothing}
  `;
}
