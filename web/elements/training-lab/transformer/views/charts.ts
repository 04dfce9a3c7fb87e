import { html, type TemplateResult } from 'lit';
import { formatNumber, niceDomain } from '../../../../charts/index.js';
import type { Content } from '../../../shared/figure.js';
import { wholePercent } from '../../../shared/in-words.js';
import type { CornerNote, RoleSeries } from '../../../shared/line-chart-view.js';
import type { ShownRun } from '../../shown-run.js';
import { extentOf, floorLines, stepChart } from '../../views/step-chart.js';
import type { FinishedTransformerRun, TextFacts } from '../finished-run.js';
import type { TransformerArm } from '../arms.js';
import type { Sample } from '../samples.js';
import type { TransformerSettings } from '../settings.js';
import { lossAt, outputPercent, outputShareAt, smoothed, smoothingWindow } from '../drawn-values.js';

/** A run of small GPTs to draw: the reader's, or a finished one. */
export interface Shown extends ShownRun<TransformerArm> {
  readonly text: TextFacts;
  readonly settings: TransformerSettings;
  readonly samples: readonly Sample[];
  readonly finished: FinishedTransformerRun | null;
}

const percent = (share: number | null): string =>
  share === null || !Number.isFinite(share) ? '–' : wholePercent(share);

/** Names of levels are on the side that the lines leave free. */
const insideOf = ({ look }: Shown) => (look.linearSteps ? 'right' : 'left');

/** Measurements on held-out text; a log scale has no step 0. */
function heldOutMarks({ heldOut: { steps, losses } }: TransformerArm, { look }: Shown): RoleSeries['marks'] & object {
  const from = !look.linearSteps && steps[0] === 0 ? 1 : 0;
  return { x: steps.slice(from), y: losses.slice(from) };
}

/** From a tenth below the lowest loss, ignoring single batches, to the loss of an untrained model. */
function lossDomain(lines: readonly RoleSeries[], { bounds, text }: Shown): [number, number] {
  const means = lines.map((line) => ({ ...line, raw: [] }));
  const untrained = Math.log(text.vocabSize);
  const [low, high] = extentOf(bounds?.bigram ?? untrained, untrained, means);
  return niceDomain([Math.max(0, low - 0.1), high]);
}

/** Batch losses behind their means, held-out losses as rings, and the floors of models that see at most one token. */
export function lossChart(chart: Shown, height: number): TemplateResult {
  const { texts, bounds, viewedStep } = chart;
  return html`
    <div class="panel">
      <div class="panel-name" data-picture>${texts.curves}</div>
      ${stepChart(chart, {
        title: `${texts.curves};`,
        spoken: (arm) => formatNumber(lossAt(arm, viewedStep) ?? Number.NaN, { decimals: 3 }),
        yTitle: texts.lossAxis,
        yDomain: (lines) => lossDomain(lines, chart),
        height,
        line: (arm) => ({ values: arm.losses, drawn: smoothed, dots: true, marks: heldOutMarks(arm, chart) }),
        references: bounds === null ? [] : floorLines(texts.floors, bounds, ['unigram', 'bigram']),
        referencesInside: insideOf(chart),
      })}
      <p class="note rest">${texts.gptSmoothing(String(smoothingWindow))}</p>
    </div>
  `;
}

/** Each role's share of the embedding's gradient: output below the line, input above it. */
export function shareChart(chart: Shown, height: number, shareBy: Content): TemplateResult {
  const { texts, look, step, viewedStep } = chart;
  const definition = look.shareBy;
  const notes: CornerNote[] = [
    { text: texts.reading, role: 'input', at: 'top' },
    { text: texts.writing, role: 'output', at: 'bottom' },
  ];
  return html`
    <div class="panel rest">
      <div class="panel-name" data-picture>${texts.shares}</div>
      ${stepChart(chart, {
        title: `${texts.shares} ${texts.writing},`,
        spoken: (arm) => `${percent(outputShareAt(arm, definition, viewedStep))}%`,
        yTitle: texts.shareAxis,
        yDomain: () => [0, 100],
        height,
        line: (arm, index) => ({
          values: arm.inputShares[definition],
          drawn: outputPercent,
          ...(index === 0 ? { filled: true, areas: { below: 'output', above: 'input' } } : {}),
        }),
        references: [{ id: 'half', label: texts.half, value: 50 }],
        referencesInside: insideOf(chart),
        notes: step > 0 ? notes : [],
        decimals: 1,
      })}
      <div class="row tight share-by">${shareBy}</div>
      <p class="note">${texts.shareNotes[definition]}</p>
    </div>
  `;
}
