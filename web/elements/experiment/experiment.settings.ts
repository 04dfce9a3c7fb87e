import { number, text } from '../shared/settings/setting.js';
import { webLink } from '../shared/web-link.js';

export const experimentSettings = {
  /** A file of this origin with the experiment; a link must not choose what runs. */
  src: text(null, { link: 'never', accepts: (url) => webLink(url) !== null, expected: 'expectedUrl' }),
  /** The point of the grid whose curves are drawn, 0 the first; beyond the last, the last one. */
  point: number(0, { min: 0, max: 16_383, whole: true }),
};
