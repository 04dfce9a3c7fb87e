import { html, nothing, type TemplateResult } from 'lit';
import { formatWhole } from '../../../../charts/index.js';
import { button } from '../../../shared/controls.js';
import type { NumberEvent } from '../../../shared/number-field.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import { armClass } from '../../views/arm-style.js';
import type { TransformerArm } from '../run.js';
import type { Sample } from '../samples.js';
import { armNumbers } from './arm-numbers.js';

export interface SamplesOptions {
  texts: TrainingLabStrings;
  arms: readonly TransformerArm[];
  /** The step that is looked at. */
  step: number;
  /** What is shown: written whole, or as far as it has come; null before the first. */
  sample: Pick<Sample, 'step' | 'prompt' | 'texts'> | null;
  /** It is being written right now. */
  live: boolean;
  seed: number;
  prompt: string;
  temperature: number;
  problem: string | null;
  /** Models stand that could write. */
  canWrite: boolean;
  /** The reader gave a prompt before there were models to write from it. */
  promptWaits: boolean;
  onPrompt: (prompt: string) => void;
  onTemperature: (temperature: number) => void;
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
      <tied-number-field
        label=${texts.temperature}
        .value=${options.temperature}
        .min=${0}
        .max=${2}
        .step=${0.1}
        .decimals=${1}
        @tied-number=${(event: NumberEvent) => {
          const { final, value } = event.detail;
          if (final && value !== options.temperature) options.onTemperature(value);
        }}
      ></tied-number-field>
      ${button({ label: texts.writeAgain, disabled: !options.canWrite, onPress: options.onAgain })}
    </div>
    <div role="alert" id="prompt-problem">
      ${options.problem === null ? nothing : html`<p class="problem">${options.problem}</p>`}
    </div>
  `;
}

/** Each model with its numbers, and what it writes from the same prompt with the same seed. */
export function samples(options: SamplesOptions): TemplateResult {
  const { texts, sample, live } = options;
  const unwritten = options.promptWaits ? texts.promptLater : texts.noSample;
  const kind = sample === null ? 'is-empty' : live ? 'is-live' : '';
  return html`
    <div class="samples">
      ${controls(options)}
      <div class="sample-columns">
        ${options.arms.map((arm, index) => {
          // In one piece: the paragraph shows every space and line end within it.
          const words = sample === null ? unwritten : html`<b>${sample.prompt}</b>${sample.texts[index] ?? ''}`;
          return html`
            <section class="sample" aria-label=${texts.kinds[arm.kind]}>
              <div class="sample-head">
                <span class="sample-name ${armClass[arm.kind]}">${texts.kinds[arm.kind]}</span>
                ${armNumbers(texts, arm, options.step)}
              </div>
              <p class="sample-text ${kind}" tabindex="0">${words}</p>
            </section>
          `;
        })}
      </div>
      <p class="note">
        ${sample === null ? nothing : texts.sampleNote(formatWhole(sample.step), formatWhole(options.seed))}
      </p>
    </div>
  `;
}
