// The table of public models: only what was read has a row, and the page says how many could be had.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outcomesOf, pageWith, rowsOf } from '../../../tools/lib/public-models.mjs';
import { root } from '../../../tools/lib/root.mjs';

const page = readFileSync(join(root, 'docs/public-models.md'), 'utf8');
const asked = JSON.parse(readFileSync(join(root, 'docs/public-models.json'), 'utf8')) as {
  hub: string[];
  npm: { package: string; version: string; file: string }[];
};

test('fifty different models of the Hub are asked for', () => {
  expect(new Set(asked.hub).size).toBe(50);
  for (const id of asked.hub) expect(id).toMatch(/^[\w.-]+\/[\w.-]+$/);
});

test('the page has as many rows as it says, each of a model that was asked for, with a revision and a date', () => {
  const said = /(\d+) of (\d+) models could be had/.exec(page)!;
  const rows = rowsOf(page);
  expect([rows.length, asked.hub.length + asked.npm.length]).toEqual([Number(said[1]), Number(said[2])]);
  const names = [...asked.hub, ...asked.npm.map(({ file }) => file.split('/').at(-1)!)];
  for (const [name, date, revision] of rows) {
    expect(
      names.some((one) => name!.includes(one)),
      name,
    ).toBe(true);
    expect([date, revision], name).not.toContain('');
  }
});

test('a model that could not be reached has no row; one that was read and refused has', () => {
  const cells = (verdict: string, evidence: string) => ['a', '–', '–', '–', '–', verdict, evidence, '–', '–'];
  const { rows, missing } = outcomesOf([
    cells('tied: one table for both roles', 'alias'),
    cells('not read', 'the server cannot be reached (ENOTFOUND); check the URL, or download the file and choose it'),
    cells('not read', 'it is a model in the binary form of fastText'),
    null,
  ]);
  expect([rows.length, missing]).toEqual([2, 2]);
  expect(rows[1]![6]).toContain('fastText');
});

test('the table is written in place of the last one, without the asymmetry', () => {
  const row = ['m', '2026-11-03', '0123', 'wte [4, 2], F32', '50 % of 16', 'tied', 'alias', '0.000', 'far \\| off'];
  const written = pageWith(page, { rows: [row], missing: 1 }, { date: '2026-12-01', version: '9.9.9', asked: 2 });
  expect(written).toContain('Run on 2026-12-01 with tied-embeddings 9.9.9: 1 of 2 models could be had');
  expect(rowsOf(written)).toEqual([[...row.slice(0, 7), row[8]]]);
  expect(pageWith(written, { rows: [], missing: 2 }, { date: '2026-12-01', version: '9.9.9', asked: 2 })).not.toContain(
    '0123',
  );
  expect(() => pageWith('# Nothing', { rows: [], missing: 0 }, { date: '', version: '', asked: 0 })).toThrow(
    'no place for the table',
  );
});
