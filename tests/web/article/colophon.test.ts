import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { colophonFacts, dateOf, inWords } from '../../../web/article/build/colophon.mjs';

describe('the page’s own particulars', () => {
  it('are those of the package', async () => {
    const { name, version, author, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const facts = await colophonFacts(root);
    expect(facts).toMatchObject({ name, version, author, license });
    expect(facts.year).toMatch(/^20\d\d$/);
    expect(facts.date).toContain(facts.year);
  });

  it('take the date from the heading of the version, where it has one', () => {
    expect(dateOf('# Changes\n\n## 0.3.0, 2026-12-01\n\n## 0.2.0\n', '0.3.0')).toBe('2026-12-01');
    expect(dateOf('# Changes\n\n## 0.3.0, 2026-12-01\n\n## 0.2.0\n', '0.2.0')).toBeNull();
    expect(inWords('2026-12-01')).toBe('1 December 2026');
  });
});
