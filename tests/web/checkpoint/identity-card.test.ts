/** Identity cards: their numbers against the verbs that have both tables in memory, and against plain loops over all pairs. */
import { afterAll, describe, expect, test } from 'vitest';
import { tokenName } from '../../../web/core/checkpoint/card/identity-markdown.js';
import type { IdentityCardOptions } from '../../../web/core/checkpoint/card/identity-card-types.js';
import { createLab, loadCore, type Checkpoint, type Matrix } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { fileOf, floats, safetensors, TIED_WTE, utf8 } from './checkpoint-files.js';

const core = await loadCore({ modules: ['checkpoint', 'diagnostics'] });
const lab = await createLab();
afterAll(() => lab.dispose());

/** A table with entries between -1 and 1. */
function randomTable(rows: number, cols: number, seed: number): Matrix {
  const draw = new Draw(seed);
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, () => 2 * draw.share() - 1) };
}

const [V, D] = [70, 6];
const input = randomTable(V, D, 1);
const other = randomTable(V, D, 2);
/** Close to the input table, but not equal to it. */
const output: Matrix = { ...input, data: input.data.map((value, i) => 0.8 * value + 0.5 * other.data[i]!) };
const norm = Float32Array.from({ length: D }, (_, i) => 0.5 + i / 4);
const tensor = ({ rows, cols, data }: Matrix) => ({ shape: [rows, cols], data: floats(data) });
const names = Array.from({ length: V }, (_, id) => `t${id}`);

const untied = safetensors({
  'model.embed_tokens.weight': tensor(input),
  'model.norm.weight': { shape: [D], data: floats(norm) },
  'lm_head.weight': tensor(output),
});
const tied = safetensors({
  'model.embed_tokens.weight': tensor(input),
  'model.layers.0.self_attn.o_proj.weight': tensor(input),
  'model.norm.weight': { shape: [D], data: floats(norm) },
});
const vocabulary = fileOf('vocab.json', utf8(JSON.stringify(Object.fromEntries(names.map((name, id) => [name, id])))));

const row = ({ cols, data }: Matrix, id: number): number[] => [...data.subarray(id * cols, (id + 1) * cols)];
const dot = (one: readonly number[], two: readonly number[]): number =>
  one.reduce((sum, value, k) => sum + value * two[k]!, 0);
const score = (i: number, j: number, u = output): number => dot(row(input, i), row(u, j));
const ids = Array.from({ length: V }, (_, id) => id);
const all: IdentityCardOptions = { sample: V };

describe.each([
  ['core', core],
  ['lab', lab],
] as const)('an identity card of two tables, by a %s', (_, by) => {
  const opened = (): Promise<Checkpoint> => by.openCheckpoint([fileOf('model.safetensors', untied), vocabulary]);

  test('has the same numbers as the verbs that read tables from memory', async () => {
    const checkpoint = await opened();
    const { data, norms } = await checkpoint.identityCard(all);
    const symmetry = core.directPathSymmetry({ embedding: input, unembedding: output });
    expect(data.asymmetry!.asymmetry).toBeCloseTo(symmetry.asymmetry, 6);
    const scaled: Matrix = { ...output, data: output.data.map((value, i) => value * norm[i % D]!) };
    const folded = core.directPathSymmetry({ embedding: input, unembedding: scaled });
    expect(data.folded).toMatchObject({ tensor: 'model.norm.weight' });
    expect(data.folded!.asymmetry).toBeCloseTo(folded.asymmetry, 6);
    const aligned = core.align(input, output, { method: 'linear', nullRuns: 0 });
    expect(data.alignment!.linear).toBeCloseTo(aligned.residual, 6);
    for (const [table, matrix] of [
      [data.tables.input!, input],
      [data.tables.output!, output],
    ] as const) {
      const isotropy = core.isotropy(matrix);
      expect(table.meanCosine).toBeCloseTo(isotropy.meanCosine, 6);
      expect(table.isoScore).toBeCloseTo(isotropy.isoScore, 6);
      expect(table.isoScoreNull).toBe(isotropy.null.isoScore);
      const { values, participationRatio, null: chance } = core.spectrum(matrix);
      table.centered.values.forEach((value, k) => expect(value).toBeCloseTo(values[k]!, 4));
      expect(table.centered.participationRatio).toBeCloseTo(participationRatio, 6);
      expect(table.centered.null).toEqual({
        participationRatio: chance.participationRatio,
        effectiveRank: chance.effectiveRank,
      });
      expect(table).toMatchObject({ shape: [V, D], dtype: 'F32', bitsPerElement: 32, zeroRows: 0 });
    }
    ids.forEach((id) => expect(norms.input![id]).toBeCloseTo(Math.hypot(...row(input, id)), 5));
    expect(data.tables.input!.normQuantiles).toEqual(
      [...data.tables.input!.normQuantiles].sort((one, two) => one - two),
    );
    expect(data.saving).toEqual({
      tied: false,
      storedTwice: false,
      parameters: V * D,
      bytes: 4 * V * D,
      share: (4 * V * D) / (8 * V * D + 4 * D),
    });
  });

  test('reports for sampled tokens the same as loops over all pairs', async () => {
    const { data } = await (await opened()).identityCard({ ...all, neighbors: 3 });
    const best = ids.map((i) => ids.reduce((most, j) => (score(i, j) > score(i, most) ? j : most), 0));
    expect(data.selfPrediction).toEqual({ of: V, count: best.filter((j, i) => i === j).length, chance: 1 / V });
    for (const { token, nearest } of data.neighbors) {
      const cosines = ids
        .filter((j) => j !== token.id)
        .map((j) => ({
          j,
          cosine: score(token.id, j, input) / Math.hypot(...row(input, token.id)) / Math.hypot(...row(input, j)),
        }))
        .sort((one, two) => two.cosine - one.cosine);
      expect(nearest.map((near) => near.token)).toEqual(
        cosines.slice(0, 3).map(({ j }) => ({ id: j, text: names[j] })),
      );
      nearest.forEach((near, k) => expect(near.cosine).toBeCloseTo(cosines[k]!.cosine, 5));
    }
    const pairs = ids
      .flatMap((i) =>
        ids.filter((j) => score(i, j) > score(j, i)).map((j) => ({ i, j, by: score(i, j) - score(j, i) })),
      )
      .sort((one, two) => two.by - one.by);
    expect(data.oneWay.map(({ from, to }) => [from.id, to.id])).toEqual(pairs.slice(0, 10).map(({ i, j }) => [i, j]));
    expect(data.oneWay[0]!.forward).toBeCloseTo(score(pairs[0]!.i, pairs[0]!.j), 4);
    expect(data.oneWay[0]!.backward).toBeCloseTo(score(pairs[0]!.j, pairs[0]!.i), 4);
  });

  test('has the loss of the pairs of a text', async () => {
    const text = Uint32Array.of(3, 9, 3, 9, 60, 0);
    const { data } = await (await opened()).identityCard({ text, sample: 0 });
    const losses = [...text.keys()].slice(1).map((at) => {
      const [from, to] = [text[at - 1]!, text[at]!];
      return Math.log(ids.reduce((sum, j) => sum + Math.exp(score(from, j)), 0)) - score(from, to);
    });
    expect(data.text).toMatchObject({ pairs: 5, leftOut: 0, uniform: Math.log(V) });
    expect(data.text!.loss).toBeCloseTo(losses.reduce((sum, loss) => sum + loss, 0) / 5, 5);
    // x / rms(x) times the weight of the norm, since the file has no bias.
    const state = (i: number): number[] => {
      const x = row(input, i);
      const scale = 1 / Math.sqrt(dot(x, x) / D + 1e-5);
      return x.map((value, k) => value * scale * norm[k]!);
    };
    const afterNorm = [...text.keys()].slice(1).map((at) => {
      const [h, to] = [state(text[at - 1]!), text[at]!];
      return Math.log(ids.reduce((sum, j) => sum + Math.exp(dot(h, row(output, j))), 0)) - dot(h, row(output, to));
    });
    expect(data.text!.withNorm).toBeCloseTo(afterNorm.reduce((sum, loss) => sum + loss, 0) / 5, 4);
    // The same as text: the longest names that fit, spaces left out, and a letter that is in no name.
    const { data: written } = await (await opened()).identityCard({ text: 't3t9 t3 t9t60é t0', sample: 0 });
    expect(written.text).toEqual({ ...data.text, unread: 1 });
    expect(data.text!.unread).toBeNull();
    expect(data).toMatchObject({ neighbors: [], selfPrediction: null, sample: { tokens: 0 } });
  });

  test('is written as text with escaped markup', async () => {
    const strange = names.map((name, id) => (id === 5 ? '|<b>*' : name));
    const vocab = fileOf('vocab.json', utf8(JSON.stringify(Object.fromEntries(strange.map((name, id) => [name, id])))));
    const short = { ...input, data: input.data.map((value, i) => (Math.floor(i / D) === 5 ? value / 100 : value)) };
    const file = safetensors({ 'wte.weight': tensor(short), 'lm_head.weight': tensor(output) });
    const { data, markdown } = await (await by.openCheckpoint([fileOf('m.safetensors', file), vocab])).identityCard();
    const { shortRows } = data.tables.input!;
    expect(shortRows.tokens[0]).toMatchObject({ token: { id: 5, text: '|<b>*' } });
    expect(shortRows.tokens).toHaveLength(shortRows.count);
    expect(markdown).toContain('The shortest: “\\|\\<b\\>\\*”');
    expect(markdown).toContain(
      '**Not tied**: both tables are in the file, and they differ. Tying would save 420 parameters',
    );
    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
  });
});

test('of several final norms, the one whose name begins like that of the table is used', async () => {
  const normOf = (name: string, scale: number) => ({
    [name]: { shape: [D], data: floats(norm.map((value) => scale * value)) },
  });
  const folded = async (table: string): Promise<string | undefined> => {
    const file = safetensors({
      ...{ [table]: tensor(input), 'lm_head.weight': tensor(output) },
      ...normOf('encoder.final_layer_norm.weight', 1),
      ...normOf('decoder.final_layer_norm.weight', 2),
    });
    const tables = { input: table, output: 'lm_head.weight' };
    const { data } = await (await core.openCheckpoint(file, { tables })).identityCard({ sample: 0 });
    return data.folded?.tensor;
  };
  expect(await folded('decoder.embed_tokens.weight')).toBe('decoder.final_layer_norm.weight');
  expect(await folded('shared.weight')).toBeUndefined();
});

test('the lengths of rows are reported by token id, in at most 128 runs', async () => {
  const table = randomTable(300, 3, 8);
  const { data } = await (await core.openCheckpoint(safetensors({ 'wte.weight': tensor(table) }))).identityCard();
  const { normBands } = data.tables.input!;
  expect(normBands).toHaveLength(100);
  expect(normBands.at(-1)).toMatchObject({ from: 297, to: 300 });
  const lengths = [6, 7, 8].map((id) => Math.hypot(...row(table, id))).sort((one, two) => one - two);
  const { least, median, greatest } = normBands[2]!;
  [least, median, greatest].forEach((length, k) => expect(length).toBeCloseTo(lengths[k]!, 5));
});

test('a LayerNorm subtracts the mean and adds its bias before the text is evaluated', async () => {
  const bias = Float32Array.from({ length: D }, (_, k) => 0.3 - k / 8);
  const file = safetensors({
    'wte.weight': tensor(input),
    'h.0.attn.c_proj.weight': tensor(input),
    'ln_f.weight': { shape: [D], data: floats(norm) },
    'ln_f.bias': { shape: [D], data: floats(bias) },
  });
  const { data } = await (await core.openCheckpoint(file)).identityCard({ text: Uint32Array.of(3, 9) });
  const x = row(input, 3);
  const mean = x.reduce((sum, value) => sum + value, 0) / D;
  const scale = 1 / Math.sqrt(x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / D + 1e-5);
  const h = x.map((value, k) => (value - mean) * scale * norm[k]! + bias[k]!);
  const loss = Math.log(ids.reduce((sum, j) => sum + Math.exp(dot(h, row(input, j))), 0)) - dot(h, row(input, 9));
  expect(data.text!.withNorm).toBeCloseTo(loss, 4);
});

test('a lab fetches the modules that a card needs, whatever was called before', async () => {
  const fresh = await createLab();
  try {
    const { data } = await (
      await fresh.openCheckpoint(safetensors({ 'wte.weight': tensor(input) }, TIED_WTE))
    ).identityCard({
      sample: 0,
    });
    expect(data.asymmetry!.asymmetry).toBe(0);
  } finally {
    fresh.dispose();
  }
});

test('a lab has the same card as a core', async () => {
  const options = { text: Uint32Array.of(1, 2, 3), tokens: Uint32Array.of(69) };
  const cards = await Promise.all(
    [core, lab].map(async (by) => (await by.openCheckpoint(untied)).identityCard(options)),
  );
  expect(cards[1]).toEqual(cards[0]);
});

describe('an identity card of one table', () => {
  test('has a direct path that is symmetric to the last bit, and no pair with a direction', async () => {
    const checkpoint = await core.openCheckpoint(tied);
    const { data, norms } = await checkpoint.identityCard();
    expect(data.asymmetry!.asymmetry).toBe(0);
    expect(data.folded!.asymmetry).toBe(0);
    expect(data).toMatchObject({
      alignment: null,
      oneWay: [],
      tying: { tied: true },
      saving: { tied: true, storedTwice: false, bytes: 4 * V * D, share: (4 * V * D) / (12 * V * D + 4 * D) },
    });
    expect(data.tables.output).toEqual(data.tables.input);
    expect(norms.output).toEqual(norms.input);
  });

  test('reads two copies once', async () => {
    const copies = safetensors({ 'wte.weight': tensor(input), 'lm_head.weight': tensor(input) });
    const checkpoint = await core.openCheckpoint(copies);
    expect(checkpoint.tying.evidence).toBe('equal-bytes');
    const before = checkpoint.bytesRead;
    const { data, markdown } = await checkpoint.identityCard({ sample: 0 });
    expect(checkpoint.bytesRead - before).toBe(4 * V * D);
    expect(data.tables.output!.name).toBe('lm_head.weight');
    // Tying saved nothing in this file, because half of it is a copy.
    const saving = { tied: true, storedTwice: true, parameters: V * D, bytes: 4 * V * D, share: 0.5 };
    expect(data.saving).toEqual(saving);
    expect(markdown).toContain(`Stored once, it would save ${V * D} parameters`);
  });

  test('has no direct path if the table has no second role', async () => {
    const csv = utf8(ids.map((id) => `t${id},${row(input, id).join(',')}`).join('\n'));
    const { data } = await (await core.openCheckpoint(csv)).identityCard({ text: Uint32Array.of(1, 2) });
    expect(data).toMatchObject({
      asymmetry: null,
      folded: null,
      saving: null,
      selfPrediction: null,
      text: null,
      oneWay: [],
    });
    expect(data.notes).toEqual([
      'No table is known for one role, or it cannot be read, so there is no direct path.',
      'The text was not read: that requires a table for each role, both of one shape.',
    ]);
    expect(data.neighbors).toHaveLength(64);
  });

  test('of one token or one column has NaN for numbers that do not exist, and its text omits them', async () => {
    for (const [rows, cols] of [
      [1, 3],
      [4, 1],
    ] as const) {
      const file = safetensors({ 'wte.weight': tensor(randomTable(rows, cols, 3)) }, TIED_WTE);
      const { data, markdown } = await (await core.openCheckpoint(file)).identityCard();
      expect(data.tables.input!.shape).toEqual([rows, cols]);
      expect(data.selfPrediction!.of).toBe(rows);
      expect(markdown).not.toContain('NaN');
      expect(markdown).toContain(rows === 1 ? 'Tying saves 3 parameters, 12 bytes' : 'Tying saves 4 parameters');
      expect(markdown).toContain(rows === 1 ? '1 token was compared' : '4 tokens were compared');
      // No table has less than one dimension.
      const { spectrum, centered, isoScoreNull } = data.tables.input!;
      expect(spectrum.null).toEqual({ participationRatio: 1, effectiveRank: 1 });
      if (rows > 1) expect(centered.null).toEqual({ participationRatio: 1, effectiveRank: 1 });
      expect(isoScoreNull).toBeNaN();
    }
    const pair = safetensors({ 'wte.weight': tensor(randomTable(2, 4, 3)) });
    const { data } = await (await core.openCheckpoint(pair)).identityCard();
    expect(data.tables.input!.isoScoreNull).toBe(0);
  });

  test('names tokens of its text so that they can be told apart, at most 64 characters of each', () => {
    const name = (text: string): string => tokenName({ id: 7, text });
    expect([' ', '\n', '\u0000\u0001', '\u202e', ''].map(name)).toEqual(Array.from({ length: 5 }, () => 'token 7'));
    expect(name('a\u202eb')).toBe('“a b”');
    expect(name('x'.repeat(3000))).toBe(`“${'x'.repeat(64)}…”`);
  });
});

describe('an identity card of tables of different shapes', () => {
  // 40 rows: most tokens have a row only in the input table.
  test.each([
    [40, D],
    [100, D],
    [V, 9],
  ])(
    'measures an output table of [%i, %i] separately, whatever is requested for the input table',
    async (rows, cols) => {
      const second = randomTable(rows, cols, 4);
      const file = safetensors({
        'model.embed_tokens.weight': tensor(input),
        'model.norm.weight': { shape: [D], data: floats(norm) },
        'lm_head.weight': tensor(second),
      });
      const asked = { sample: V, tokens: Uint32Array.of(V - 1), text: Uint32Array.of(1, 2, 60, 3) };
      const { data, norms } = await (await core.openCheckpoint(file)).identityCard(asked);
      expect(data).toMatchObject({ asymmetry: null, folded: null, alignment: null, selfPrediction: null, text: null });
      expect(data.notes).toEqual([
        'The two tables have different shapes: each was measured by itself.',
        'The text was not read: that requires a table for each role, both of one shape.',
      ]);
      expect(data.tables.input!.meanCosine).toBeCloseTo(core.isotropy(input).meanCosine, 6);
      expect(data.tables.output!.meanCosine).toBeCloseTo(core.isotropy(second).meanCosine, 6);
      expect([norms.input!.length, norms.output!.length]).toEqual([V, rows]);
      // Neighbors are those in the input table.
      expect(data.neighbors.map(({ token }) => token.id)).toContain(V - 1);
    },
  );

  test('measures them one after the other', async () => {
    const wide = randomTable(V, 9, 4);
    const file = safetensors({ 'wte.weight': tensor(input), 'lm_head.weight': tensor(wide) });
    const shares: number[] = [];
    const { data, norms } = await (
      await core.openCheckpoint(file)
    ).identityCard({ onProgress: (share) => shares.push(share) });
    expect(data).toMatchObject({ asymmetry: null, alignment: null, saving: null, oneWay: [] });
    expect(data.tables.output!.meanCosine).toBeCloseTo(core.isotropy(wide).meanCosine, 6);
    expect(norms.output).toHaveLength(V);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((one, two) => one - two));
  });
});

describe('a table that is stored with a column for each token', () => {
  test('is transposed', async () => {
    const turned = {
      shape: [D, V],
      data: floats(Array.from({ length: V * D }, (_, i) => output.data[(i % V) * D + Math.floor(i / V)]!)),
    };
    const file = safetensors({ 'wte.weight': tensor(input), 'lm_head.weight': turned });
    const { data } = await (await core.openCheckpoint(file)).identityCard();
    const symmetry = core.directPathSymmetry({ embedding: input, unembedding: output });
    expect(data.asymmetry!.asymmetry).toBeCloseTo(symmetry.asymmetry, 6);
  });
});

describe('the limits of an identity card', () => {
  test('does not align tables that repeat one row, but has the rest', async () => {
    const constant = { ...output, data: output.data.map((_, i) => 1 + (i % D)) };
    const file = safetensors({ 'wte.weight': tensor(input), 'lm_head.weight': tensor(constant) });
    const { data, markdown } = await (await core.openCheckpoint(file)).identityCard();
    expect(data.alignment).toBeNull();
    expect(data.notes).toEqual(['The tables were not aligned: output is constant; expected rows that differ.']);
    expect(data.asymmetry!.asymmetry).toBeGreaterThan(0.5);
    expect(markdown).toContain('The tables were not aligned');
  });

  test.each([
    [{ tokens: Uint32Array.of(V) }, 'options.tokens is 70; expected ids below 70, the rows of the table'],
    [{ text: Uint32Array.of(0, 99) }, 'options.text is 99; expected ids below 70'],
    [{ sample: 513 }, 'options.sample is 513'],
    [{ sample: -1 }, 'options.sample is -1'],
    [{ neighbors: 1.5 }, 'options.neighbors is 1.5'],
    [{ neighbours: 3 }, 'neighbours'],
    [
      { text: 'two words' },
      "options.text is 'two words'; expected ids of tokens, as this checkpoint has no token strings",
    ],
    [{ tokens: [1] }, 'options.tokens'],
    [{ signal: 1 }, 'options.signal'],
  ])('%o is refused by name', async (options, said) => {
    const checkpoint = await core.openCheckpoint(untied);
    await expect(checkpoint.identityCard(options as never)).rejects.toMatchObject({ code: 'invalid-argument' });
    await expect(checkpoint.identityCard(options as never)).rejects.toThrow(said);
    expect((await checkpoint.identityCard({ sample: 1 })).data.sample.tokens).toBe(1);
  });

  test('an entry that is NaN is named by its tensor and row', async () => {
    for (const [name, broken] of [
      ['wte.weight', input],
      ['lm_head.weight', output],
    ] as const) {
      const data = broken.data.slice();
      data[30 * D + 2] = NaN;
      const tables = {
        'wte.weight': tensor(input),
        'lm_head.weight': tensor(output),
        [name]: tensor({ ...broken, data }),
      };
      const checkpoint = await core.openCheckpoint(safetensors(tables));
      const card = checkpoint.identityCard({ tokens: Uint32Array.of(30), text: Uint32Array.of(30, 30) });
      await expect(card).rejects.toMatchObject({ code: 'not-finite' });
      await expect(card).rejects.toThrow(new RegExp(`^'${name.replace('.', '\\.')}': .*30`));
    }
  });

  test('a table of zeros is named', async () => {
    const zeros = safetensors({ 'wte.weight': tensor({ ...input, data: new Float32Array(V * D) }) });
    const card = (await core.openCheckpoint(zeros)).identityCard();
    await expect(card).rejects.toMatchObject({ code: 'invalid-argument' });
    await expect(card).rejects.toThrow("'wte.weight': input is all zeros");
  });

  test('a signal ends it, and the checkpoint can be read again', async () => {
    for (const by of [core, lab]) {
      const checkpoint = await by.openCheckpoint(untied);
      const abort = new AbortController();
      const card = checkpoint.identityCard({ signal: abort.signal, onProgress: () => abort.abort() });
      // After the only part of this table: no result is asked for then.
      await expect(card).rejects.toMatchObject({ code: 'cancelled' });
      await expect(checkpoint.identityCard({ signal: abort.signal })).rejects.toMatchObject({ code: 'cancelled' });
      expect((await checkpoint.identityCard({ sample: 2 })).data.sample.tokens).toBe(2);
      checkpoint.dispose();
      await expect(checkpoint.identityCard()).rejects.toMatchObject({ code: 'disposed' });
    }
  });

  test('numbers stored in 16 bits are summed in 16 bits, those in 32 bits with more', async () => {
    // The upper halves of floats, and the corresponding floats.
    const halves = Uint16Array.from(new Uint32Array(input.data.buffer), (bits) => bits >>> 16);
    const whole = new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);
    const stored = { BF16: new Uint8Array(halves.buffer), F32: floats(whole) };
    const exact = core.spectrum({ ...input, data: whole }, { center: false }).values;
    const differences = Object.entries(stored).map(async ([dtype, data]) => {
      const checkpoint = await core.openCheckpoint(safetensors({ 'wte.weight': { shape: [V, D], dtype, data } }));
      const { values } = (await checkpoint.identityCard()).data.tables.input!.spectrum;
      return Math.max(...values.map((value, k) => Math.abs(value - exact[k]!))) / exact[0]!;
    });
    const [narrow, wide] = await Promise.all(differences);
    expect(narrow).toBeGreaterThan(1e-7);
    expect(narrow).toBeLessThan(3e-5);
    expect(wide).toBeLessThan(5e-8);
  });

  test('a card can be cancelled between two parts of a large table', async () => {
    const large = randomTable(20_000, 64, 5);
    const checkpoint = await core.openCheckpoint(safetensors({ 'wte.weight': tensor(large) }));
    const abort = new AbortController();
    const shares: number[] = [];
    const onProgress = (share: number): void => {
      shares.push(share);
      abort.abort();
    };
    await expect(checkpoint.identityCard({ signal: abort.signal, onProgress })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(shares).toHaveLength(1);
    expect(shares[0]).toBeLessThan(1);
  });
});
