// The API reference, as the site serves it.
import { expect, test } from 'vitest';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

test.each([
  ['light', 320],
  ['dark', 1440],
] as const)('the API reference is clean under the strict policy, %s, at %i px', async (colorScheme, width) => {
  const { page, problems, close } = await openSite('api/', { colorScheme, width });
  await page.locator('[id="Core.createTrainer"]').waitFor();
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
  await close();
});

test('the article leads to the API reference', async () => {
  const { page, url, close } = await openSite('#about');
  await page.locator('#sources a[href="api/"]').click();
  await page.getByRole('heading', { name: 'API reference' }).waitFor();
  expect(page.url()).toBe(`${url}api/`);
  await close();
});
