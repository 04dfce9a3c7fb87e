// Every diagnostic of the training lab's default pair of models, in one lab.
import { join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';
import { pageOf, serveCompressed } from './cold-start.mjs';

const FIVE_MINUTES = 300_000;
const CASES = ['pair/step', 'pair/ablation', 'pair/card', 'pair/diagnostics', 'pair/diagnostics/all', 'pair/cancel'];

/** The CPU seconds of all pages of a browser so far; 0 if it does not report them. */
async function processorSeconds(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/**
 * @param {import('playwright-core').Browser} browser
 * @returns {Promise<import('../contender.d.ts').Contender>}
 */
export async function pairContender(browser, name) {
  const server = await serveCompressed({
    folders: { '/dist/': join(root, 'dist'), '/pair/': join(import.meta.dirname, 'pair') },
    pages: { '/': pageOf('/pair/page.mjs') },
  });
  const session = await browser.newBrowserCDPSession();
  /** @type {Promise<import('playwright-core').Page> | undefined} */
  let opened;
  // The page trains the models before it is ready.
  const open = async () => {
    const page = await (await browser.newContext()).newPage();
    const problem = new Promise((_, reject) => page.on('pageerror', reject));
    await page.goto(server.url);
    const ready = page.waitForFunction(() => globalThis.ready, undefined, { timeout: FIVE_MINUTES });
    await Promise.race([ready, problem]);
    return page;
  };
  return {
    name,
    host: 'Chromium',
    clock: 'wall',
    cases: () => CASES,
    measure: async (id, milliseconds) => {
      opened ??= open();
      const page = await opened;
      const before = await processorSeconds(session);
      const found = await page.evaluate(([which, least]) => globalThis.measureTwins(which, least), [id, milliseconds]);
      const facts = { ...found.facts, 'processor seconds': (await processorSeconds(session)) - before };
      return { ...found, facts };
    },
    close: async () => {
      await (await opened)?.context().close();
      await server.close();
    },
  };
}
