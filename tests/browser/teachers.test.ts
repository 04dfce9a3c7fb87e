// The page for teachers, as the site serves it.
import { expect, test } from 'vitest';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

test.each([
  ['light', 1440],
  ['dark', 320],
] as const)(
  'the page for teachers has no problems under the strict policy, %s, at %i px',
  async (colorScheme, width) => {
    const { page, problems } = await openSite('teachers/', { colorScheme, width });
    await page.getByRole('heading', { name: 'A lesson of fifty minutes' }).waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

test('the article links to it', async () => {
  const { page, url } = await openSite('#about');
  await page.locator('#sources a[href="teachers/"]').click();
  await page.getByRole('heading', { name: 'A lesson of fifty minutes' }).waitFor();
  expect(page.url()).toBe(`${url}teachers/`);
});

test('an exercise opens its figure with the table that it is about, and the figure shows the answer', async () => {
  const { page, problems } = await openSite('teachers/', { width: 1440 });
  await page.locator('#exercise-4 summary').click();
  const answer = (await page.locator('#exercise-4 details').textContent())!;
  const [, share] = /York\s+follows\s+New\s+with\s+(\d+\.\d)%/.exec(answer)!;
  await page.locator('#exercise-4 .figure-link a').click();
  const data = page.locator('tied-symmetry-explorer');
  await data.locator('figure').waitFor();
  const shown = (Number(share) / 100).toFixed(2);
  await expect.poll(() => data.evaluate((one) => one.shadowRoot!.textContent)).toContain(shown);
  expect(problems).toEqual([]);
});

test('on paper it is a handout: answers that are closed are not printed', async () => {
  const { page } = await openSite('teachers/');
  await page.locator('#exercise-1 summary').click();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('#exercise-1 details p').isVisible()).toBe(true);
  expect(await page.locator('#exercise-2 details').isVisible()).toBe(false);
  expect(await page.locator('#exercise-2 p').first().isVisible()).toBe(true);
});
