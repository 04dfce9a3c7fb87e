// A contender that measures everything in one page of its own, which is opened for the first measurement.
import { join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';
import { pageOf, serveCompressed } from './cold-start.mjs';

/**
 * @param {import('playwright-core').Browser} browser
 * @param {object} contender
 * @param {string} contender.name
 * @param {string} contender.folder Of bench/pages; its page.mjs sets `globalThis.ready`.
 * @param {string[]} contender.cases
 * @param {string} [contender.package_] The folder of the measured package.
 * @param {Record<string, string>} [contender.folders] Further folders that its page reads, by URL.
 * @param {Record<string, string>} [contender.headers] Further headers of all responses.
 * @param {(page: import('playwright-core').Page, id: string, milliseconds: number) => Promise<any>} contender.measure
 * @returns {Promise<import('../contender.d.ts').Contender>}
 */
export async function onePageContender(browser, contender) {
  const { name, folder, cases, measure, package_ = join(root, 'dist'), folders = {}, headers } = contender;
  const server = await serveCompressed({
    folders: { '/dist/': package_, [`/${folder}/`]: join(import.meta.dirname, folder), ...folders },
    pages: { '/': pageOf(`/${folder}/page.mjs`) },
    headers,
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
    cases: () => cases,
    measure: async (id, milliseconds) => measure(await (opened ??= open()), id, milliseconds),
    close: async () => {
      await (await opened)?.context().close();
      await server.close();
    },
  };
}
