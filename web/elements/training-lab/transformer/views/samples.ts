import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../../charts/index.js';
import { button } from '../../../shared/controls.js';
import type { Content } from '../../../shared/figure.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import { armClass } from '../../views/arm-style.js';
import { heldOutAt, lossAt } from '../readings.js';
import type { TransformerArm } from '../run.js';
import { PromptError, type Sample } from '../samples.js';

const nats = (value: number | null): string => (value === null ? '–' : formatNumber(value, { decimals: 3 }));

export interface ArmNumber {
  readonly name: string;
  readonly value: string;
}

/** The facts shown of an arm at a step: parameters, loss, held-out loss, and speed if it trains here. */
export function numbersOf(texts: TrainingLabStrings, arm: TransformerArm, step: number): ArmNumber[] {
  const heldOut = heldOutAt(arm, step);
  return [
    { name: texts.parameters, value: formatWhole(arm.parameters) },
    { name: texts.batchLoss, value: nats(lossAt(arm, step)) },
    {
      name:
        heldOut === null || heldOut.step === step ? texts.heldOutLoss : texts.heldOutLossAt(formatWhole(heldOut.step)),
      value: nats(heldOut?.loss ?? null),
    },
    ...(arm.tokensPerSecond === null
      ? []
      : // Two digits: the machine's other work moves the third.
        [{ name: texts.speedColumn, value: formatWhole(Number(arm.tokensPerSecond.toPrecision(2))) }]),
  ];
}

export interface SamplesOptions {
  texts: TrainingLabStrings;
  arms: readonly TransformerArm[];
  /** The viewed step. */
  step: number;
  /** The sample, complete or in progress; null before the first. */
  sample: Pick<Sample, 'step' | 'prompt' | 'texts'> | null;
  /** Whether it is being generated. */
  live: boolean;
  /** The origin of the sample. */
  note: string;
  prompt: string;
  /** Its control. */
  temperature: Content;
  problem: string | null;
  /** Whether there are models that can generate. */
  canWrite: boolean;
  /** The placeholder for a missing sample. */
  unwritten: string;
  /** The models are being fetched: a sentence, and how to cancel. */
  fetching: { words: string; onCancel: () => void } | null;
  onPrompt: (prompt: string) => void;
  onAgain: () => void;
}

function controls(options: SamplesOptions): TemplateResult {
  const { texts } = options;
  return html`
    <div class="row sample-controls">
      <span class="panel-name">${texts.samples}</span>
      <label class="field prompt">
        <span class="legend">${texts.prompt}</span>
        <input
          class="text-field"
          type="text"
          autocomplete="off"
          spellcheck="false"
          aria-describedby="prompt-problem"
          .value=${options.prompt}
          @change=${(event: Event) => {
            options.onPrompt((event.target as HTMLInputElement).value);
          }}
        />
      </label>
      ${options.temperature}
      ${button({ label: texts.writeAgain, disabled: !options.canWrite, onPress: options.onAgain })}
    </div>
    <div role="alert" id="prompt-problem">
      ${options.problem === null ? nothing : html`<p class="problem">${options.problem}</p>`}
    </div>
  `;
}

/** A sentence that says why a prompt cannot be used. */
export function promptProblem(texts: TrainingLabStrings, problem: unknown): string | null {
  if (problem === null) return null;
  if (problem instanceof PromptError) return texts.promptProblem(problem.prompt);
  return texts.promptFailed(problem instanceof Error ? problem.message : String(problem));
}

/** Each model with its facts, and its sample from the same prompt with the same seed. */
export function samples(options: SamplesOptions): TemplateResult {
  const { texts, sample, live, unwritten, fetching } = options;
  const kind = sample === null ? 'is-empty' : live ? 'is-live' : '';
  return html`
    <div class="samples">
      ${controls(options)}
      <div class="sample-columns">
        ${options.arms.map((arm, index) => {
          // One template expression, because the paragraph shows all white space in it.
          const words = sample === null ? unwritten : html`<b>${sample.prompt}</b>${sample.texts[index] ?? ''}`;
          return html`
            <section class="sample" aria-label=${texts.arms[arm.kind]}>
              <div class="sample-head">
                <span class="sample-name ${armClass[arm.kind]}">${texts.arms[arm.kind]}</span>
                <dl class="arm-numbers">
                  ${numbersOf(texts, arm, options.step).map(
                    ({ name, value }) => html`
                      <div>
                        <dt>${name}</dt>
                        <dd>${value}</dd>
                      </div>
                    `,
                  )}
                </dl>
              </div>
              <p class="sample-text ${kind}" tabindex="0">${words}</p>
            </section>
          `;
        })}
      </div>
      <p class="note">
        ${
          fetching === null
            ? sample === null
              ? nothing
              : options.note
            : html`${fetching.words} ${button({ label: texts.cancel, kind: 'quiet', onPress: fetching.onCancel })}`
        }
      </p>
    </div>
  `;
}
