// Whole pages as contenders.
import { armsContender } from './arms.mjs';
import { cardContender } from './card.mjs';
import { emptyPage } from './cold-start.mjs';
import { oneModelContenders } from './one-model.mjs';
import { pairContender } from './pair.mjs';
import { reversalContender } from './reversal.mjs';
import { startContender } from './start.mjs';

/** The name of the package's default build. */
const ours = 'ours, baseline';

/**
 * `before`: the folder of an earlier package, to compare with.
 * @param {{ browser: import('playwright-core').Browser, before?: string }} options
 * @returns {Promise<import('../contender.d.ts').Contenders>}
 */
export async function pageContenders({ browser, before }) {
  const contenders = [
    emptyPage(browser),
    startContender(browser, ours),
    armsContender(browser, ours),
    ...oneModelContenders(browser, ours, before),
    pairContender(browser, ours),
    cardContender(browser, ours),
    reversalContender(browser, ours),
  ];
  return { contenders: await Promise.all(contenders), absent: [] };
}
