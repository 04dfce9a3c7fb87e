// How long an encoder-decoder takes in a lab until it reverses words, with one, two or three tables.
import { join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';
import { pageOf, serveCompressed } from './cold-start.mjs';

/**
 * @param {import('playwright-core').Browser} browser
 * @returns {Promise<import('../contender.d.ts').Contender>}
 */
export async function reversalContender(browser, name) {
  const server = await serveCompressed({
    folders: { '/dist/': join(root, 'dist'), '/reversal/': join(import.meta.dirname, 'reversal') },
    pages: { '/': pageOf('/reversal/page.mjs') },
  });
  /** @type {Promise<import('playwright-core').Page> | undefined} */
  let opened;
  const open = async () => {
    const page = await (await browser.newContext()).newPage();
    const problem = new Promise((_, reject) => page.on('pageerror', reject));
    await page.goto(server.url);
    await Promise.race([page.waitForFunction(() => globalThis.ready, undefined, { timeout: 60_000 }), problem]);
    return page;
  };
  return {
    name,
    host: 'Chromium',
    clock: 'wall',
    cases: () => ['learn/reversal/1-table', 'learn/reversal/2-tables', 'learn/reversal/3-tables'],
    measure: async (id) => {
      opened ??= open();
      const page = await opened;
      return page.evaluate((tables) => globalThis.measureReversal(tables), Number(id.split('/')[2][0]));
    },
    close: async () => {
      await (await opened)?.context().close();
      await server.close();
    },
  };
}
