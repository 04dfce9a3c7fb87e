// The same steps of two models: in two workers at once, and one after the other.
import { onePageContender } from './one-page.mjs';

/** @param {import('playwright-core').Browser} browser @param {string} name */
export const armsContender = (browser, name) =>
  onePageContender(browser, {
    name,
    folder: 'arms',
    cases: ['arms/together', 'arms/in-turn'],
    measure: (page, id, milliseconds) =>
      page.evaluate(([way, least]) => globalThis.measureArms(way, least), [id.split('/')[1], milliseconds]),
  });
