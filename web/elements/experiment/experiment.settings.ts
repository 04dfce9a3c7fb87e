import { integer, number, text } from '../shared/settings/setting.js';
import { webLink } from '../shared/web-link.js';

export const experimentSettings = {
  /** The URL of an experiment's file on the page's origin; a link must not choose what runs. */
  src: text(null, { link: 'never', accepts: (url) => webLink(url) !== null, expected: 'expectedUrl' }),
  /** The point of the grid whose curves are drawn, counted from 0; if there are fewer points, the last one. */
  point: number(0, { ...integer(0, 16_383) }),
};
