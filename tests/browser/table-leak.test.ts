// The chapter about what logits give away, on its own page: the reader trains both models, and reads what was found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { widthOf, type Leak } from '../../web/article/figures/leak/measure.js';
import { tiedSentence, trainedBeforehand, untiedSentence } from '../../web/article/figures/leak/sentences.js';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

const finished = JSON.parse(readFileSync(join(root, 'web/article/assets/finished-leak.json'), 'utf8')) as {
  leaks: readonly [Leak, Leak];
};

test.each([320, 1280])('the width of the model just trained is read from its logits, at %i px', async (width) => {
  const { page, problems } = await openSite('leak.html', { width });
  await page.locator('article-leak').scrollIntoViewIfNeeded();
  const told = page.locator('article-leak .read-out');
  await told.first().waitFor();
  // Before the reader trains: the recorded run, drawn, said and marked as such.
  const atRest = [finished.leaks[0], finished.leaks[1]] as const;
  expect(await told.allTextContents()).toEqual([tiedSentence(atRest[0]), untiedSentence(atRest[1])]);
  const note = page.locator('article-leak .note', { hasText: trainedBeforehand });
  expect(await note.isVisible()).toBe(true);
  expect(await page.locator('article-leak svg .mark').count()).toBeGreaterThan(2 * atRest[0].width);
  await page.locator('article-leak').getByRole('button', { name: 'Train both' }).click();
  await note.waitFor({ state: 'detached', timeout: 60_000 });
  const [tied, untied] = await told.allTextContents();
  expect(tied).toContain(`width ${widthOf(1)}, as it is. Rows up to a rotation: mean cosine 1.00000`);
  expect(untied).toContain(`width ${widthOf(1)}, as it is.`);
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await axeViolations(page, 'article-leak')).toEqual([]);
  expect(problems).toEqual([]);
});
