// What the package's scripts look like to those who debug them, and what they weigh for those who install them.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
let dist: string;
let scripts: string[];
beforeAll(() => {
  packed = packPackage();
  dist = join(packed.folder, 'node_modules/tied-embeddings/dist');
  const paths = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  scripts = paths.map((path) => path.replaceAll('\\', '/')).filter((path) => path.endsWith('.js'));
});
afterAll(() => packed.remove());

const read = (path: string) => readFileSync(join(dist, path), 'utf8');

/** Scripts that browsers load directly or Node runs as a program. */
const programs = /^(worker|command|elements\.bundle|tied-embeddings\.(global|standalone)|global\/[\w-]+)\.js$/;
/** Scripts without code. */
const data = /^worker-source|^a-year-in-new-york|-bytes/;

// 1.1 MB more than the goal of 9 MB: one model in several workers is in every script that trains (docs/decisions/0105). The readers of files of
// PyTorch and of NumPy's pickles (0111), of packed tables (0110, 0115), of word vectors, arrays and graphs (0116), the kinds of models that count (0117) and stored runs
// (0109) are in three forms: a module, a part of the script for pages, and within the one that is a single file.
test('the package is smaller than 10.45 MB unpacked and 4.65 MB packed', () => {
  expect(packed.unpackedBytes).toBeLessThan(10_450_000);
  expect(packed.bytes).toBeLessThan(4_650_000);
});

test('it has no source maps, and no script names one', () => {
  expect(packed.files.filter((path) => path.endsWith('.map'))).toEqual([]);
  for (const script of scripts) expect(/\/\/# sourceMappingURL=/.test(read(script)), script).toBe(false);
});

test('no script contains a path of the machine that built it', () => {
  const [home] = dist.split('/').filter(Boolean);
  for (const script of scripts) expect(read(script).includes(`"/${home!}/`), script).toBe(false);
});

describe('the modules of the package', () => {
  const modules = () => scripts.filter((path) => !programs.test(path) && !data.test(path));

  test('have the methods of their sources', () => {
    const text = modules().map(read).join('\n');
    for (const method of ['trainTokenizer(', 'countParameters(', 'willUpdate(', 'createLab', 'TiedError']) {
      expect(text.includes(method), method).toBe(true);
    }
  });

  test('have short lines, so that a stack trace leads to a place', () => {
    const lines = modules().flatMap((script) => read(script).split('\n'));
    expect(lines.length).toBeGreaterThan(5000);
    // Long texts are not broken, such as the names of records and of published layers.
    expect(lines.filter((line) => line.length > 200).length / lines.length).toBeLessThan(0.115);
  });
});
