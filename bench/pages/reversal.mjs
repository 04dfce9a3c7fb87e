// How long an encoder-decoder in a lab takes to learn to reverse words, with one, two or three tables.
import { onePageContender } from './one-page.mjs';

/** @param {import('playwright-core').Browser} browser @param {string} name */
export const reversalContender = (browser, name) =>
  onePageContender(browser, {
    name,
    folder: 'reversal',
    cases: ['learn/reversal/1-table', 'learn/reversal/2-tables', 'learn/reversal/3-tables'],
    measure: (page, id) => page.evaluate((tables) => globalThis.measureReversal(tables), Number(id.split('/')[2][0])),
  });
