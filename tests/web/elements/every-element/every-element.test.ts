// Every figure runs the tests of life.ts in its own test file, which imports no other figure.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../../web/elements');
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, `${name}.define.ts`)));

it('there is more than one figure', () => {
  expect(names).toContain('bigrams');
  expect(names.length).toBeGreaterThan(8);
});

it.each(names.filter((name) => name !== 'shared'))('<tied-%s> has a test file', (name) => {
  const source = readFileSync(join(import.meta.dirname, `${name}.test.ts`), 'utf8');
  expect(source).toContain(`tag: 'tied-${name}',`);
  const figures = [...source.matchAll(/web\/elements\/([\w-]+)\//g)].map(([, figure]) => figure);
  expect([...new Set(figures)]).toEqual([name]);
});
