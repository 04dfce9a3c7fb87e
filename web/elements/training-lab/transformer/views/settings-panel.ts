import { html, type TemplateResult } from 'lit';
import { checkbox, segmented, select } from '../../../shared/controls.js';
import type { Content } from '../../../shared/figure.js';
import { group, type Panel } from '../../../shared/settings/panel-parts.js';
import type { ModeLab } from '../../mode-lab.js';
import { armKinds, hasSize, sizes, type ArmKind, type TransformerSettings } from '../settings.js';

const transformerPanel: Panel = [
  'models',
  group('row', 'lowRank', 'untieAtStep', 'tieAtStep', 'untieBelow', 'size', 'sqrtScale', 'inputGradientScale'),
  group('row', 'dModel', 'nLayers', 'nHeads', 'contextLength', 'vocabSize'),
  group('row', 'storyLength', 'states', 'batchSize', 'steps', 'learningRate', 'seed'),
];

/** If the reader gives one model the kind of the other, the two swap. */
function arms(lab: ModeLab): TemplateResult {
  const { texts } = lab;
  const [first = 'tied', second = 'untied'] = (lab.runSettings() as TransformerSettings).arms;
  const choose = (chosen: readonly ArmKind[]): void =>
    lab.changeSettings({ arms: chosen[0] === chosen[1] ? [second, first] : chosen });
  const choices = armKinds.map((value) => ({ value, label: texts.kindChoices[value] }));
  return html`
    <div class="row">
      ${select({ label: texts.firstArm, value: first, choices, onChoose: (kind) => void choose([kind, second]) })}
      ${select({ label: texts.secondArm, value: second, choices, onChoose: (kind) => void choose([first, kind]) })}
    </div>
  `;
}

const offered = ['full', 'small'] as const;

/** All settings of a run of small GPTs except the text and its tokenizer. */
export function transformerSettingsPanel(lab: ModeLab): Content {
  const { texts } = lab;
  const settings = lab.runSettings() as TransformerSettings;
  return lab.panel(transformerPanel, {
    models: arms(lab),
    size: segmented({
      legend: texts.sizes,
      name: 'size',
      value: offered.find((size) => hasSize(settings, size)) ?? 'own',
      choices: offered.map((value) => ({ value, label: texts.sizeNames[value] ?? value })),
      onChoose: (size) => {
        if (size !== 'own') lab.changeSettings(sizes[size]);
      },
    }),
    sqrtScale: checkbox({
      label: texts.sqrtScale,
      checked: settings.embeddingScale === 'sqrt-d-model',
      onChange: (on) => void lab.changeSettings({ embeddingScale: on ? 'sqrt-d-model' : 'none' }),
    }),
  });
}
