// The relaxed build in Chromium, which has relaxed SIMD, with every entry of the package, under the strict policy.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { openHtml } from './harness.js';

interface Used {
  first: number;
  last: number;
}

const served = { '/dist/': join(root, 'dist'), '/scripts/': join(root, 'tests/browser/scripts') };

const TRAINING_LAB =
  '<tied-training-lab text-source="stories" story-length="2000" vocab-size="60"></tied-training-lab>';

const html = (head: string, body = ''): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>A post</title><link rel="icon" href="data:,">${head}</head><body>${body}<p id="out">waiting</p></body></html>`;

/** The page's output, and the files of the relaxed build that it fetched. */
async function outcome(page: string) {
  const opened = await openHtml(page, served);
  await opened.page.locator('#out:not(:text("waiting"))').waitFor();
  const found = JSON.parse((await opened.page.locator('#out').textContent()) ?? '') as Record<string, unknown>;
  const names = await opened.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(opened.problems).toEqual([]);
  await opened.close();
  const fetched = names.filter((name) => name.includes('relaxed') && !name.includes('/scripts/'));
  return { found, fetched: fetched.map((name) => name.slice(name.lastIndexOf('/') + 1)).sort() };
}

function expectBothBuilds({ usual, relaxed }: Record<string, unknown>): void {
  const common = { mode: 'worker', same: true };
  expect(usual).toMatchObject({ ...common, simd: 'simd128', labSimd: 'simd128' });
  expect(relaxed).toMatchObject({ ...common, simd: 'relaxed', labSimd: 'relaxed' });
  const [expected, actual] = [usual as Used, relaxed as Used];
  expect(expected.last).toBeLessThan(expected.first);
  // As in tests/web/relaxed/training.test.ts: roundings differ, and long sums are about 1e-6 apart.
  for (const loss of ['first', 'last'] as const) expect(Math.abs(actual[loss] / expected[loss] - 1)).toBeLessThan(1e-4);
}

test.each([
  {
    entry: 'tied-embeddings.js',
    files: ['analysis-relaxed-bytes.js', 'core-relaxed-bytes.js', 'files-relaxed-bytes.js'],
  },
  { entry: 'slim.js', files: ['analysis-relaxed.wasm', 'core-relaxed.wasm', 'files-relaxed.wasm'] },
])('$entry trains with either build, and fetches the relaxed one on request', async ({ entry, files }) => {
  const { found, fetched } = await outcome(
    html(`<script type="module" src="/scripts/both-builds.js?${entry}"></script>`),
  );
  expectBothBuilds(found);
  expect(found).toMatchObject({ fetchedBefore: false, support: { supported: true, reason: null } });
  expect(fetched.sort()).toEqual(files);
});

test('the classic script has it too, from its own folder', async () => {
  const { found, fetched } = await outcome(
    html(
      '<script src="/dist/tied-embeddings.global.js" data-simd="relaxed" defer></script>' +
        '<script type="module" src="/scripts/global-relaxed.js"></script>',
    ),
  );
  expectBothBuilds(found);
  expect(new Set(fetched)).toEqual(new Set(['analysis-relaxed.wasm', 'core-relaxed.wasm', 'files-relaxed.wasm']));
});

test('an unknown value is reported on the console, and the page works', async () => {
  const opened = await openHtml(
    html('<script src="/dist/tied-embeddings.global.js" data-simd="fast" defer></script>', TRAINING_LAB),
    served,
  );
  await opened.page.locator('tied-training-lab').getByRole('button', { name: 'One step' }).click();
  await opened.page
    .getByText(/^Step 1 of/)
    .first()
    .waitFor();
  expect(opened.problems).toHaveLength(1);
  expect(opened.problems[0]).toMatch(
    /^console warning: .*options\.simd is 'fast'; expected one of 'simd128' or 'relaxed'/,
  );
  await opened.close();
});

test.each([
  { build: 'relaxed', attribute: ' data-simd="relaxed"', says: true },
  { build: 'usual', attribute: '', says: false },
])('the training lab says if its numbers depend on the processor ($build build)', async (tag) => {
  const opened = await openHtml(
    html(`<script src="/dist/tied-embeddings.global.js"${tag.attribute} defer></script>`, TRAINING_LAB),
    served,
  );
  const lab = opened.page.locator('tied-training-lab');
  await lab.getByRole('button', { name: 'One step' }).click();
  await lab
    .getByText(/^Step 1 of/)
    .first()
    .waitFor();
  const caption = await lab.locator('figcaption').textContent();
  expect(caption?.includes('on another processor the same settings and seed can differ in the last digits.')).toBe(
    tag.says,
  );
  expect(opened.problems).toEqual([]);
  await opened.close();
});
