// The example that docs/adding.md names, bundled the way authors bundle their own figures, and opened under the strict policy.
import { expect, it } from 'vitest';
import { axeViolations, horizontalOverflow, openFixture } from './harness.js';

it('the example in the documentation builds, counts by itself, follows its controls and fits 320 pixels', async () => {
  // Imported by name: package.json lists no test files under sideEffects, so esbuild would drop a bare import.
  const script =
    "import { TableSize } from './tests/web/elements/table-size/table-size.define.ts'; window.example = TableSize;";
  const body = '<tied-table-size heading-level="2" vocab-size="1000" d-model="16"></tied-table-size>';
  const { page, problems, close } = await openFixture({ title: 'Example', script, body }, { width: 320 });
  const said = (): Promise<string | null> => page.locator('.read-out').textContent();
  await expect.poll(said, { timeout: 30_000 }).toBe('The tables hold 16,000 parameters.');
  await page.getByText('Separate').click();
  await expect.poll(said, { timeout: 30_000 }).toBe('The tables hold 32,000 parameters.');
  expect(await page.locator('tied-table-size').getAttribute('tying')).toBe('untied');
  expect(await axeViolations(page)).toEqual([]);
  expect(await horizontalOverflow(page)).toBe(0);
  expect(problems).toEqual([]);
  await close();
});
