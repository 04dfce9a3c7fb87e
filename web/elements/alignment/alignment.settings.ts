import type { Panel } from '../shared/settings/panel.js';
import { choice, text } from '../shared/settings/setting.js';
import { webLink } from '../shared/web-link.js';

export const alignmentMethods = ['linear', 'orthogonal', 'identity'] as const;
export type Method = (typeof alignmentMethods)[number];

export const alignmentSettings = {
  /** URL of the trained models, which is fetched when the reader asks for the measurement. */
  weights: text(null, { link: 'never', accepts: (url) => webLink(url) !== null, expected: 'expectedUrl' }),
  method: choice(alignmentMethods, {
    link: 'always',
    label: 'method',
    control: { as: 'segmented', names: 'methods' },
  }),
  center: choice(['centered', 'as-is'], { label: 'center', control: { as: 'segmented', names: 'centers' } }),
  /** A second fit that does not see a fifth of the tokens. */
  holdOut: choice(['fifth', 'none'], {
    label: 'holdOut',
    control: { as: 'segmented', names: 'holdOuts' },
    // Without a map nothing is fitted.
    applies: ({ method }) => method !== 'identity',
  }),
  /** Whose neighbours are listed. */
  word: text('She', { label: 'word', control: { hint: 'wordHint' } }),
};

export const settingsPanel = ['method', 'center', 'holdOut'] satisfies Panel<keyof typeof alignmentSettings>;
export const wordPanel = ['word'] satisfies Panel<keyof typeof alignmentSettings>;
