// Whole pages as contenders.
import { emptyPage } from './cold-start.mjs';

/**
 * @param {{ browser: import('playwright-core').Browser }} options
 * @returns {Promise<import('../contender.d.ts').Contenders>}
 */
export async function pageContenders({ browser }) {
  return { contenders: [await emptyPage(browser)], absent: [] };
}
