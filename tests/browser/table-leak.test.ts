// The chapter about what logits give away, on its own page: the reader trains both models, and reads what was found.
import { expect, test } from 'vitest';
import { widthOf } from '../../web/article/figures/leak/measure.js';
import { leakPlan } from '../../web/article/figures/leak/sentences.js';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

test.each([320, 1280])('the width of the model just trained is read from its logits, at %i px', async (width) => {
  const { page, problems } = await openSite('leak.html', { width });
  await page.locator('article-leak').scrollIntoViewIfNeeded();
  const told = page.locator('article-leak .read-out');
  await told.first().waitFor();
  expect(await told.allTextContents()).toEqual([leakPlan]);
  await page.locator('article-leak').getByRole('button', { name: 'Train both' }).click();
  await page.locator('article-leak .read-out:nth-of-type(2)').waitFor({ timeout: 60_000 });
  const [tied, untied] = await told.allTextContents();
  expect(tied).toContain(`width ${widthOf(1)}, as it is. Rows up to a rotation: mean cosine 1.00000`);
  expect(untied).toContain(`width ${widthOf(1)}, as it is.`);
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await axeViolations(page, 'article-leak')).toEqual([]);
  expect(problems).toEqual([]);
});
