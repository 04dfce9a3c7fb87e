import { choice } from './settings/setting.js';

/** Whether a figure draws and says what chance alone would give. */
export const chanceSetting = choice(['shown', 'hidden'], {
  label: 'chance',
  control: { as: 'segmented', names: 'chances' },
});

export const chanceStrings = {
  chance: 'Chance',
  chances: { shown: 'Shown', hidden: 'Hidden' } as Readonly<Record<string, string>>,
};
