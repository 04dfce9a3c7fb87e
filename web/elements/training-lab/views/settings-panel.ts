import { html, nothing, type TemplateResult } from 'lit';
import type { Tying } from '../../../core/types.js';
import { checkbox, segmented } from '../../shared/controls.js';
import { controlsOf } from '../../shared/settings/setting-control.js';
import type { Values } from '../../shared/settings/setting.js';
import { allArms, directPathSettings, orderArms, pairs, type LabSettings } from '../settings.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import { sourceSettings, type TextSourceKind } from '../text-source.js';
import { armClass } from './arm-style.js';

export interface SettingsPanelOptions {
  texts: TrainingLabStrings;
  settings: LabSettings;
  sourceKind: TextSourceKind;
  storyLength: number;
  markovStates: number;
  onChange: (changes: Partial<LabSettings & { storyLength: number; states: number }>) => void;
}

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

/** How long a text to write, or how large a chain. */
export const sourceNumbers = ({
  texts,
  sourceKind,
  storyLength,
  markovStates,
  onChange,
}: Pick<SettingsPanelOptions, 'texts' | 'sourceKind' | 'storyLength' | 'markovStates'> & {
  onChange: (changes: { storyLength?: number; states?: number }) => void;
}): TemplateResult => {
  const values = { textSource: sourceKind, storyLength, states: markovStates };
  const control = controlsOf(sourceSettings, { texts, values, change: onChange });
  return html`${control('storyLength')}${control('states')}`;
};

/** Everything that a run depends on, past the text and the way it is cut. */
export function settingsPanel(options: SettingsPanelOptions): TemplateResult {
  const { texts, settings, onChange } = options;
  const hasVocabulary = options.sourceKind !== 'markov-chain' && settings.tokenizer !== 'character';
  const wholeTable = settings.batchSize === 'whole-table';
  const fields = { texts, values: settings as unknown as Values, change: onChange };
  const control = controlsOf(directPathSettings, fields);
  const batches = controlsOf({ batchSize: pairs }, fields);
  return html`
    <div class="settings">
      ${models(options)}
      <div class="row">
        ${sourceNumbers(options)} ${hasVocabulary ? control('vocabSize') : nothing} ${control('dModel')}
        ${control('seed')} ${control('steps')} ${control('learningRate')}
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
            onChange({ batchSize: choice === 'whole-table' ? 'whole-table' : pairs.initial });
          },
        })}
        ${
          settings.batchSize === 'whole-table' ? nothing : html`<span class="batch-size">${batches('batchSize')}</span>`
        }
        ${control('optimizer')} ${control('outputBias')}
      </div>
    </div>
  `;
}
