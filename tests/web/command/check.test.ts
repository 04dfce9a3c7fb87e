// `check` says all that the package knows of a file, and no more: verdicts, what is not known, and exit codes for CI.
import { dirname } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type ModelConfig } from '../../../web/index.js';
import { floats, gguf, safetensors } from '../checkpoint/checkpoint-files.js';
import { sendRange, startServer } from '../checkpoint/file-server.js';
import { ownFolder, rowOf, runCheck } from './run-check.js';

const { put } = ownFolder();
const run = runCheck;
let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['checkpoint', 'diagnostics', 'readout'] });
});

interface Result {
  readonly tying: unknown;
  readonly directPath: { readonly asymmetry: number };
  readonly cards: unknown;
}

const jsonOf = async (...words: string[]): Promise<Result> => JSON.parse((await run(...words, '--json')).out) as Result;

const [V, D] = [24, 4];
const table = (start: number, rows = V) => ({
  shape: [rows, D],
  data: floats(Array.from({ length: rows * D }, (_, i) => Math.sin(start + i * i))),
});
const [INPUT, OUTPUT] = ['model.embed_tokens.weight', 'lm_head.weight'];
const norm = { 'model.norm.weight': { shape: [D], data: floats([1, 1, 1, 1]) } };
const tied = safetensors({ [INPUT]: table(0), ...norm, [OUTPUT]: table(0) });
const untied = safetensors({ [INPUT]: table(0), ...norm, [OUTPUT]: table(7) });
const alone = safetensors({ x: table(0) });
const trainedFile = (model: object): Uint8Array =>
  core
    .createTrainer({
      model: { kind: 'direct-path', vocabSize: 5, dModel: 3, ...model } as ModelConfig,
      training: { learningRate: 0.1, seed: 1 },
      bigramCounts: { rows: 5, cols: 5, data: new Float32Array(25).fill(1) },
    })
    .save();
describe('the result of one file', () => {
  test('has verdict, reason, and the distance of tables that differ', async () => {
    const file = put('untied.safetensors', untied);
    const ended = await run(file);
    const { tying } = await core.openCheckpoint(untied);
    expect(rowOf(ended, 'tying')).toBe('not tied: two tables');
    expect(rowOf(ended, 'because')).toBe(tying.reason);
    const { meanCosine, chance, relative } = tying.distance!;
    expect(rowOf(ended, 'distance')).toBe(
      `mean cosine ${meanCosine.toPrecision(4)} (by chance ${chance!.toPrecision(4)}); relative distance ${relative.toPrecision(4)} (unrelated rows 1); 0 % of 24 rows equal`,
    );
    expect((await jsonOf(file)).tying).toEqual(JSON.parse(JSON.stringify(tying)));
    expect(rowOf(await run(put('tied.safetensors', tied)), 'tying')).toBe('tied, but stored twice');
  });

  test('names what the output adds, and does not call both orders equal then', async () => {
    const bias = { shape: [V], data: floats(Array.from({ length: V }, (_, i) => i)) };
    const file = put(
      'bias.safetensors',
      safetensors({ [INPUT]: table(0), ...norm, [OUTPUT]: table(0), 'lm_head.bias': bias }),
    );
    const ended = await run(file);
    expect(rowOf(ended, 'direct path')).toBe('symmetric, but the output adds more');
    expect(rowOf(ended, 'without')).toBe('lm_head.bias, with which the two orders of a pair may have different scores');
    expect(ended.out).not.toContain('have the same score');
    expect(rowOf(await run(put('tied.safetensors', tied)), 'direct path')).toBe(
      'symmetric: both orders of a pair have the same score',
    );
  });

  test('of tables with different numbers of rows is the path of the rows that both have', async () => {
    const bytes = safetensors({ [INPUT]: table(0, V + 3), ...norm, [OUTPUT]: table(7) });
    const file = put('rows.safetensors', bytes);
    const ended = await run(file);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(rowOf(ended, 'tying')).toBe('not tied: two tables');
    expect(ended.out).toContain(
      'The tables have 27 and 24 rows; the direct path is that of the 24 rows that both have.',
    );
    const checkpoint = await core.openCheckpoint(bytes);
    const [embedding, unembedding] = [
      await checkpoint.matrix('input', { rows: { from: 0, to: V } }),
      await checkpoint.matrix('output'),
    ];
    expect((await jsonOf(file)).directPath).toEqual(core.directPathSymmetry({ embedding, unembedding }, { worst: 0 }));
    // The measures of rows are those of whole tables.
    const { cards } = await jsonOf(file, '--tables');
    expect(cards).toEqual(
      JSON.parse(
        JSON.stringify({
          input: core.isotropy(await checkpoint.matrix('input')),
          output: core.isotropy(unembedding),
        }),
      ),
    );
  });

  test('of a head for far fewer tokens is not measured', async () => {
    const file = put('few.safetensors', safetensors({ [INPUT]: table(0, 3 * V), ...norm, [OUTPUT]: table(7) }));
    const ended = await run(file);
    expect([ended.code, rowOf(ended, 'tying'), rowOf(ended, 'direct path')]).toEqual([0, 'not known', undefined]);
    expect(ended.out).toContain('has 24 rows for the 72 tokens of');
    expect(ended.out).not.toContain('the direct path is that');
    expect((await jsonOf(file)).directPath).toBeNull();
  });

  test('of rows of different lengths has a verdict and no direct path', async () => {
    const wide = { shape: [V, 3], data: floats(Array.from({ length: 3 * V }, (_, i) => i)) };
    const file = put('wide.safetensors', safetensors({ [INPUT]: table(0), ...norm, [OUTPUT]: wide }));
    const ended = await run(file);
    expect([ended.code, rowOf(ended, 'tying'), rowOf(ended, 'direct path')]).toEqual([
      0,
      'not tied: two tables',
      undefined,
    ]);
    expect(ended.out).toContain('The rows have 4 and 3 numbers, so the two tables have no product.');
  });

  test('of a type without a decoder has the verdict and no numbers', async () => {
    const values = { 'general.architecture': { string: 'llama' } };
    const data = new Uint8Array(64 * 292);
    const grid = { dimensions: [256, 64], type: 15, data };
    const tensors = {
      'token_embd.weight': grid,
      'blk.0.attn_q.weight': { dimensions: [256, 1], type: 0, data: new Uint8Array(1024) },
      'output_norm.weight': { dimensions: [256], type: 0, data: new Uint8Array(1024) },
    };
    const file = put('grid.gguf', gguf({ values, tensors }));
    const ended = await run(file);
    const { tying } = await core.openCheckpoint(gguf({ values, tensors }));
    expect(rowOf(ended, 'tying')).toBe('tied: one table for both roles');
    expect(rowOf(ended, 'input embedding')).toBe('token_embd.weight [64, 256], Q8_K');
    expect(rowOf(ended, 'because')).toBe(tying.reason);
    expect(rowOf(ended, 'direct path')).toBeUndefined();
    expect(ended.out).toContain('has the type Q8_K, which cannot be decoded');
    const other = { ...grid, type: 0, data: new Uint8Array(4 * 256 * 64) };
    const two = await run(put('two.gguf', gguf({ values, tensors: { ...tensors, 'output.weight': other } })));
    expect([two.code, rowOf(two, 'tying'), rowOf(two, 'direct path')]).toEqual([0, 'not known', undefined]);
  });

  test('of one table on its own is not known, and never tied', async () => {
    const ended = await run(put('a.csv', new TextEncoder().encode('a,1,2\nb,3,4\nc,-1,2\n')));
    expect([rowOf(ended, 'tying'), rowOf(ended, 'output embedding')]).toEqual(['not known', 'not known']);
    expect(ended.out.split('\n').slice(1).join('\n')).not.toMatch(/\btied\b|shared|the same|symmetric/);
  });

  test('of two files with a table each is that of one file with both', async () => {
    const words = put('words.txt', new TextEncoder().encode('a 1.5 2.25 1\nb 3 -4 2\n'));
    const same = put('again.txt', new TextEncoder().encode('b 3 -4 2\na 1.5 2.25 1\n'));
    expect(rowOf(await run(words, '--unembedding', same), 'tying')).toBe('tied, but stored twice');
    const ended = await run(words, '--unembedding', put('others.txt', new TextEncoder().encode('a 1 7 3\nb 2 5 1\n')));
    expect([rowOf(ended, 'tying'), rowOf(ended, '  distance') ?? ended.out]).toEqual([
      'not tied: two tables',
      expect.stringContaining('of 2 rows equal') as string,
    ]);
  });

  test('of a table and a second file of any kind is that of one file with both, also of a URL', async () => {
    const words = put('w.txt', new TextEncoder().encode('a 1.5 2.25 1\nb 3 -4 2\n'));
    const numbers = (...all: number[]) => ({ shape: [2, 3], data: floats(all) });
    const model = safetensors({ [INPUT]: numbers(1, 7, 3, 2, 5, 1), [OUTPUT]: numbers(1.5, 2.25, 1, 3, -4, 2) });
    const server = await startServer(sendRange(model));
    try {
      for (const place of [put('x.safetensors', model), server.url]) {
        const ended = await run(words, '--unembedding', place);
        expect([ended.code, ended.err, rowOf(ended, 'tying')]).toEqual([0, '', 'tied, but stored twice']);
      }
    } finally {
      await server.close();
    }
    const own = await run(put('v.txt', new TextEncoder().encode('a 1 2 3\nb 4 5 6\nc 7 8 9\nd 1 1 1\ne 2 2 2\n')), '--unembedding', put('own.tied', trainedFile({ tying: 'tied' }))); // prettier-ignore
    expect(rowOf(own, 'tying')).toBe('not tied: two tables');
    const missing = await run(words, '--unembedding', 'lm_head.weight');
    expect(missing).toMatchObject({
      code: 64,
      err: expect.stringContaining('lm_head.weight cannot be read') as string,
    });
  });

  test('names the tensors that could be the missing table, and the flag that settles it', async () => {
    const file = put('own.safetensors', safetensors({ [INPUT]: table(0), ...norm, 'my.classes': table(7) }));
    const ended = await run(file);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect([rowOf(ended, 'tying'), rowOf(ended, 'candidates')]).toEqual(['not known', 'my.classes']);
    expect(rowOf(ended, 'because')).toContain('--unembedding');
    expect(rowOf(await run(file, '--unembedding', 'my.classes'), 'tying')).toBe('not tied: two tables');
    expect(rowOf(await run(file, '--unembedding', INPUT), 'tying')).toBe('tied: one table for both roles');
  });

  test('says that rounding, and not a second table, breaks the symmetry of equal tables in two types', async () => {
    const data = floats(Array.from({ length: V * D }, (_, i) => Math.sin(i * i)));
    const cut = new Uint8Array(2 * V * D).map((_, i) => data[4 * Math.floor(i / 2) + 2 + (i % 2)]!);
    const file = put(
      'rounded.safetensors',
      safetensors({ [INPUT]: { shape: [V, D], data }, ...norm, [OUTPUT]: { shape: [V, D], dtype: 'BF16', data: cut } }),
    );
    const ended = await run(file);
    expect(rowOf(ended, 'tying')).toBe('tied, but stored twice');
    expect(rowOf(ended, 'direct path')).toBe('not symmetric, because one table was rounded in two ways');
    expect((await jsonOf(file)).directPath.asymmetry).toBeGreaterThan(0);
  });
});

describe('--expect', () => {
  test.each([
    ['tied', tied, 0],
    ['untied', tied, 1],
    ['tied', untied, 1],
    ['untied', untied, 0],
  ] as const)('%s', async (expected, bytes, code) => {
    const file = put('expected.safetensors', bytes);
    const ended = await run(file, '--expect', expected);
    expect(ended.code).toBe(code);
    expect(ended.out).toContain('tying');
    const { reason } = (await core.openCheckpoint(bytes)).tying;
    const is = bytes === tied ? 'tied' : 'untied';
    expect(ended.err).toBe(
      code === 0 ? '' : `tied-embeddings: ${file}: expected ${expected}, but it is ${is}: ${reason}\n`,
    );
  });

  test.each(['tied', 'untied'])('%s fails where it is not known', async (expected) => {
    const file = put('a.csv', new TextEncoder().encode('a,1,2\nb,3,4\nc,-1,2\n'));
    const ended = await run(file, '--expect', expected, '--json');
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(new RegExp(`expected ${expected}, but there is no verdict: `));
    expect((JSON.parse(ended.out) as { tying: { tied: null } }).tying.tied).toBeNull();
  });

  test('judges each of several files, of our own and of others', async () => {
    const names = [put('tied.safetensors', tied), put('run.tied', trainedFile({ tying: 'tied' }))];
    expect(await run(...names, '--expect', 'tied')).toMatchObject({ code: 0, err: '' });
    const mapped = put('map.tied', trainedFile({ tying: 'tied-linear' }));
    const ended = await run(...names, mapped, '--expect', 'tied');
    expect(ended.code).toBe(1);
    expect(ended.err.trim().split('\n')).toEqual([
      expect.stringContaining(`${mapped}: expected tied, but there is no verdict`),
    ]);
  });
});

describe('--markdown', () => {
  test('has a row for each file, also for those that cannot be read', async () => {
    const files = [
      put('a|b.safetensors', tied),
      put('untied.safetensors', untied),
      put('run.tied', trainedFile({ tying: 'untied' })),
      put('none.safetensors', alone),
    ];
    const { code, out, err } = await run(...files, '--markdown');
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(2 + files.length);
    const cells = lines.map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([9]));
    expect(cells[0]!.slice(0, 4)).toEqual(['file', 'date', 'revision', 'tables']);
    expect(cells[0]!.slice(4)).toEqual(['share of parameters', 'verdict', 'evidence', 'asymmetry', 'distance']);
    const today = new Date().toISOString().slice(0, 10);
    expect(cells[2]!.slice(1, 3)).toEqual([today, '–']);
    expect(cells[2]!.slice(5)).toEqual(['tied, but stored twice', 'equal-bytes', '0.000', '–']);
    const { directPath } = await jsonOf(files[1]!);
    expect(cells[3]!.slice(5, 8)).toEqual(['not tied: two tables', 'different', directPath.asymmetry.toPrecision(4)]);
    expect(cells[3]![8]).toMatch(/^mean cosine .* 0 % of 24 rows equal$/);
    expect(cells[4]![5]).toBe('not tied: two tables');
    expect(cells[5]![5]).toBe('not read');
    expect(code).toBe(64);
    expect(err).toContain('none.safetensors');
  });

  const rowsOf = (out: string): string[][] =>
    out
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

  test('says which revision a file is of where its place tells: a package, a clone, the cache of the Hub, a folder', async () => {
    const commit = '0123456789abcdef0123456789abcdef01234567';
    put('node_modules/@one/model/package.json', new TextEncoder().encode('{"name":"@one/model","version":"1.2.3"}'));
    put('clone/.git/HEAD', new TextEncoder().encode('ref: refs/heads/main\n'));
    put('clone/.git/packed-refs', new TextEncoder().encode(`# pack-refs\n${commit} refs/heads/main\n`));
    const places = [
      put('node_modules/@one/model/weights/tied.safetensors', tied),
      dirname(put('clone/model.safetensors', tied)),
      put(`hub/snapshots/${commit}/model.safetensors`, untied),
    ];
    const { code, out } = await run(...places, '--markdown');
    expect(code).toBe(0);
    const rows = rowsOf(out);
    expect(rows.map((cells) => cells[3])).toEqual(['@one/model@1.2.3', commit.slice(0, 12), commit.slice(0, 12)]);
    // npm gives every file of every package one date.
    expect(rows[0]![2]).toBe('–');
    expect(rows[1]![2]).toMatch(/^\d{4}-\d\d-\d\d$/);
    const share = (100 * V * D) / (2 * V * D + D);
    expect(rows[0]![5]).toBe(`${(2 * share).toPrecision(3)} % of ${2 * V * D + D}`);
  });

  test('of a URL has date and commit from its server, and reads no more of the tables than the verdict needs', async () => {
    const commit = 'fedcba9876543210fedcba9876543210fedcba98';
    const rows = 40_000;
    const big = safetensors({ [INPUT]: table(0, rows), ...norm, [OUTPUT]: table(7, rows) });
    const send = sendRange(big);
    const server = await startServer((request, response, number) => {
      if (!request.url?.endsWith('.safetensors')) return void response.writeHead(404).end();
      response.setHeader('Last-Modified', 'Tue, 03 Nov 2026 10:00:00 GMT');
      response.setHeader('X-Repo-Commit', commit);
      if (request.method === 'HEAD') return void response.writeHead(200).end();
      return send(request, response, number);
    });
    try {
      const { out } = await run(server.url, '--markdown');
      const [cells] = rowsOf(out);
      expect(cells!.slice(2, 4)).toEqual(['2026-11-03', commit.slice(0, 12)]);
      expect(cells!.slice(6, 9)).toEqual(['not tied: two tables', 'different', '–']);
      expect(cells![9]).toMatch(/^mean cosine .* of 512 rows equal$/);
    } finally {
      await server.close();
    }
  });

  test('and other forms of the result exclude each other', async () => {
    const file = put('tied.safetensors', tied);
    for (const [form, other] of [
      ['--markdown', '--card'],
      ['--markdown', '--json'],
      ['--card', '--tables'],
    ] as const) {
      const ended = await run(file, form, other);
      expect([ended.code, ended.err]).toEqual([64, `${other} was given; expected none with ${form}`]);
    }
  });
});

describe('our own files', () => {
  test('have an identity card, the one of their weights', async () => {
    const bytes = trainedFile({ tying: 'untied' });
    const trainer = core.loadTrainer(bytes);
    const { data } = await (await core.openCheckpoint(trainer.toSafetensors())).identityCard();
    const file = put('run.tied', bytes);
    expect(await jsonOf(file, '--card', '--quiet')).toEqual(JSON.parse(JSON.stringify(data)));
    const several = JSON.parse((await run(file, file, '--card', '--quiet', '--json')).out) as { file: string }[];
    expect(several).toEqual([1, 2].map(() => ({ file, ...(JSON.parse(JSON.stringify(data)) as object) })));
    const { out } = await run(file, put('tied.safetensors', tied), '--card', '--quiet');
    expect(out.match(/^### /gm)).toHaveLength(2);
    expect(out.match(/^#### Token tables$/gm)).toHaveLength(2);
  });

  test('with a map for the second role are neither tied nor untied, and are measured with the map', async () => {
    const bytes = trainedFile({ tying: 'tied-linear' });
    const file = put('map.tied', bytes);
    const ended = await run(file);
    expect(rowOf(ended, 'tying')).toBe('one table, and a map for its second role');
    expect((await run(file, '--expect', 'untied')).code).toBe(1);
    const weights = await run(put('map.safetensors', core.loadTrainer(bytes).toSafetensors()));
    expect(rowOf(weights, 'tying')).toBe('one table, and a map for its second role');
    expect(rowOf(weights, 'asymmetry')).toBe(rowOf(ended, 'asymmetry'));
    expect((await run(file, '--card', '--quiet')).out).toContain("The output has 'between', so W\\_E W\\_Uᵀ is not");
  });

  test('with a bias for each token have symmetric tables, and scores that are not', async () => {
    const trainer = core.createTrainer({
      model: {
        kind: 'transformer',
        vocabSize: 7,
        dModel: 8,
        nLayers: 1,
        nHeads: 2,
        contextLength: 8,
        tying: 'tied',
        outputBias: true,
      },
      training: { learningRate: 0.1, batchSize: 4, seed: 1 },
      tokenIds: Uint32Array.from({ length: 200 }, (_, i) => (i * i) % 7),
    });
    trainer.run(3);
    const ended = await run(put('bias.tied', trainer.save()));
    expect(rowOf(ended, 'direct path')).toBe('symmetric, but the output adds more');
    expect(rowOf(ended, 'without')).toMatch(/^output_bias, /);
    expect(rowOf(ended, 'with the final norm')).toBe('not symmetric');
    expect(trainer.directPath({ symmetry: true }).symmetric).toBe(false);
  });

  test('are compared with checkpoints', async () => {
    const bytes = trainedFile({ tying: 'untied' });
    const weights = put('run.safetensors', core.loadTrainer(bytes).toSafetensors());
    const { code, out } = await run(weights, put('run.tied', bytes), '--quiet', '--json');
    expect(code).toBe(0);
    const { checkpoints } = JSON.parse(out) as { checkpoints: { change: { input: { meanCosine: number } | null } }[] };
    expect(checkpoints[1]!.change.input!.meanCosine).toBeCloseTo(1, 6);
  });
});
