import { html, type TemplateResult } from 'lit';
import { checkbox, segmented, select } from '../../../shared/controls.js';
import type { ModeHost } from '../../mode.js';
import { settingsPanel } from '../../views/settings-panel.js';
import {
  armKinds,
  hasSize,
  smallDevice,
  transformerDefaults,
  transformerPanel,
  transformerSettings,
  type ArmKind,
  type TransformerSettings,
} from '../settings.js';

/** If the reader chooses for one model what the other is, they swap. */
function arms({ texts: textsOf, settings, change }: ModeHost): TemplateResult {
  const texts = textsOf();
  const [first = 'tied', second = 'untied'] = (settings() as TransformerSettings).arms;
  const choose = (chosen: readonly ArmKind[]): void => {
    change({ arms: chosen[0] === chosen[1] ? [second, first] : chosen });
  };
  const choices = armKinds.map((value) => ({ value, label: texts.kindChoices[value] }));
  return html`
    <div class="row">
      ${select({ label: texts.firstArm, value: first, choices, onChoose: (kind) => void choose([kind, second]) })}
      ${select({ label: texts.secondArm, value: second, choices, onChoose: (kind) => void choose([first, kind]) })}
    </div>
  `;
}

type Size = 'full' | 'small' | 'own';

const sizes: Record<Exclude<Size, 'own'>, Partial<TransformerSettings>> = {
  full: Object.fromEntries(
    Object.keys(smallDevice).map((name) => [name, transformerDefaults[name as keyof TransformerSettings]]),
  ),
  small: smallDevice,
};

const sizeOf = (settings: TransformerSettings): Size =>
  (['full', 'small'] as const).find((size) => hasSize(settings, sizes[size])) ?? 'own';

/** All settings of a run of small GPTs except the text and its tokenizer. */
export function transformerSettingsPanel(host: ModeHost): TemplateResult {
  const texts = host.texts();
  const settings = host.settings() as TransformerSettings;
  return settingsPanel(host, transformerSettings, transformerPanel, {
    models: arms(host),
    size: segmented({
      legend: texts.sizes,
      name: 'size',
      value: sizeOf(settings),
      choices: (['full', 'small'] as const).map((value) => ({ value, label: texts.sizeNames[value] ?? value })),
      onChoose: (size) => {
        if (size !== 'own') host.change(sizes[size]);
      },
    }),
    sqrtScale: checkbox({
      label: texts.sqrtScale,
      checked: settings.embeddingScale === 'sqrt-d-model',
      onChange: (on) => void host.change({ embeddingScale: on ? 'sqrt-d-model' : 'none' }),
    }),
  });
}
