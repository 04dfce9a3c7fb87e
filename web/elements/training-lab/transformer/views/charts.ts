import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole, niceDomain, type ReferenceLine } from '../../../../charts/index.js';
import { segmented } from '../../../shared/controls.js';
import type { CornerNote, CursorEvent, RoleSeries } from '../../../shared/line-chart-view.js';
import { thinnedIndices } from '../../history.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import type { ShareDefinition, TransformerArm } from '../run.js';
import { lossAt, lossLine, outputShareAt, outputShareLine, smoothingWindow } from '../readings.js';

export interface ChartsOptions {
  texts: TrainingLabStrings;
  arms: readonly TransformerArm[];
  bounds: { readonly unigram: number; readonly bigram: number };
  /** ln of the vocabulary: where a model begins that knows nothing. */
  startLoss: number;
  height: number;
  logarithmic: boolean;
  /** The right end of the step axis, at least. */
  plannedSteps: number;
  step: number;
  viewedStep: number;
  definition: ShareDefinition;
  onDefinition: (definition: ShareDefinition) => void;
  onView: (step: number) => void;
}

/** Points drawn a line; a chart is seldom a thousand pixels wide. */
const mostPoints = 500;

const percent = (share: number | null): string =>
  share === null || !Number.isFinite(share) ? '–' : formatNumber(100 * share, { decimals: 0 });

/** Indices of the values that are drawn; value i is of step i + 1. */
const drawnIndices = (length: number, logarithmic: boolean): number[] =>
  thinnedIndices(length, mostPoints, logarithmic);

const pick = (values: ArrayLike<number>, indices: readonly number[]): number[] =>
  indices.map((index) => values[index] ?? Number.NaN);

function lossSeries(arm: TransformerArm, { texts, logarithmic }: ChartsOptions): RoleSeries {
  const raw = arm.losses.values();
  const indices = drawnIndices(raw.length, logarithmic);
  const { steps, losses } = arm.heldOut;
  // Step 0 has no place on a log scale.
  const from = logarithmic && steps[0] === 0 ? 1 : 0;
  return {
    id: arm.kind,
    role: arm.kind,
    label: texts.kinds[arm.kind],
    x: indices.map((index) => index + 1),
    y: lossLine(arm, indices),
    raw: pick(raw, indices),
    marks: { x: steps.slice(from), y: losses.slice(from) },
  };
}

function lossDomain(series: readonly RoleSeries[], { bounds, startLoss }: ChartsOptions): [number, number] {
  let [low, high] = [bounds.bigram, startLoss];
  for (const { y, marks } of series) {
    for (const value of [...Array.from(y), ...Array.from(marks?.y ?? [])]) {
      if (value > high) high = value;
      if (value < low) low = value;
    }
  }
  return niceDomain([Math.max(0, low - 0.1), high]);
}

const stepAxis = ({ logarithmic, plannedSteps, step }: ChartsOptions): [number, number] => [
  logarithmic ? 1 : 0,
  Math.max(plannedSteps, step, 2),
];

/** Pressing and dragging in a chart looks at that step. */
const scrub =
  ({ onView, step }: ChartsOptions) =>
  (event: CursorEvent): void => {
    const { x, pressed } = event.detail;
    if (x !== null && pressed) onView(Math.min(step, Math.round(x)));
  };

const cursorOf = ({ viewedStep, logarithmic, step }: ChartsOptions): number | null =>
  step === 0 ? null : logarithmic ? Math.max(1, viewedStep) : viewedStep;

/** Batch losses behind their means, held-out losses as rings, and the floors of models that see less. */
export function lossChart(options: ChartsOptions): TemplateResult {
  const { texts, arms, bounds, logarithmic, viewedStep } = options;
  const series = arms.map((arm) => lossSeries(arm, options));
  const references: ReferenceLine[] = (['unigram', 'bigram'] as const).map((floor) => ({
    id: floor,
    label: `${texts.gptFloors[floor]} ${formatNumber(bounds[floor], { decimals: 2 })}`,
    value: bounds[floor],
  }));
  const spoken = arms
    .map((arm) => `${texts.kinds[arm.kind]} ${formatNumber(lossAt(arm, viewedStep) ?? Number.NaN, { decimals: 3 })}`)
    .join(', ');
  const moment = `${texts.step} ${formatWhole(viewedStep)}`;
  return html`
    <div class="panel">
      <div class="panel-name" data-picture>${texts.gptLosses}</div>
      <tied-line-chart
        label="${texts.gptLosses}; ${moment}${viewedStep === 0 ? '' : `: ${spoken}`}"
        .series=${series}
        .references=${references}
        .referencesInside=${logarithmic ? 'left' : 'right'}
        x-name=${texts.step}
        x-title=${logarithmic ? texts.stepAxisLog : texts.stepAxis}
        y-title=${texts.lossAxis}
        x-kind=${logarithmic ? 'log' : 'linear'}
        .xDomain=${stepAxis(options)}
        .yDomain=${lossDomain(series, options)}
        .height=${options.height}
        .cursor=${cursorOf(options)}
        @tied-cursor=${scrub(options)}
      ></tied-line-chart>
      <p class="note">${texts.gptSmoothing(String(smoothingWindow))}</p>
    </div>
  `;
}

function shareSeries(arm: TransformerArm, first: boolean, options: ChartsOptions): RoleSeries {
  const { texts, logarithmic, definition } = options;
  const indices = drawnIndices(arm.losses.length, logarithmic);
  const drawn = {
    id: arm.kind,
    role: arm.kind,
    label: texts.kinds[arm.kind],
    x: indices.map((index) => index + 1),
    y: outputShareLine(arm, definition, indices),
  };
  return first ? { ...drawn, filled: true, areas: { below: 'output', above: 'input' } } : drawn;
}

/** How much of the embedding's gradient each role makes: what is under the line writes, what is over it reads. */
export function shareChart(options: ChartsOptions): TemplateResult {
  const { texts, arms, logarithmic, viewedStep, definition } = options;
  const started = options.step > 0;
  const notes: CornerNote[] = started
    ? [
        { text: texts.reading, role: 'input', at: 'top' },
        { text: texts.writing, role: 'output', at: 'bottom' },
      ]
    : [];
  const spoken = arms
    .map((arm) => `${texts.kinds[arm.kind]} ${percent(outputShareAt(arm, definition, viewedStep))}%`)
    .join(', ');
  const moment = `${texts.step} ${formatWhole(viewedStep)}`;
  return html`
    <div class="panel">
      <div class="panel-name" data-picture>${texts.shares}</div>
      <tied-line-chart
        label="${texts.shares} ${texts.writing}, ${moment}${viewedStep === 0 ? '' : `: ${spoken}`}"
        .series=${arms.map((arm, index) => shareSeries(arm, index === 0, options))}
        .references=${[{ id: 'half', label: texts.half, value: 50 }]}
        .referencesInside=${logarithmic ? 'left' : 'right'}
        .notes=${notes}
        x-name=${texts.step}
        x-title=${logarithmic ? texts.stepAxisLog : texts.stepAxis}
        y-title=${texts.shareAxis}
        x-kind=${logarithmic ? 'log' : 'linear'}
        .xDomain=${stepAxis(options)}
        .decimals=${1}
        .yDomain=${[0, 100]}
        .height=${options.height}
        .cursor=${cursorOf(options)}
        @tied-cursor=${scrub(options)}
      ></tied-line-chart>
      <div class="row tight share-by">
        ${segmented({
          legend: texts.shareBy,
          name: 'definition',
          value: definition,
          choices: (['matrix', 'position'] as const).map((value) => ({ value, label: texts.shareDefinitions[value] })),
          onChoose: options.onDefinition,
        })}
      </div>
      <p class="note">${texts.shareNotes[definition]}</p>
    </div>
  `;
}
