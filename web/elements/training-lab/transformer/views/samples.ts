import { html, nothing, type TemplateResult } from 'lit';
import { button } from '../../../shared/controls.js';
import type { NumberEvent } from '../../../shared/number-field.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import { armClass } from '../../views/arm-style.js';
import type { TransformerArm } from '../run.js';
import type { Sample } from '../samples.js';
import { PromptError } from '../writer.js';
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
  /** Where the sample comes from. */
  note: string;
  prompt: string;
  temperature: number;
  problem: string | null;
  /** Models stand that could write. */
  canWrite: boolean;
  /** What stands in the place of a sample that is not there. */
  unwritten: string;
  /** The models that write are on their way: a sentence, and how to stop it. */
  fetching: { words: string; onCancel: () => void } | null;
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

/** Why nothing can be written from a prompt, in a sentence. */
export function promptProblem(texts: TrainingLabStrings, problem: unknown): string | null {
  if (problem === null) return null;
  if (problem instanceof PromptError) return texts.promptProblem(problem.prompt);
  return texts.promptFailed(problem instanceof Error ? problem.message : String(problem));
}

/** Each model with its numbers, and what it writes from the same prompt with the same seed. */
export function samples(options: SamplesOptions): TemplateResult {
  const { texts, sample, live, unwritten, fetching } = options;
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
