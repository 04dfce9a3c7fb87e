// What tests of learning aids share: a reader's first movement, after which they are there.
import type { Page } from 'playwright-core';

/** As a reader's first movement does. */
export async function start(page: Page): Promise<void> {
  await page.mouse.move(9, 9);
  await page.mouse.move(10, 10);
  await page.locator('a.term[role="button"]').first().waitFor({ state: 'attached' });
}

/** Brings an element into the middle of the window. */
export const see = (page: Page, selector: string): Promise<void> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));

/** Shows what a question asks for without a guess. */
export async function justShow(page: Page, name: string): Promise<void> {
  await see(page, `article-guess[name="${name}"]`);
  await page.locator(`article-guess[name="${name}"]`).getByRole('button', { name: 'Just show it' }).click();
}
