import { html, nothing, type TemplateResult } from 'lit';
import type { Tying } from '../../../core/types.js';
import { checkbox, segmented } from '../../shared/controls.js';
import type { NumberEvent } from '../../shared/number-field.js';
import { allArms, limits, orderArms, smallestBytePairVocabulary, type LabSettings } from '../settings.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import { sourceLimits, type TextSourceKind } from '../text-source.js';
import { armClass } from './arm-style.js';

export interface SettingsPanelOptions {
  texts: TrainingLabStrings;
  settings: LabSettings;
  sourceKind: TextSourceKind;
  storyLength: number;
  markovStates: number;
  onChange: (changes: Partial<LabSettings & { storyLength: number; states: number }>) => void;
}

export interface NumberOptions {
  label: string;
  /** The setting's name: where a value is refused, the field of that name shows the old one again. */
  name?: string;
  value: number;
  min: number;
  max: number;
  step: number;
  decimals?: number;
  set: (value: number) => void;
}

export const number = ({
  label,
  name = '',
  value,
  min,
  max,
  step,
  decimals = 0,
  set,
}: NumberOptions): TemplateResult => html`
  <tied-number-field
    data-setting=${name}
    label=${label}
    ?whole=${decimals === 0}
    .value=${value}
    .min=${min}
    .max=${max}
    .step=${step}
    .decimals=${decimals}
    @tied-number=${(event: NumberEvent) => {
      // While a number is dragged nothing starts anew.
      if (event.detail.final && event.detail.value !== value) set(event.detail.value);
    }}
  ></tied-number-field>
`;

const defaultBatch = 256;

function models({ texts, settings, onChange }: SettingsPanelOptions): TemplateResult {
  const toggle = (tying: Tying, on: boolean): void => {
    const arms = on ? [...settings.arms, tying] : settings.arms.filter((arm) => arm !== tying);
    onChange({ arms: orderArms(arms) });
  };
  return html`
    <fieldset class="row tight">
      <legend class="visually-hidden">${texts.models}</legend>
      <span class="legend" aria-hidden="true">${texts.models}</span>
      ${allArms.map(
        (tying) =>
          html`<span class=${armClass[tying]}
            >${checkbox({
              label: `${texts.arms[tying]}: ${texts.armFormulas[tying]}`,
              checked: settings.arms.includes(tying),
              disabled: settings.arms.length === 1 && settings.arms[0] === tying,
              onChange: (on) => {
                toggle(tying, on);
              },
            })}</span
          >`,
      )}
    </fieldset>
  `;
}

export type SourceNumbers = Pick<SettingsPanelOptions, 'texts' | 'sourceKind' | 'storyLength' | 'markovStates'> & {
  onChange: (changes: { storyLength?: number; states?: number }) => void;
};

/** How long a text to write, or how large a chain. */
export function sourceNumbers(options: SourceNumbers): TemplateResult | typeof nothing {
  const { texts, sourceKind } = options;
  if (sourceKind === 'stories') {
    return number({
      label: texts.storyLength,
      name: 'storyLength',
      value: options.storyLength,
      ...sourceLimits.storyLength,
      step: 100_000,
      set: (storyLength) => {
        options.onChange({ storyLength });
      },
    });
  }
  if (sourceKind === 'markov-chain') {
    return number({
      label: texts.markovStates,
      value: options.markovStates,
      ...sourceLimits.states,
      step: 1,
      set: (states) => {
        options.onChange({ states });
      },
    });
  }
  return nothing;
}

/** Everything that a run depends on, past the text and the way it is cut. */
export function settingsPanel(options: SettingsPanelOptions): TemplateResult {
  const { texts, settings, onChange } = options;
  const hasVocabulary = options.sourceKind !== 'markov-chain' && settings.tokenizer !== 'character';
  const wholeTable = settings.batchSize === 'whole-table';
  return html`
    <div class="settings">
      ${models(options)}
      <div class="row">
        ${sourceNumbers(options)}
        ${
          hasVocabulary
            ? number({
                label: texts.vocabSize,
                value: settings.vocabSize,
                min: settings.tokenizer === 'bpe' ? smallestBytePairVocabulary : limits.vocabSize.min,
                max: limits.vocabSize.max,
                step: 50,
                set: (vocabSize) => {
                  onChange({ vocabSize });
                },
              })
            : nothing
        }
        ${number({
          label: texts.dModel,
          value: settings.dModel,
          min: limits.dModel.min,
          max: limits.dModel.max,
          step: 1,
          set: (dModel) => {
            onChange({ dModel });
          },
        })}
        ${number({
          label: texts.seed,
          value: settings.seed,
          min: limits.seed.min,
          max: limits.seed.max,
          step: 1,
          set: (seed) => {
            onChange({ seed });
          },
        })}
        ${number({
          label: texts.steps,
          value: settings.steps,
          min: limits.steps.min,
          max: limits.steps.max,
          step: 100,
          set: (steps) => {
            onChange({ steps });
          },
        })}
        ${number({
          label: texts.learningRate,
          name: 'learningRate',
          value: settings.learningRate,
          min: limits.learningRate.min,
          max: limits.learningRate.max,
          step: 0.005,
          // What is typed is rounded to what is shown.
          decimals: settings.learningRate < 0.0001 ? 6 : 4,
          set: (learningRate) => {
            onChange({ learningRate });
          },
        })}
      </div>
      <div class="row">
        ${segmented({
          legend: texts.batchSize,
          name: 'batch',
          value: wholeTable ? 'whole-table' : 'batches',
          choices: [
            { value: 'whole-table', label: texts.wholeTable },
            { value: 'batches', label: texts.batches },
          ],
          onChoose: (choice) => {
            onChange({ batchSize: choice === 'whole-table' ? 'whole-table' : defaultBatch });
          },
        })}
        ${
          settings.batchSize === 'whole-table'
            ? nothing
            : html`<span class="batch-size"
                >${number({
                  label: '',
                  value: settings.batchSize,
                  min: limits.batchSize.min,
                  max: limits.batchSize.max,
                  step: 32,
                  set: (batchSize) => {
                    onChange({ batchSize });
                  },
                })}</span
              >`
        }
        ${segmented({
          legend: texts.optimizer,
          name: 'optimizer',
          value: settings.optimizer,
          choices: (['adamw', 'sgd'] as const).map((value) => ({ value, label: texts.optimizers[value] })),
          onChoose: (optimizer) => {
            onChange({ optimizer });
          },
        })}
        ${checkbox({
          label: texts.outputBias,
          checked: settings.outputBias,
          onChange: (outputBias) => {
            onChange({ outputBias });
          },
        })}
      </div>
    </div>
  `;
}
