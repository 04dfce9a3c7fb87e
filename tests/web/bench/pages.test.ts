// The pages of docs/ with benchmarks are what the stored results print.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asMarkdown } from '../../../bench/report/markdown.mjs';
import { Results } from '../../../bench/results.mjs';
import { projectFiles } from '../../../tools/lib/files.mjs';
import { root } from '../../../tools/lib/root.mjs';

const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = projectFiles('docs', /^benchmarks(-\w+)?\.md$/);

test('there are pages', () => expect(pages).toContain('docs/benchmarks.md'));

test.each(pages)('%s is what its results print, judged by the goals of today', (page) => {
  const [, source] = /npm run bench -- --from (\S+) --markdown/.exec(text(page)) ?? [];
  const results = new Results(JSON.parse(text(source!)));
  // If it differs: node tools/bench.mjs --from SOURCE --markdown PAGE.
  expect(text(page)).toBe(asMarkdown(results, { source: source!, partial: results.partial }));
});
