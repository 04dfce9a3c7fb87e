import { group, type Panel } from '../shared/settings/panel.js';
import { number, seed, text } from '../shared/settings/setting.js';
import { checkpointStrings } from './checkpoint.strings.js';

/** Settings of the text generation. */
export const writingSettings = {
  prompt: text(checkpointStrings.promptValue, { link: 'always', label: 'prompt', control: { as: 'area' } }),
  temperature: number(0.8, {
    min: 0,
    max: 5,
    link: 'always',
    label: 'temperature',
    control: { step: 0.1, decimals: 1 },
  }),
  /** Number of tokens to generate. */
  tokens: number(200, { min: 1, max: 2000, whole: true, link: 'always', label: 'length', control: { step: 10 } }),
  seed: seed({ label: 'seed' }),
};

export const writingPanel = [
  group('line row', 'prompt'),
  group('line row', 'write', 'temperature', 'tokens', 'seed'),
] satisfies Panel<keyof typeof writingSettings | 'write'>;
