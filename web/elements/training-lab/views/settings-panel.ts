import { html, type TemplateResult } from 'lit';
import { checkbox, segmented } from '../../shared/controls.js';
import { renderPanel, type Panel, type Slots } from '../../shared/settings/panel.js';
import type { Settings, Values } from '../../shared/settings/setting.js';
import { allArms, directPathPanel, directPathSettings, orderArms, pairs, type LabSettings } from '../settings.js';
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

/** All settings of a run except the text and its tokenizer. */
export function settingsPanel(host: ModeHost, declared: Settings, panel: Panel, slots: Slots): TemplateResult {
  const { storyLength, states } = host.element;
  const textSource = host.wantedSource()?.kind ?? 'own';
  const values: Values = { ...host.settings(), textSource, storyLength, states };
  const options = { texts: host.texts(), values, change: host.change };
  return html` <div class="settings">${renderPanel({ ...sourceSettings, ...declared }, panel, options, slots)}</div> `;
}

/** All pairs at once, or batches of some. */
function batches({ texts: textsOf, settings: settingsOf, change }: ModeHost): TemplateResult {
  const texts = textsOf();
  const { batchSize } = settingsOf() as LabSettings;
  return segmented({
    legend: texts.batchSize,
    name: 'batch',
    value: batchSize === 'whole-table' ? batchSize : 'batches',
    choices: [
      { value: 'whole-table', label: texts.wholeTable },
      { value: 'batches', label: texts.batches },
    ],
    onChoose: (choice) => void change({ batchSize: choice === 'whole-table' ? choice : pairs.initial }),
  });
}

export const directPathSettingsPanel = (host: ModeHost): TemplateResult =>
  settingsPanel(host, directPathSettings, directPathPanel, { models: models(host), batches: batches(host) });
