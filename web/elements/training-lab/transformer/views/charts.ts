import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole, niceDomain } from '../../../../charts/index.js';
import { segmented } from '../../../shared/controls.js';
import type { CornerNote, RoleSeries } from '../../../shared/line-chart-view.js';
import type { ShownRun } from '../../mode.js';
import { extentOf, floorLines, stepChart } from '../../views/step-chart.js';
import type { FinishedTransformerRun, TextFacts } from '../finished-run.js';
import type { TransformerArm } from '../run.js';
import type { Sample } from '../samples.js';
import type { TransformerSettings } from '../settings.js';
import { lossAt, outputPercent, outputShareAt, smoothed, smoothingWindow } from '../readings.js';

/** A run of small GPTs to draw: the reader's, or a finished one. */
export interface Shown extends ShownRun {
  readonly arms: readonly TransformerArm[];
  readonly bounds: { readonly unigram: number; readonly bigram: number };
  readonly text: TextFacts;
  readonly settings: TransformerSettings;
  readonly samples: readonly Sample[];
  readonly finished: FinishedTransformerRun | null;
}

const percent = (share: number | null): string =>
  share === null || !Number.isFinite(share) ? '–' : formatNumber(100 * share, { decimals: 0 });

/** Options of both charts: no cursor before the first step, any step can be viewed, and names of levels avoid the lines. */
const common = ({ look, step, viewedStep, onView }: Shown) =>
  ({
    referencesInside: look.linearSteps ? 'right' : 'left',
    cursor: step === 0 ? null : viewedStep,
    onStep: (at: number) => void onView(Math.min(step, Math.round(at))),
  }) as const;

/** ", step 5: tied 2.1, untied 2.0" */
function spoken(chart: Shown, valueOf: (arm: TransformerArm) => string): string {
  const { texts, arms, viewedStep } = chart;
  const values = arms.map((arm) => `${texts.arms[arm.kind]} ${valueOf(arm)}`).join(', ');
  return `${texts.step} ${formatWhole(viewedStep)}${viewedStep === 0 ? '' : `: ${values}`}`;
}

/** What the lines of an arm have in both charts; the first value is of step 1. */
const lineOf = ({ kind }: TransformerArm, { texts }: Shown) =>
  ({ id: kind, role: kind, label: texts.arms[kind], first: 1 }) as const;

/** Measurements on held-out text; a log scale has no step 0. */
function heldOutMarks({ heldOut: { steps, losses } }: TransformerArm, { look }: Shown): RoleSeries['marks'] & object {
  const from = !look.linearSteps && steps[0] === 0 ? 1 : 0;
  return { x: steps.slice(from), y: losses.slice(from) };
}

/** From a tenth below the lowest loss, without single batches, to the loss of an untrained model. */
function lossDomain(lines: readonly RoleSeries[], { bounds, text }: Shown): [number, number] {
  const means = lines.map((line) => ({ ...line, raw: [] }));
  const [low, high] = extentOf(bounds.bigram, Math.log(text.vocabSize), means);
  return niceDomain([Math.max(0, low - 0.1), high]);
}

/** Batch losses behind their means, held-out losses as rings, and the floors of models that see at most one token. */
export function lossChart(chart: Shown, height: number): TemplateResult {
  const { texts, arms, bounds, viewedStep } = chart;
  const lossOf = (arm: TransformerArm): string => formatNumber(lossAt(arm, viewedStep) ?? Number.NaN, { decimals: 3 });
  return html`
    <div class="panel">
      <div class="panel-name" data-picture>${texts.curves}</div>
      ${stepChart(chart, {
        ...common(chart),
        label: `${texts.curves}; ${spoken(chart, lossOf)}`,
        yTitle: texts.lossAxis,
        yDomain: (lines) => lossDomain(lines, chart),
        height,
        series: arms.map((arm) => ({
          ...lineOf(arm, chart),
          values: arm.losses,
          drawn: smoothed,
          dots: true,
          marks: heldOutMarks(arm, chart),
        })),
        references: floorLines(texts.floors, bounds, ['unigram', 'bigram']),
      })}
      <p class="note">${texts.gptSmoothing(String(smoothingWindow))}</p>
    </div>
  `;
}

/** Each role's share of the embedding's gradient: output below the line, input above it. */
export function shareChart(chart: Shown, height: number): TemplateResult {
  const { texts, arms, look, step, viewedStep, onLook } = chart;
  const definition = look.shareBy;
  const notes: CornerNote[] = [
    { text: texts.reading, role: 'input', at: 'top' },
    { text: texts.writing, role: 'output', at: 'bottom' },
  ];
  return html`
    <div class="panel">
      <div class="panel-name" data-picture>${texts.shares}</div>
      ${stepChart(chart, {
        ...common(chart),
        label: `${texts.shares} ${texts.writing}, ${spoken(chart, (arm) => `${percent(outputShareAt(arm, definition, viewedStep))}%`)}`,
        yTitle: texts.shareAxis,
        yDomain: () => [0, 100],
        height,
        series: arms.map((arm, index) => ({
          ...lineOf(arm, chart),
          values: arm.inputShares[definition],
          drawn: outputPercent,
          ...(index === 0 ? { filled: true, areas: { below: 'output', above: 'input' } } : {}),
        })),
        references: [{ id: 'half', label: texts.half, value: 50 }],
        notes: step > 0 ? notes : [],
        decimals: 1,
      })}
      <div class="row tight share-by">
        ${segmented({
          legend: texts.shareBy,
          name: 'definition',
          value: definition,
          choices: (['matrix', 'position'] as const).map((value) => ({ value, label: texts.shareDefinitions[value] })),
          onChoose: (shareBy) => void onLook({ shareBy }),
        })}
      </div>
      <p class="note">${texts.shareNotes[definition]}</p>
    </div>
  `;
}
