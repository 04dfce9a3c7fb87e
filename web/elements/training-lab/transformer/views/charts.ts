import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole, niceDomain } from '../../../../charts/index.js';
import { segmented } from '../../../shared/controls.js';
import type { CornerNote, RoleSeries } from '../../../shared/line-chart-view.js';
import { thinnedIndices } from '../../history.js';
import type { ShownRun } from '../../mode.js';
import { extentOf, floorLines, stepChart } from '../../views/step-chart.js';
import type { FinishedTransformerRun, TextFacts } from '../finished-run.js';
import type { TransformerArm } from '../run.js';
import type { Sample } from '../samples.js';
import type { TransformerSettings } from '../settings.js';
import { lossAt, lossLine, outputShareAt, outputShareLine, smoothingWindow } from '../readings.js';

/** A run of small GPTs to draw: the reader's, or a finished one. */
export interface Shown extends ShownRun {
  readonly arms: readonly TransformerArm[];
  readonly bounds: { readonly unigram: number; readonly bigram: number };
  readonly text: TextFacts;
  readonly settings: TransformerSettings;
  readonly samples: readonly Sample[];
  readonly finished: FinishedTransformerRun | null;
}

/** Points per line; charts are rarely a thousand pixels wide. */
const mostPoints = 500;

const percent = (share: number | null): string =>
  share === null || !Number.isFinite(share) ? '–' : formatNumber(100 * share, { decimals: 0 });

/** Indices of the drawn values; value i belongs to step i + 1. */
const drawnIndices = (length: number, { look }: Shown): number[] =>
  thinnedIndices(length, mostPoints, !look.linearSteps);

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
  const values = arms.map((arm) => `${texts.kinds[arm.kind]} ${valueOf(arm)}`).join(', ');
  return `${texts.step} ${formatWhole(viewedStep)}${viewedStep === 0 ? '' : `: ${values}`}`;
}

function lossSeries(arm: TransformerArm, chart: Shown): RoleSeries {
  const raw = arm.losses.values();
  const indices = drawnIndices(raw.length, chart);
  const { steps, losses } = arm.heldOut;
  // A log scale has no step 0.
  const from = !chart.look.linearSteps && steps[0] === 0 ? 1 : 0;
  return {
    id: arm.kind,
    role: arm.kind,
    label: chart.texts.kinds[arm.kind],
    x: indices.map((index) => index + 1),
    y: lossLine(arm, indices),
    raw: indices.map((index) => raw[index] ?? Number.NaN),
    marks: { x: steps.slice(from), y: losses.slice(from) },
  };
}

/** From a tenth below the lowest loss to the loss of an untrained model. */
function lossDomain(series: readonly RoleSeries[], { bounds, text }: Shown): [number, number] {
  const values = series.flatMap(({ y, marks }) => [y, marks?.y ?? []]);
  const [low, high] = extentOf(bounds.bigram, Math.log(text.vocabSize), values);
  return niceDomain([Math.max(0, low - 0.1), high]);
}

/** Batch losses behind their means, held-out losses as rings, and the floors of models that see at most one token. */
export function lossChart(chart: Shown, height: number): TemplateResult {
  const { texts, arms, bounds, viewedStep } = chart;
  const series = arms.map((arm) => lossSeries(arm, chart));
  const lossOf = (arm: TransformerArm): string => formatNumber(lossAt(arm, viewedStep) ?? Number.NaN, { decimals: 3 });
  return html`
    <div class="panel">
      <div class="panel-name" data-picture>${texts.gptLosses}</div>
      ${stepChart(chart, {
        ...common(chart),
        label: `${texts.gptLosses}; ${spoken(chart, lossOf)}`,
        yTitle: texts.lossAxis,
        yDomain: lossDomain(series, chart),
        height,
        series,
        references: floorLines(texts.gptFloors, bounds, ['unigram', 'bigram']),
      })}
      <p class="note">${texts.gptSmoothing(String(smoothingWindow))}</p>
    </div>
  `;
}

function shareSeries(arm: TransformerArm, first: boolean, chart: Shown): RoleSeries {
  const indices = drawnIndices(arm.losses.length, chart);
  const drawn = {
    id: arm.kind,
    role: arm.kind,
    label: chart.texts.kinds[arm.kind],
    x: indices.map((index) => index + 1),
    y: outputShareLine(arm, chart.look.shareBy, indices),
  };
  return first ? { ...drawn, filled: true, areas: { below: 'output', above: 'input' } } : drawn;
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
        yDomain: [0, 100],
        height,
        series: arms.map((arm, index) => shareSeries(arm, index === 0, chart)),
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
