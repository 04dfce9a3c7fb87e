// The API reference and the claims page, as the site serves them.
import { expect, test } from 'vitest';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

test.each([
  ['light', 320],
  ['dark', 1440],
] as const)('the API reference has no problems under the strict policy, %s, at %i px', async (colorScheme, width) => {
  const { page, problems, close } = await openSite('api/', { colorScheme, width });
  await page.locator('[id="Core.createTrainer"]').waitFor();
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
  await close();
});

test('the article links to the API reference', async () => {
  const { page, url, close } = await openSite('#about');
  await page.locator('#sources a[href="api/"]').click();
  await page.getByRole('heading', { name: 'API reference' }).waitFor();
  expect(page.url()).toBe(`${url}api/`);
  await close();
});

test.each([
  ['light', 320],
  ['dark', 1440],
] as const)('the claims page has no problems under the strict policy, %s, at %i px', async (colorScheme, width) => {
  const { page, problems, close } = await openSite('claims/', { colorScheme, width });
  await page.getByRole('heading', { name: 'Claims and outcomes' }).waitFor();
  expect(await horizontalOverflow(page)).toBe(0);
  // With every fold open.
  for (const summary of await page.locator('summary').all()) await summary.click();
  expect(await axeViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
  await close();
});

test('the article links to the claims page where it says what it does not show', async () => {
  const { page, url, close } = await openSite('#limits');
  await page.getByText('What this page does not show').click();
  await page.locator('#not-shown a[href="claims/"]').click();
  await page.getByRole('heading', { name: 'Claims and outcomes' }).waitFor();
  expect(page.url()).toBe(`${url}claims/`);
  await close();
});

test('the article links to the claims page at its end, without a fold to open; that links to each claim', async () => {
  const { page, url, close } = await openSite('#sources');
  await page.locator('#sources > p a[href="claims/"]').click();
  await page.getByRole('heading', { name: 'Claims and outcomes' }).waitFor();
  expect(page.url()).toBe(`${url}claims/`);
  const title = '18. Sharing one table three ways in an encoder-decoder saves two thirds of the tables';
  await page.getByRole('link', { name: title }).click();
  expect(await page.getByRole('heading', { name: title }).boundingBox()).toMatchObject({
    // At the top of the window, whatever the line above it.
    y: expect.closeTo(25, -2) as number,
  });
  await close();
});
