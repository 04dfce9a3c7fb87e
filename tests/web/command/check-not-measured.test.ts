// What cannot be measured, read or shown does not hide what is known: verdicts stay, other files keep their cards, and names of files stay text.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../../command/main.mjs';
import { loadCore } from '../../../web/index.js';
import { floats, safetensors } from '../checkpoint/checkpoint-files.js';
import { ownFolder, rowOf, runCheck, runWhole } from './run-check.js';

const { folder, put } = ownFolder();
const [V, D] = [24, 4];
const noise = (seed: number): number[] => Array.from({ length: V * D }, (_, i) => Math.sin(seed + i * i));
const twoTables = (input: readonly number[], output: readonly number[]): Uint8Array =>
  safetensors({
    'model.embed_tokens.weight': { shape: [V, D], data: floats([...input]) },
    'model.norm.weight': { shape: [D], data: floats([1, 1, 1, 1]) },
    'lm_head.weight': { shape: [V, D], data: floats([...output]) },
  });
const plain = put('plain.safetensors', twoTables(noise(0), noise(9)));

describe.each([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])('a table with %s', (name, value) => {
  const spoilt = noise(0).map((one, i) => (i === 5 ? value : one));
  const file = put(`${name}.safetensors`, twoTables(spoilt, spoilt));

  test('has its verdict, and the reason why nothing is measured', async () => {
    const ended = await runCheck(file, '--tables');
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(rowOf(ended, 'tying')).toBe('tied, but stored twice');
    expect(rowOf(ended, 'direct path')).toMatch(
      new RegExp(`^not measured, because embedding\\[1, 1\\] is ${name}`, 'i'),
    );
    expect(rowOf(ended, 'IsoScore')).toMatch(/^not measured, because /);
    expect((await runCheck(file, '--expect', 'tied')).code).toBe(0);
    expect((await runCheck(file, '--expect', 'untied')).code).toBe(1);
  });

  test('has a row in a table, and a card with verdict and tables', async () => {
    expect((await runCheck(file, '--markdown')).out).toContain('| tied, but stored twice | equal-bytes |');
    const card = await runCheck(file, '--card', '--quiet');
    expect([card.code, card.err]).toEqual([0, '']);
    expect(card.out).toContain('**Tied**: both tables are in the file, with equal bytes.');
    expect(card.out).toContain('| reads | model.embed\\_tokens.weight | 24 × 4 | F32 | 384 |');
    expect(card.out).toMatch(/^Not measured: 'model\.embed\\_tokens\.weight': /m);
    const { tying, notMeasured } = JSON.parse((await runCheck(file, '--card', '--quiet', '--json')).out) as {
      tying: { tied: boolean };
      notMeasured: string;
    };
    expect([tying.tied, typeof notMeasured]).toEqual([true, 'string']);
  });
});

test('parts of a model whose index is missing are read together, by the name of any of them and by that of their folder', async () => {
  mkdirSync(join(folder, 'parts'));
  const part = (number: number, name: string, seed: number): string =>
    put(
      `parts/model-0000${number}-of-00002.safetensors`,
      safetensors({ [name]: { shape: [V, D], data: floats(noise(seed)) } }),
    );
  const files = [part(1, 'model.embed_tokens.weight', 0), part(2, 'lm_head.weight', 9)];
  for (const given of [...files, join(folder, 'parts')]) {
    const ended = await runCheck(given);
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(rowOf(ended, 'tying')).toBe('not tied: two tables');
  }
});

describe('a head of zeros', () => {
  const file = put('zero.safetensors', twoTables(noise(0), noise(0).fill(0)));

  test('is a second table, with a direct path of zero whose asymmetry is not defined', async () => {
    const ended = await runCheck(file);
    expect(rowOf(ended, 'tying')).toBe('not tied: two tables');
    expect(rowOf(ended, 'direct path')).toBe('zero: every pair has the score 0, so its asymmetry is not defined');
    expect(rowOf(ended, 'asymmetry')).toBeUndefined();
  });

  test('has a card with the verdict', async () => {
    const { code, out } = await runCheck(file, '--card', '--quiet');
    expect(code).toBe(0);
    expect(out).toContain('**Not tied**: both tables are in the file, and they differ.');
    expect(out).toMatch(/^Not measured: .*is all zeros/m);
  });
});

test('the asymmetry does not depend on how small one table is', async () => {
  const core = await loadCore();
  const path = (scale: number) =>
    core.directPathSymmetry(
      {
        embedding: { rows: V, cols: D, data: Float32Array.from(noise(0)) },
        unembedding: { rows: V, cols: D, data: Float32Array.from(noise(9), (value) => Math.fround(value) * scale) },
      },
      { worst: 3 },
    );
  const [one, small] = [path(1), path(2 ** -40)];
  // Rounding in double precision, with the second table at another power of two.
  expect(small.asymmetry).toBeCloseTo(one.asymmetry, 12);
  expect(small.norm * 2 ** 40).toBeCloseTo(one.norm, 10);
  expect(small.worst.map(({ row, col, forward }) => [row, col, forward * 2 ** 40])).toEqual(
    one.worst.map(({ row, col, forward }) => [row, col, expect.closeTo(forward, 10) as number]),
  );
  core.dispose();
});

test('a table of equal rows has no measure of how its rows vary, in the result and on the card', async () => {
  const file = put('constant.safetensors', twoTables(noise(0).fill(0.5), noise(0).fill(0.25)));
  const ended = await runCheck(file, '--tables');
  expect(rowOf(ended, 'IsoScore of the embedding')).toBe('not defined, because all rows are equal');
  expect(rowOf(ended, 'effective rank')).toBe('not defined, because all rows are equal');
  const { out } = await runCheck(file, '--card', '--quiet');
  expect(out).toMatch(/^\| IsoScore, input table \| – \|/m);
  expect(out).toMatch(/^\| effective rank, input table \| – \|/m);
});

test('the asymmetry by chance is the same number as on the card', async () => {
  const { asymmetryByChance } = JSON.parse((await runCheck(plain, '--json')).out) as { asymmetryByChance: number };
  const { asymmetry } = JSON.parse((await runCheck(plain, '--card', '--quiet', '--json')).out) as {
    asymmetry: { null: number };
  };
  // Sums in another order.
  expect(asymmetryByChance).toBeCloseTo(asymmetry.null, 6);
});

test('a card of a turned copy lists no pairs, because no order matters', async () => {
  const turned = Array.from({ length: V * D }, (_, i) => noise(0)[(i % V) * D + Math.floor(i / V)]!);
  const file = put(
    'turned.safetensors',
    safetensors({
      'model.embed_tokens.weight': { shape: [V, D], data: floats(noise(0)) },
      'lm_head.kernel': { shape: [D, V], data: floats(turned) },
    }),
  );
  const { out } = await runCheck(file, '--card', '--quiet');
  expect(out).toContain('| asymmetry of W_E W_Uᵀ | 0 |');
  expect(out).not.toContain('differ most by their order');
});

test('a card says why there is no verdict, without options that its readers do not have', async () => {
  const file = put('one.csv', 'a,1,2\nb,3,4\nc,-1,2\n');
  const { out } = await runCheck(file, '--card', '--quiet');
  expect(out).toContain('**Tying: not known**');
  expect(out).not.toMatch(/tables: |--(?:un)?embedding/);
});

describe('several cards', () => {
  test('do not depend on a file that cannot be read', async () => {
    const { code, out, err } = await runCheck(plain, join(folder, 'none.gguf'), plain, '--card', '--quiet');
    expect(code).toBe(64);
    expect(out.match(/^#### Token tables$/gm)).toHaveLength(2);
    expect(err).toMatch(/^tied-embeddings: .*none\.gguf cannot be read: ENOENT, there is no such file\n$/);
  });
});

describe('a folder', () => {
  test('stands for the model.safetensors in it', async () => {
    mkdirSync(join(folder, 'model'));
    put('model/model.safetensors', twoTables(noise(0), noise(9)));
    const ended = await runCheck(join(folder, 'model'));
    expect(rowOf(ended, 'tying')).toBe('not tied: two tables');
    expect((await runCheck(join(folder, 'model'), '--card', '--quiet')).code).toBe(0);
  });

  test('without a model is refused with what is expected', async () => {
    mkdirSync(join(folder, 'empty'));
    const { code, err } = await runCheck(join(folder, 'empty'));
    expect(code).toBe(64);
    expect(err).toMatch(
      /empty is a folder without model\.safetensors or .*; expected the folder of a model, or its file/,
    );
  });
});

test.each(['safetensors', 'gguf'])('a text named .%s is no table', async (ending) => {
  const { code, err } = await runCheck(put(`garbage.${ending}`, 'a,1\nb,2\n'));
  expect(code).toBe(64);
  expect(err).toContain(`it is a text, although its name ends in .${ending}`);
});

describe('control characters in names of tensors and files', () => {
  const evil = '\u001b]0;title\u0007\u001b[31m\u0000\r\u009b2J\u202e';
  const names = { [`${evil}.weight`]: { shape: [V, D], data: floats(noise(0)) } };
  const refused = put('evil.safetensors', safetensors(names));
  const given = put('given.safetensors', safetensors({ ...names, b: { shape: [V, D], data: floats(noise(1)) } }));
  const hasControls = (text: string): boolean => /[\p{Cf}]|(?!\n)\p{Cc}/u.test(text);
  const tables = ['--embedding', `${evil}.weight`, '--unembedding', 'b'];

  test.each([
    ['a refusal', [refused]],
    ['a refused file name', [join(folder, `none${evil.replaceAll('\u0000', '')}`)]],
    ['a result', [given, ...tables]],
    ['a card', [given, ...tables, '--card', '--quiet']],
    ['a table', [given, ...tables, '--markdown']],
    ['a refusal in a table', [refused, '--markdown']],
    ['an unexpected verdict', [given, ...tables, '--expect', 'tied']],
  ])('are escaped in %s', async (_, words) => {
    const { out, err } = await runWhole(main, 'check', ...words);
    expect(out + err).not.toBe('');
    expect([hasControls(out), hasControls(err)]).toEqual([false, false]);
    expect(out + err).toMatch(/u\\?\{1b\\?\}/);
  });
});
