import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, niceDomain, smoothAt } from '../../../charts/index.js';
import type { Arm } from '../direct-path-run.js';
import { extentOf, floorLines, historyRow, stepChart } from './step-chart.js';
import type { Shown } from './shown.js';

/** How many batches a smoothed line averages over. */
export const smoothingWindow = 25;

const smoothedLoss = (values: ArrayLike<number>, index: number): number => smoothAt(values, index, smoothingWindow);

/** The drawn loss of an arm at a step: smoothed if the line is. */
export function drawnLoss(arm: Arm, step: number, batches: boolean): number | null {
  if (!batches) return arm.losses.at(Math.min(step, arm.losses.length - 1));
  const mean = smoothedLoss(arm.losses.values(), step);
  return Number.isFinite(mean) ? mean : null;
}

/** Loss against steps with the floors, and a slider over the stored steps. */
export function curves(shown: Shown, height: number): TemplateResult {
  const { texts, arms, bounds, viewedStep, batches } = shown;
  const smoothed = batches ? { dots: true, drawn: smoothedLoss } : {};
  const highest = Math.max(bounds.unigram, ...arms.map(({ losses }) => losses.at(0) ?? 0));
  return html`
    ${stepChart(shown, {
      title: `${texts.curves};`,
      spoken: (arm) => formatNumber(drawnLoss(arm, viewedStep, batches) ?? Number.NaN, { decimals: 3 }),
      yTitle: texts.lossAxis,
      // From below the lowest floor to above the highest loss, including that of step 0, so the axis does not change.
      yDomain: (lines) => niceDomain(extentOf(bounds.bigram, highest, lines)),
      height,
      line: ({ losses }) => ({ ...smoothed, values: losses }),
      references: floorLines(texts.floors, bounds, ['unigram', 'symmetricLogits', 'bigram']),
    })}
    ${historyRow(shown)} ${batches ? html`<p class="note">${texts.smoothing(String(smoothingWindow))}</p>` : nothing}
  `;
}
