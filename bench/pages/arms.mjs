// The same steps of two models: in two workers at once, and one after the other.
import { join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';
import { pageOf, serveCompressed } from './cold-start.mjs';

/**
 * @param {import('playwright-core').Browser} browser
 * @returns {Promise<import('../contender.d.ts').Contender>}
 */
export async function armsContender(browser, name) {
  const server = await serveCompressed({
    folders: { '/dist/': join(root, 'dist'), '/arms/': join(import.meta.dirname, 'arms') },
    pages: { '/': pageOf('/arms/page.mjs') },
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
    cases: () => ['arms/together', 'arms/in-turn'],
    measure: async (id, milliseconds) => {
      opened ??= open();
      const page = await opened;
      return page.evaluate(([way, least]) => globalThis.measureArms(way, least), [id.split('/')[1], milliseconds]);
    },
    close: async () => {
      await (await opened)?.context().close();
      await server.close();
    },
  };
}
