// The markup of README and of docs/pages.md, as pages beside the files of the package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { openHtml } from './harness.js';

const markup = ['README.md', 'docs/pages.md'].flatMap((name) =>
  [...readFileSync(join(root, name), 'utf8').matchAll(/^```html\n([\s\S]*?)^```$/gm)].map(
    ([, html]) => [name, html!] as const,
  ),
);

test('there is markup in both', () => {
  expect(new Set(markup.map(([name]) => name)).size).toBe(2);
});

test.each(markup)('a page with the markup of %s shows the figure: %s', async (_, html) => {
  // The address of a content network stands for the folder of the package.
  const here = html
    .replace(/https:\/\/[\w.]+\/npm\/tied-embeddings\/dist\//, '/')
    .replaceAll('src="tied', 'src="/tied');
  const opened = await openHtml(`<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>${here}`, {
    '/': join(root, 'dist'),
  });
  const figure = opened.page.locator('tied-symmetry-explorer figure');
  await expect.poll(() => figure.count()).toBeGreaterThan(0);
  expect(await figure.first().textContent()).toMatch(/\w{4}/);
  expect(opened.problems).toEqual([]);
  await opened.close();
});
