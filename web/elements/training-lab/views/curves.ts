import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole, niceDomain, smoothAt } from '../../../charts/index.js';
import type { Shown } from '../direct-path-shown.js';
import type { Arm } from '../direct-path-run.js';
import { extentOf, floorLines, historyRow, stepChart } from './step-chart.js';

/** How many batches a smoothed line averages over. */
export const smoothingWindow = 25;

const smoothedLoss = (values: ArrayLike<number>, index: number): number => smoothAt(values, index, smoothingWindow);

/** The drawn loss of an arm at a step: smoothed if the line is. */
export function drawnLoss(arm: Arm, step: number, batches: boolean): number | null {
  if (!batches) return arm.losses.at(Math.min(step, arm.losses.length - 1));
  const mean = smoothedLoss(arm.losses.values(), step);
  return Number.isFinite(mean) ? mean : null;
}

/** The stored step nearest to the pointer. */
export function nearestStop(stops: readonly number[], step: number): number | null {
  let best: number | null = null;
  for (const stop of stops) if (best === null || Math.abs(stop - step) < Math.abs(best - step)) best = stop;
  return best;
}

/** Loss against steps with the floors, and a slider over the stored steps. */
export function curves(shown: Shown, height: number): TemplateResult {
  const { texts, arms, bounds, stops, viewedStep, batches, onView } = shown;
  const spoken = arms.map((arm) => {
    const loss = drawnLoss(arm, viewedStep, batches) ?? Number.NaN;
    return `${texts.arms[arm.tying]} ${formatNumber(loss, { decimals: 3 })}`;
  });
  const smoothed = batches ? { dots: true, drawn: smoothedLoss } : {};
  const highest = Math.max(bounds.unigram, ...arms.map(({ losses }) => losses.at(0) ?? 0));
  return html`
    ${stepChart(shown, {
      label: `${texts.curves}; ${texts.step} ${formatWhole(viewedStep)}: ${spoken.join(', ')}`,
      yTitle: texts.lossAxis,
      // From below the lowest floor to above the highest loss, including that of step 0, so that the axis does not change.
      yDomain: (lines) => niceDomain(extentOf(bounds.bigram, highest, lines)),
      height,
      series: arms.map(({ tying, losses }) => ({
        ...smoothed,
        id: tying,
        role: tying,
        label: texts.arms[tying],
        values: losses,
        first: 0,
      })),
      references: floorLines(texts.floors, bounds, ['unigram', 'symmetricLogits', 'bigram']),
      onStep: (step) => void onView(nearestStop(stops, step)),
    })}
    ${historyRow(shown, {
      count: stops.length,
      at: stops.indexOf(viewedStep),
      stepAt: (index) => stops[index] ?? 0,
    })}
    ${batches ? html`<p class="note">${texts.smoothing(String(smoothingWindow))}</p>` : nothing}
  `;
}
