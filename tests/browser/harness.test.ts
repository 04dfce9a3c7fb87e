// The harness itself: it notices the problems that it watches for.
import { expect, test } from 'vitest';
import { axeViolations, horizontalOverflow, openFixture } from './harness.js';

test('a correct page has no problems', async () => {
  const { page, problems, close } = await openFixture({
    body: '<p id="out">waiting</p>',
    script: "document.querySelector('#out')!.textContent = 'done';",
  });
  await page.getByText('done').waitFor();
  expect(problems).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  expect(await horizontalOverflow(page)).toBe(0);
  await close();
});

test('inline styles, inline scripts and foreign requests are reported as policy violations', async () => {
  const { page, problems, close } = await openFixture({
    body: '<p style="color: red">styled</p><img alt="" src="http://localhost:9/x.png"><p id="out">waiting</p>',
    script:
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.bad = 1' })); document.querySelector('#out')!.textContent = 'done';",
  });
  await page.getByText('done').waitFor();
  await expect.poll(() => problems.filter((problem) => problem.startsWith('policy:')).join('\n')).toMatch(/img-src/);
  const violations = problems.filter((problem) => problem.startsWith('policy:')).join('\n');
  expect(violations).toMatch(/style-src/);
  expect(violations).toMatch(/script-src/);
  await close();
});

test('console errors, uncaught errors and missing files are reported', async () => {
  const { problems, close } = await openFixture({
    body: '<img alt="" src="/missing.png">',
    script: "console.error('said'); setTimeout(() => { throw new Error('thrown'); }); ",
  });
  await expect.poll(() => problems.join('\n')).toMatch(/thrown/);
  await expect.poll(() => problems.join('\n')).toMatch(/404: .*missing\.png/);
  expect(problems.join('\n')).toMatch(/console error: said/);
  await close();
});

test('an image without a text and a line that is too wide are reported', async () => {
  const { page, close } = await openFixture(
    { body: `<img src="data:,"><p>${'unbroken'.repeat(100)}</p>`, script: '' },
    { width: 320, height: 600 },
  );
  expect((await axeViolations(page)).join('\n')).toMatch(/image-alt/);
  expect(await horizontalOverflow(page)).toBeGreaterThan(0);
  await close();
});

test('the dark scheme and the window width reach the page', async () => {
  const { page, close } = await openFixture({ body: '', script: '' }, { colorScheme: 'dark', width: 320 });
  expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
  expect(await page.evaluate(() => innerWidth)).toBe(320);
  await close();
});
