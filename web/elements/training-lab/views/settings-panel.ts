import type { TemplateResult } from 'lit';
import { checkboxes, segmented } from '../../shared/controls.js';
import type { Content } from '../../shared/figure.js';
import { group, type Panel } from '../../shared/settings/panel-parts.js';
import { symbols } from '../../shared/symbols.js';
import type { ModeLab } from '../mode-lab.js';
import { allArms, pairs, type LabSettings } from '../settings.js';
import { armClass } from './arm-style.js';

const directPathPanel: Panel = [
  'models',
  group('row', 'storyLength', 'states', 'vocabSize', 'dModel', 'seed', 'steps', 'learningRate'),
  group('row', 'batches', group('batch-size', 'batchSize'), 'optimizer', 'outputBias'),
];

/** The models to train, at least one. */
function models(lab: ModeLab): TemplateResult {
  const { texts } = lab;
  const { arms } = lab.runSettings() as LabSettings;
  return checkboxes({
    legend: texts.models,
    values: allArms,
    chosen: arms,
    look: (tying) => armClass[tying],
    label: (tying) => symbols(`${texts.arms[tying]}: ${texts.armFormulas[tying]}`),
    onChoose: (chosen) => lab.changeSettings({ arms: chosen }),
  });
}

/** All pairs at once, or batches of some pairs. */
function batches(lab: ModeLab): TemplateResult {
  const { texts } = lab;
  const { batchSize } = lab.runSettings() as LabSettings;
  return segmented({
    legend: texts.batchSize,
    name: 'batch',
    value: batchSize === 'whole-table' ? batchSize : 'batches',
    choices: [
      { value: 'whole-table', label: texts.wholeTable },
      { value: 'batches', label: texts.batches },
    ],
    onChoose: (choice) => void lab.changeSettings({ batchSize: choice === 'whole-table' ? choice : pairs.initial }),
  });
}

/** All settings of a run of direct paths except the text and its tokenizer. */
export const directPathSettingsPanel = (lab: ModeLab): Content =>
  lab.panel(directPathPanel, { models: models(lab), batches: batches(lab) });
