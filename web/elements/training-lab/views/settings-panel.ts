import { html, nothing, type TemplateResult } from 'lit';
import { checkbox, segmented } from '../../shared/controls.js';
import { controlsOf } from '../../shared/settings/setting-control.js';
import type { Settings, Values } from '../../shared/settings/setting.js';
import { allArms, directPathSettings, orderArms, pairs, type LabSettings } from '../settings.js';
import type { ModeHost } from '../mode.js';
import { sourceSettings } from '../text-source.js';
import { armClass } from './arm-style.js';

/** The models to train, at least one. */
function models({ texts: textsOf, settings: settingsOf, change }: ModeHost): TemplateResult {
  const texts = textsOf();
  const { arms } = settingsOf() as LabSettings;
  return html`
    <fieldset class="row tight">
      <legend class="visually-hidden">${texts.models}</legend>
      <span class="legend" aria-hidden="true">${texts.models}</span>
      ${allArms.map(
        (tying) =>
          html`<span class=${armClass[tying]}
            >${checkbox({
              label: `${texts.arms[tying]}: ${texts.armFormulas[tying]}`,
              checked: arms.includes(tying),
              disabled: arms.length === 1 && arms[0] === tying,
              onChange: (on) =>
                void change({ arms: orderArms(on ? [...arms, tying] : arms.filter((arm) => arm !== tying)) }),
            })}</span
          >`,
      )}
    </fieldset>
  `;
}

/** Controls of the settings of the run and its text that apply. */
export function runControls<Declared extends Settings>(host: ModeHost, declared: Declared) {
  const { storyLength, states } = host.element;
  const textSource = host.wantedSource()?.kind ?? 'own';
  const values: Values = { ...host.settings(), textSource, storyLength, states };
  // The number of characters is not limited, and a chain's tokens are its states.
  const sized = textSource !== 'markov-chain' && values['tokenizer'] !== 'character';
  const control = controlsOf({ ...sourceSettings, ...declared }, { texts: host.texts(), values, change: host.change });
  return (name: Parameters<typeof control>[0]) => (name === 'vocabSize' && !sized ? nothing : control(name));
}

/** All settings of a run except the text and its tokenizer. */
export function settingsPanel(host: ModeHost): TemplateResult {
  const texts = host.texts();
  const { batchSize } = host.settings() as LabSettings;
  const control = runControls(host, directPathSettings);
  const wholeTable = batchSize === 'whole-table';
  return html`
    <div class="settings">
      ${models(host)}
      <div class="row">
        ${control('storyLength')}${control('states')} ${control('vocabSize')} ${control('dModel')} ${control('seed')}
        ${control('steps')} ${control('learningRate')}
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
          onChoose: (choice) =>
            void host.change({ batchSize: choice === 'whole-table' ? 'whole-table' : pairs.initial }),
        })}
        ${
          wholeTable
            ? nothing
            : html`<span class="batch-size">${runControls(host, { batchSize: pairs })('batchSize')}</span>`
        }
        ${control('optimizer')} ${control('outputBias')}
      </div>
    </div>
  `;
}
