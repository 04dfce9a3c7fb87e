/** Directories of ZIP archives: entries by name, also of very many. */
import { expect, test } from 'vitest';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { dataOf, readZipDirectory } from '../../../web/core/checkpoint/bytes/zip-directory.js';
import { utf8 } from './checkpoint-files.js';
import { zip } from './pytorch-files.js';

test('an entry is found by its whole name, and only by that', async () => {
  const names = [
    '',
    'a',
    'aa',
    'a/',
    'ü/λ',
    'a/7',
    '\u{1f4e6}',
    ...Array.from({ length: 3000 }, (_, i) => `archive/data/${i}`),
  ];
  for (const wide of [false, true]) {
    const source = new BytesSource(zip(names.map((name) => ({ name, data: utf8(`${name}!`) })), { wide })); // prettier-ignore
    const { entries, end } = await readZipDirectory(source);
    expect([...entries].map(({ name }) => name)).toEqual(names);
    for (const name of names) {
      const entry = entries.get(name)!;
      const at = await dataOf(source, entry, end);
      expect(new TextDecoder().decode(await source.read(at, entry.size))).toBe(`${name}!`);
    }
    for (const name of ['b', 'archive/data/3000', 'archive/data/', 'ü', 'a/7 ', 'toString'])
      expect(entries.has(name)).toBe(false);
    expect(entries.otherNames()).toEqual(names.filter((name) => !/\d$/.test(name)));
  }
});

test('an archive without entries has none', async () => {
  const { entries } = await readZipDirectory(new BytesSource(zip([])));
  expect([...entries]).toEqual([]);
  expect(entries.get('a')).toBeUndefined();
});
