import { text } from '../shared/settings/setting.js';
import { webLink } from '../shared/web-link.js';

export const experimentSettings = {
  /** A file of this origin with the experiment; a link must not choose what runs. */
  src: text(null, { link: 'never', accepts: (url) => webLink(url) !== null, expected: 'expectedUrl' }),
};
