import { html, nothing, type TemplateResult } from 'lit';
import { checkbox, segmented, select } from '../../../shared/controls.js';
import { controlsOf } from '../../../shared/settings/setting-control.js';
import type { Values } from '../../../shared/settings/setting.js';
import type { Changes } from '../../settings-element.js';
import type { TextSourceKind } from '../../text-source.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import { sourceNumbers } from '../../views/settings-panel.js';
import {
  armKinds,
  hasSize,
  smallDevice,
  transformerDefaults,
  transformerSettings,
  type ArmKind,
  type TransformerSettings,
} from '../settings.js';

export interface TransformerSettingsOptions {
  texts: TrainingLabStrings;
  settings: TransformerSettings;
  sourceKind: TextSourceKind;
  storyLength: number;
  markovStates: number;
  onChange: (changes: Changes) => void;
}

/** Choosing for one model what the other is makes them change places. */
function arms({ texts, settings, onChange }: TransformerSettingsOptions): TemplateResult {
  const choose = (index: number, kind: ArmKind): void => {
    const [first = 'tied', second = 'untied'] = settings.arms;
    const chosen = index === 0 ? [kind, second] : [first, kind];
    onChange({ arms: chosen[0] === chosen[1] ? [second, first] : chosen });
  };
  return html`
    <div class="row">
      ${[texts.firstArm, texts.secondArm].map((label, index) =>
        select({
          label,
          value: settings.arms[index] ?? 'tied',
          choices: armKinds.map((value) => ({ value, label: texts.kindChoices[value] })),
          onChoose: (kind) => {
            choose(index, kind);
          },
        }),
      )}
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

/** Everything that a run of small GPTs depends on, past the text and the way it is cut. */
export function transformerSettingsPanel(options: TransformerSettingsOptions): TemplateResult {
  const { texts, settings, onChange } = options;
  const hasVocabulary = options.sourceKind !== 'markov-chain' && settings.tokenizer !== 'character';
  const field = controlsOf(transformerSettings, { texts, values: settings as unknown as Values, change: onChange });
  return html`
    <div class="settings">
      ${arms(options)}
      <div class="row">
        ${settings.arms.includes('tied-low-rank') ? field('lowRank') : nothing}
        ${settings.arms.includes('untied-later') ? field('untieAtStep') : nothing}
        ${segmented({
          legend: texts.sizes,
          name: 'size',
          value: sizeOf(settings),
          choices: (['full', 'small'] as const).map((value) => ({ value, label: texts.sizeNames[value] ?? value })),
          onChoose: (size) => {
            if (size !== 'own') onChange(sizes[size]);
          },
        })}
        ${checkbox({
          label: texts.sqrtScale,
          checked: settings.embeddingScale === 'sqrt-d-model',
          onChange: (on) => {
            onChange({ embeddingScale: on ? 'sqrt-d-model' : 'none' });
          },
        })}
        ${field('inputGradientScale')}
      </div>
      <div class="row">
        ${field('dModel')} ${field('nLayers')} ${field('nHeads')} ${field('contextLength')}
        ${hasVocabulary ? field('vocabSize') : nothing}
      </div>
      <div class="row">
        ${sourceNumbers(options)} ${field('batchSize')} ${field('steps')} ${field('learningRate')} ${field('seed')}
      </div>
    </div>
  `;
}
