// floor and recover: what the command says of texts, models and logits, against the package's own verbs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../../command/main.mjs';
import { npyOf } from '../../../command/npy.mjs';
import { loadCore, type Matrix, type ModelConfig, type Trainer } from '../../../web/index.js';
import { ownFolder, rowOf, runWhole } from './run-check.js';

const core = await loadCore({ modules: ['models', 'graphs', 'stories', 'diagnostics', 'checkpoint'] });
const { folder, put } = ownFolder();
const story = core.writeStories({ seed: 1, length: 20_000 });
const text = put('story.txt', story);
const run = (...words: string[]) => runWhole(main, ...words);

describe('floor', () => {
  test('is that of the verbs, on the whole text', async () => {
    const words = ['--tokenizer', 'word', '--vocab-size', '60', '--tolerance', '0.01', '--seed', '3'];
    const { code, out, err } = await run('floor', text, ...words, '--json', '--quiet');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const tokenizer = core.trainTokenizer(story, { kind: 'word', vocabSize: 60 });
    const ids = tokenizer.encode(story);
    const { counts } = core.bigrams(ids, tokenizer.vocabSize);
    const { floor, reached, bigram, steps } = core.tiedFloor(counts, { tolerance: 0.01, seed: 3 });
    const symmetric = core.bigramBounds(counts).symmetricLogits;
    expect(JSON.parse(out)).toEqual({
      ...{ vocabSize: 60, tokens: ids.length, bigram, symmetric },
      ...{ floor: Math.max(floor, symmetric), reached, steps },
    });
    expect(bigram).toBeLessThan(symmetric);
    expect(symmetric).toBeLessThan(floor);
  });

  test('is told in words, with what one table costs', async () => {
    const found = await run('floor', text, '--tokenizer', 'character', '--quiet');
    const losses = [
      'two tables, at least',
      'symmetric logits, at least',
      'one table, at least',
      'one table, best found',
    ];
    const values = losses.map((name) => Number.parseFloat(rowOf(found, name)!));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    const cost = rowOf(found, 'what one table costs, at least')!;
    expect(cost).toMatch(/^\d\.\d{4} nats per token, of which [\d.]+% beyond symmetry$/);
    // Both are rounded to four decimals.
    expect(Math.abs(Number.parseFloat(cost) - (values[2]! - values[0]!))).toBeLessThan(1.5e-4);
    expect(found.err).toBe('');
  });

  test('shows progress unless it is told not to', async () => {
    expect((await run('floor', text, '--tokenizer', 'character', '--steps', '2')).err).toContain(
      'searching for a table',
    );
  });

  test.each<[words: string[], message: RegExp]>([
    [[join('/', 'none.txt')], /none\.txt cannot be read: ENOENT/],
    [[text, '--vocab-size', '2049'], /--vocab-size is '2049'; expected an integer from 2 to 2048/],
    [
      [text, '--tokenizer', 'word', '--alphabet', 'text'],
      /--alphabet was given; expected it with --tokenizer bpe only/,
    ],
    [[text, '--tolerance', '0'], /--tolerance is '0'/],
    [[text, '--width', '8'], /--width is not an option of floor/],
    [[put('one.txt', 'a')], /one\.txt/],
    [
      [
        put('many.txt', Array.from({ length: 2100 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')),
        '--tokenizer',
        'character',
      ],
      /many\.txt has 2,1\d\d different tokens; expected at most 2,048/,
    ],
  ])('refuses %j', async (words, message) => {
    const { code, out, err } = await run('floor', ...words, '--quiet');
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

const V = 24;
const counts = core.bigrams(
  Uint32Array.from({ length: 3000 }, (_, i) => (i * 7 + (i % 5) * (i % 3)) % V),
  V,
).counts;
const from = Uint32Array.from({ length: V }, (_, id) => id);
function trained(model: object): Trainer {
  const whole = { vocabSize: V, dModel: 6, ...model } as ModelConfig;
  const data = whole.kind === 'direct-path' ? { bigramCounts: counts } : { tokenIds: from };
  const trainer = core.createTrainer({
    model: whole,
    training: { learningRate: 0.05, batchSize: 4, seed: 3 },
    ...data,
  } as Parameters<typeof core.createTrainer>[0]);
  trainer.run(40);
  return trainer;
}
interface Told {
  readonly width: number;
  readonly tied: boolean;
  readonly asymmetry: number;
  readonly singularValues: number[];
  readonly compared: {
    readonly cosine: { readonly mean: number; readonly chance: number } | null;
    readonly reading: { readonly overlap: number; readonly chance: number };
  } | null;
}
const told = ({ out }: { out: string }): Told => JSON.parse(out) as Told;
const transformer = { kind: 'transformer', nLayers: 1, nHeads: 2, contextLength: 6 } as const;

describe('recover', () => {
  test('finds width and rows of a tied path in each of its files', async () => {
    const trainer = trained({ kind: 'direct-path', tying: 'tied' });
    const { width, asymmetry, singularValues } = core.recoverTable(trainer.nextTokenLogits({ from }));
    for (const file of [put('tied.tied', trainer.save()), put('tied.safetensors', trainer.toSafetensors())]) {
      const { code, out, err } = await run('recover', file, '--json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const found = told({ out });
      expect(found).toMatchObject({ vocabSize: V, tokens: V, width, asymmetry, tied: true });
      expect(found.singularValues).toEqual([...singularValues]);
      expect(found.width).toBe(6);
      expect(found.compared!.cosine!.mean).toBeGreaterThan(0.9999);
      expect(found.compared!.cosine!.chance).toBeLessThan(0.9);
    }
  });

  test('finds only the spaces of two tables, and says so', async () => {
    const file = put('untied.tied', trained({ kind: 'direct-path', tying: 'untied' }).save());
    const found = await run('recover', file);
    expect(rowOf(found, 'width')).toMatch(/^6; the next singular value is [\d.e+]+ times smaller$/);
    expect(rowOf(found, 'one table')).toBe('no: the logits are no Gram matrix');
    expect(rowOf(found, 'cosine of rows, turned')).toBeUndefined();
    expect(rowOf(found, 'space of the input table')).toMatch(/^1\.000; by chance 0\.\d+$/);
  });

  test.each(['tied', 'untied'] as const)(
    'finds the width of a transformer, %s, whose rows do not follow',
    async (tying) => {
      const file = put(`small-${tying}.tied`, trained({ ...transformer, tying }).save());
      expect(told(await run('recover', file, '--json'))).toMatchObject({
        width: 6,
        tied: false,
        compared: { columns: 6 },
      });
    },
  );

  test.each<[model: object, width: number]>([
    [{ kind: 'direct-path', tying: 'tied-linear' }, 6],
    [{ kind: 'direct-path', tying: 'tied', tableRank: 3 }, 3],
    [{ kind: 'direct-path', tying: 'tied', outputBias: true }, 6],
    [{ ...transformer, tying: 'tied-low-rank', lowRank: 2 }, 6],
    [{ ...transformer, tying: 'untied', tableRank: 3 }, 3],
    [{ ...transformer, tying: 'tied', head: { kind: 'sampled', samples: 6, proposal: 'log-uniform' } }, 6],
  ])('tells the rank of the logits of %j', async (model, width) => {
    const file = put('any.tied', trained(model).save());
    const { code, out } = await run('recover', file, '--json');
    expect([code, told({ out }).width]).toEqual([0, width]);
  });

  test('reads logits alone, writes the rows, and needs a tolerance for rounded ones', async () => {
    const trainer = trained({ kind: 'direct-path', tying: 'tied' });
    const logits = trainer.nextTokenLogits({ from });
    const rounded = logits.data.map((x) => Math.round(100 * x) / 100);
    const exact = put('logits.npy', npyOf(logits.data, [V, V]));
    const coarse = put('rounded.npy', npyOf(Float32Array.from(rounded), [V, V]));
    expect(told(await run('recover', coarse, '--json')).width).toBeGreaterThan(6);
    expect(rowOf(await run('recover', coarse), 'width')).toMatch(/^23: all that so many tokens can show;/);
    const below = await run('recover', coarse, '--tolerance', '0.01');
    expect(rowOf(below, 'width')).toMatch(/^\d+; .* times smaller, so this is a guess$/);
    const out = join(folder, 'rows.npy');
    const found = told(await run('recover', exact, '--json', '--out', out));
    expect(found).toMatchObject({ width: 6, tied: true, compared: null });
    const bytes = new Uint8Array(readFileSync(out));
    const rows: Matrix = await (await core.openCheckpoint(new File([bytes], 'rows.npy'))).matrix('input');
    expect([rows.rows, rows.cols]).toEqual([V, 6]);
    const { meanCosine } = core.align(rows, trainer.matrix('embedding'), { method: 'orthogonal', holdOut: 0 });
    expect(meanCosine).toBeGreaterThan(0.9999);
    expect((await run('recover', exact, '--out', out)).err).toMatch(/rows\.npy already exists; expected --overwrite/);
    // Errors of up to 0.005 have singular values of at most about 2 · 0.005 / √3 · √24.
    expect(
      told(await run('recover', coarse, '--json', '--tolerance', '0.03', '--out', out, '--overwrite')),
    ).toMatchObject({
      ...{ width: 6, tied: true },
    });
  });

  test('asks for the logits of fewer tokens, and finds the width all the same', async () => {
    const file = put('some.tied', trained({ kind: 'direct-path', tying: 'tied' }).save());
    expect(told(await run('recover', file, '--tokens', '12', '--json'))).toMatchObject({
      vocabSize: V,
      tokens: 12,
      width: 6,
    });
    expect(rowOf(await run('recover', file, '--tokens', '12'), 'tokens')).toBe('12 of 24');
  });

  test.each<[what: string, words: () => string[], message: RegExp]>([
    ['no file', () => [join(folder, 'none.tied')], /none\.tied cannot be read: ENOENT/],
    ['a text', () => [text], /story\.txt/],
    [
      'logits that are not square',
      () => [put('wide.npy', npyOf(new Float32Array(6), [2, 3]))],
      /\[2, 3\]; expected logits, one square matrix/,
    ],
    ['a list', () => [put('list.npy', npyOf(new Float32Array(4)))], /list\.npy/],
    [
      'more tokens than there are',
      () => [put('few.npy', npyOf(Float32Array.of(1, 2, 3, 4), [2, 2])), '--tokens', '3'],
      /--tokens is '3'; expected at most the 2/,
    ],
    [
      'a width above the tokens',
      () => [put('few.npy', npyOf(Float32Array.of(1, 2, 3, 4), [2, 2])), '--width', '3'],
      /--width is '3'; expected at most the 2 tokens/,
    ],
    [
      'a logit that is infinite',
      () => [put('inf.npy', npyOf(Float32Array.of(1, -Infinity, 3, 4), [2, 2]))],
      /logits\[0, 1\]/,
    ],
    [
      'rows of two tables',
      () => [
        put('two.tied', trained({ kind: 'direct-path', tying: 'untied' }).save()),
        '--out',
        join(folder, 'no.npy'),
      ],
      /no Gram matrix, so no rows follow from them; expected no --out/,
    ],
  ])('refuses %s', async (_, words, message) => {
    const { code, out, err } = await run('recover', ...words());
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(folder, 'no.npy'))).toBe(false);
  });
});
