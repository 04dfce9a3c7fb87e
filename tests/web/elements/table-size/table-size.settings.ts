import { group, type Panel } from '../../../../web/elements/shared/settings/panel-parts.js';
import { choice, number } from '../../../../web/elements/shared/settings/setting.js';

export const tableSizeSettings = {
  vocabSize: number(50_000, {
    min: 1,
    max: 2 ** 24,
    whole: true,
    link: 'always',
    label: 'vocabSize',
    control: { slider: 'log', between: [100, 300_000] },
  }),
  /** At most the vocabulary's size: a limit that depends on another setting. */
  dModel: number(768, { min: 1, max: ({ vocabSize }) => Number(vocabSize), whole: true, label: 'dModel' }),
  tying: choice(['tied', 'untied'], {
    label: 'tying',
    control: { as: 'segmented', names: 'tyings' },
    help: ({ tying }) => (tying === 'untied' ? 'twice' : null),
  }),
};

export const tableSizePanel = [group('sizes', 'vocabSize', 'dModel'), 'tying', 'reset'] satisfies Panel<
  keyof typeof tableSizeSettings | 'reset'
>;
