// What tests of a figure share: a page with its script, its parts as readers find them, and the file of the article's models.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../tools/lib/root.mjs';

/** Details of `tied-change` events are in `told`. */
export const scriptOf = (figure: string): string => `
import './web/elements/${figure}/${figure}.define.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
document.documentElement.style.background = 'Canvas';
document.addEventListener('tied-change', ({ detail }) => (globalThis.told ??= []).push(detail));
`;

/** No-break spaces only matter for typesetting. */
export const plain = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();
export const readOut = async (page: Page): Promise<string> => plain(await page.locator('.read-out').textContent());
/** What is wrong with the reader's prompt. */
export const promptAlert = async (page: Page): Promise<string> =>
  plain(await page.locator('.prompt-problem').textContent());
export const alert = async (page: Page): Promise<string> =>
  plain(await page.locator('figure > [role=alert]').textContent());
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const choose = (page: Page, group: string, name: string) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name, exact: true }).check({ force: true });

/** What each drawing shows, for screen readers. */
export const drawings = (page: Page): Promise<string[]> =>
  page
    .locator('svg[role=img]')
    .evaluateAll((found) => found.map((drawing) => drawing.getAttribute('aria-label')?.replace(/\u00a0/g, ' ') ?? ''));
/** The rows of the tables under the figure, with joined cells. */
export const data = async (page: Page): Promise<string[]> => {
  const button = page.getByRole('button', { name: 'Show data' });
  if ((await button.count()) > 0) await button.click();
  const rows = await page
    .locator('.data tr')
    .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent).join(' ')));
  return rows.map(plain);
};

export const modelsFile = join(root, 'web/article/assets/finished-transformers.safetensors');

/** Answers requests for `models.safetensors`: with the file, with a status or never; `asked` lists their URLs. */
export async function servesModels(page: Page) {
  const asked: string[] = [];
  const serve = async (how: 'file' | 'never' | number = 'file'): Promise<void> => {
    await page.unroute('**/models.safetensors');
    await page.route('**/models.safetensors', (route) => {
      asked.push(route.request().url());
      if (how === 'never') return undefined;
      return route.fulfill(typeof how === 'number' ? { status: how, body: '' } : { path: modelsFile });
    });
  };
  await serve();
  return { asked, serve };
}
