// The figures of tables in files: a switch that loses one of two tables, and what packed tables weigh.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

const lossAt = (value: string): number => {
  const { values } = JSON.parse(readFileSync(join(root, 'claims/outcomes/lost-head.json'), 'utf8')) as {
    values: { value: string; points: { mean: number }[] }[];
  };
  return values.find((one) => one.value === value)!.points[0]!.mean;
};

test('the switch takes a table away, by mouse and by keyboard, and the words say what is left', async () => {
  const { page, problems, close } = await openSite('files.html');
  const figure = page.locator('article-lost-table');
  await figure.scrollIntoViewIfNeeded();
  const words = figure.locator('.read-out');
  await expect.poll(() => words.textContent()).toContain(lossAt('loss(untied, step=600)').toFixed(2));
  expect(await figure.locator('svg .lost').count()).toBe(0);
  await figure.locator('label', { hasText: 'writing' }).click();
  const without = lossAt('lost-table(untied, lost=unembedding, step=600)').toFixed(2);
  await expect
    .poll(() => words.textContent())
    .toMatch(new RegExp(`^Without the table that writes, .* ${without} nats: worse`));
  expect(await figure.locator('svg .lost').count()).toBeGreaterThan(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => words.textContent()).toMatch(/^Without the table that reads/);
  expect(await figure.locator('svg[role=img]').getAttribute('aria-label')).toMatch(
    /^Loss of the model with no reading table\./,
  );
  expect(problems).toEqual([]);
  await close();
});

test('packed tables are shown for both programs, on a phone as well, with their numbers below', async () => {
  const { page, problems, close } = await openSite('files.html', { width: 360 });
  const figure = page.locator('article-table-bits');
  await page.locator('article-lost-table').scrollIntoViewIfNeeded();
  await figure.scrollIntoViewIfNeeded();
  await expect
    .poll(() => figure.locator('.read-out').textContent())
    .toMatch(/^In files of llama\.cpp, tying saves 29% to 50%/);
  expect(await figure.locator('svg .named').allTextContents()).toContain('Q4_K_M');
  await figure.locator('label', { hasText: 'MLX' }).click();
  await expect.poll(() => figure.locator('.read-out').textContent()).toMatch(/^In files of MLX, tying saves 50% of/);
  expect(await figure.locator('svg .named').allTextContents()).toEqual(['mlx-8', 'mlx-6', 'mlx-4', 'mlx-3']);
  await figure.locator('summary').click();
  expect(await figure.getByRole('cell', { name: '40.7%' }).isVisible()).toBe(true);
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await axeViolations(page, 'article-table-bits')).toEqual([]);
  expect(problems).toEqual([]);
  await close();
});
