// The command's `check` against the package's own verbs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  loadCore,
  type Core,
  type Matrix,
  type ModelCard,
  type ModelConfig,
  type Symmetry,
  type Trainer,
} from '../../web/index.js';
import { gguf, npy, safetensors, tensor } from './checkpoint-files.js';
import { expectRefused, runCommand, startCommand, type Ended } from './command-run.js';
import { packPackage, type PackedPackage } from './packed.js';

interface Checked {
  format: string;
  parameters: number;
  relation: string;
  tables: { embedding: { name: string; type: string }; unembedding: { name: string } | null };
  directPath: Symmetry | null;
  withFinalNorm: Symmetry | null;
  evidence: string | null;
  conflict: string | null;
  bytesRead: number;
  notes: string[];
}

/** Exact in both 16-bit types. */
const values = Array.from({ length: 24 }, (_, i) => ((i * 7) % 16) / 8 - 1);
const others = Array.from({ length: 24 }, (_, i) => ((i * 5) % 13) / 8 - 0.75);
const shape = [6, 4];
/** Lists one table as the other too. */
const tied = { 'lm_head.weight': 'wte.weight' };
const matrix = (of: readonly number[]): Matrix => ({ rows: 6, cols: 4, data: Float32Array.from(of) });

let packed: PackedPackage;
let core: Core;
const put = (name: string, bytes: Uint8Array | string): void => writeFileSync(join(packed.folder, name), bytes);
beforeAll(async () => {
  packed = packPackage();
  core = await loadCore({ modules: ['diagnostics', 'readout', 'models'] });
});
afterAll(() => packed.remove());

const run = (...words: string[]): Ended => runCommand(packed, ['check', ...words]);
function checked({ status, stdout, stderr }: Ended): Checked {
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Checked;
}

describe('check of tables', () => {
  test.each(['F64', 'F32', 'F16', 'BF16'] as const)('in %s gives the numbers of directPathSymmetry', (dtype) => {
    put(
      'a.safetensors',
      safetensors({
        'model.embed_tokens.weight': tensor(dtype, shape, values),
        'lm_head.weight': tensor(dtype, shape, others),
      }),
    );
    const result = checked(run('a.safetensors', '--json', '--worst', '2'));
    expect(result.directPath).toEqual(
      core.directPathSymmetry({ embedding: matrix(values), unembedding: matrix(others) }, { worst: 2 }),
    );
    expect(result).toMatchObject({ format: 'safetensors', parameters: 48, relation: 'separate' });
    expect(run('a.safetensors', '--worst', '2').stdout).toMatch(/not symmetric/);
  });

  test('recognizes one table, a copy of it, and a table with a column for each token', () => {
    const wte = tensor('F32', shape, values);
    put('one.safetensors', safetensors({ 'wte.weight': wte }, tied));
    put('two.safetensors', safetensors({ 'wte.weight': wte, 'lm_head.weight': wte }));
    const turned = Array.from({ length: 24 }, (_, i) => others[(i % 6) * 4 + Math.floor(i / 6)]!);
    put('turned.safetensors', safetensors({ embedding: wte, softmax_w: tensor('F32', [4, 6], turned) }));
    expect(checked(run('one.safetensors', '--json'))).toMatchObject({
      relation: 'shared',
      evidence: 'alias',
      directPath: { asymmetry: 0 },
    });
    expect(checked(run('two.safetensors', '--json'))).toMatchObject({
      relation: 'copied',
      evidence: 'equal-bytes',
      directPath: { symmetric: true },
    });
    expect(run('two.safetensors').stdout).toMatch(/tying +tied, but stored twice\n +because .*equal bytes/);
    const { directPath } = checked(run('turned.safetensors', '--unembedding', 'softmax_w', '--json'));
    expect(directPath).toEqual(core.directPathSymmetry({ embedding: matrix(values), unembedding: matrix(others) }));
    // A candidate for the second table is not used without confirmation.
    expect(checked(run('turned.safetensors', '--json'))).toMatchObject({ relation: 'single', evidence: 'unknown' });
    expect(checked(run('turned.safetensors', '--unembedding', 'embedding', '--json')).relation).toBe('shared');
  });

  test('finds tables in the files of an index, and in NumPy matrices', () => {
    put('m-1.safetensors', safetensors({ 'model.embed_tokens.weight': tensor('BF16', shape, values) }));
    put('m-2.safetensors', safetensors({ 'lm_head.weight': tensor('BF16', shape, others) }));
    const files = { 'model.embed_tokens.weight': 'm-1.safetensors', 'lm_head.weight': 'm-2.safetensors' };
    put('model.safetensors.index.json', JSON.stringify({ metadata: {}, weight_map: files }));
    const expected = core.directPathSymmetry({ embedding: matrix(values), unembedding: matrix(others) });
    expect(checked(run('model.safetensors.index.json', '--json')).directPath).toEqual(expected);
    put('e.npy', npy('<f8', shape, tensor('F64', shape, values).bytes));
    put('u.npy', npy('<f4', shape, tensor('F32', shape, others).bytes));
    expect(checked(run('e.npy', '--unembedding', 'u.npy', '--json')).directPath).toEqual(expected);
    // A table given by the caller is not called tied.
    expect(checked(run('e.npy', '--json'))).toMatchObject({
      relation: 'single',
      evidence: 'unknown',
      directPath: null,
    });
    expect(run('e.npy').stdout).toMatch(/output embedding +not known\n +tying +not known/);
    expect(run('e.npy').stdout).not.toMatch(/symmetric/);
    const columns = Array.from({ length: 24 }, (_, i) => others[(i % 6) * 4 + Math.floor(i / 6)]!);
    put('columns.npy', npy('<f4', shape, tensor('F32', shape, columns).bytes, 'True'));
    expect(checked(run('e.npy', '--unembedding', 'columns.npy', '--json')).directPath).toEqual(expected);
  });

  test('in GGUF, in blocks, works with the file’s token strings', () => {
    const tokens = ['New', 'York', 'City', '\u001b[31m', '', 'e'];
    // Each row is one block of 32 elements: a scale, then bytes.
    const block = (row: number): Uint8Array => {
      const bytes = new Uint8Array(34);
      new DataView(bytes.buffer).setUint16(0, 0x3400, true);
      return bytes.map((byte, i) => (i < 2 ? byte : ((row * 37 + i * 11) % 100) + 1));
    };
    const rows = (shift: number): Uint8Array => Buffer.concat(tokens.map((_, row) => block(row + shift)));
    put('a.gguf', gguf(tokens, { 'token_embd.weight': rows(0), 'output.weight': rows(3) }));
    const found = checked(run('a.gguf', '--worst', '3', '--json'));
    expect(found).toMatchObject({ format: 'gguf', relation: 'separate', evidence: 'different', parameters: 384 });
    expect(found.tables.embedding).toMatchObject({ name: 'token_embd.weight', type: 'Q8_0', shape: [6, 32] });
    const decoded = (bytes: Uint8Array): Matrix => ({
      rows: 6,
      cols: 32,
      data: Float32Array.from({ length: 192 }, (_, i) => 0.25 * bytes[34 * Math.floor(i / 32) + 2 + (i % 32)]!),
    });
    const factors = { embedding: decoded(rows(0)), unembedding: decoded(rows(3)) };
    const { worst, ...path } = core.directPathSymmetry(factors, { worst: 3 });
    expect(found.directPath).toEqual({
      ...path,
      worst: worst.map((pair) => ({ ...pair, tokens: [tokens[pair.row], tokens[pair.col]] })),
    });
    const said = run('a.gguf', '--worst', '15').stdout;
    expect(said).toMatch(/"New" -> "York"/);
    expect(said).toContain('\\u{1b}[31m');
    expect(said).not.toContain('\u001b');
  });

  test('reports what in config.json contradicts the result', () => {
    const folder = join(packed.folder, 'model');
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ tie_word_embeddings: false }));
    writeFileSync(join(folder, 'model.safetensors'), safetensors({ 'wte.weight': tensor('F32', shape, values) }, tied));
    const { relation, conflict } = checked(run('model/model.safetensors', '--json'));
    expect(relation).toBe('shared');
    expect(conflict).toMatch(/tie_word_embeddings/);
  });

  test('measures the directions of rows on request', () => {
    const { cards } = checked(run('a.safetensors', '--tables', '--json')) as unknown as {
      cards: Record<string, unknown>;
    };
    expect(cards).toEqual(
      JSON.parse(JSON.stringify({ input: core.isotropy(matrix(values)), output: core.isotropy(matrix(others)) })),
    );
  });
});

describe('check of several checkpoints', () => {
  const step = (of: readonly number[]) => safetensors({ 'wte.weight': tensor('F32', shape, of) }, tied);

  test('writes how far they have moved as Markdown and as JSON', async () => {
    const files = [step(values), step(others), step(values)];
    files.forEach((file, at) => put(`step-${at}.safetensors`, file));
    const names = files.map((_, at) => `step-${at}.safetensors`);
    const withModule = await loadCore({ modules: ['checkpoint'] });
    const [first, ...more] = await Promise.all(files.map((file) => withModule.openCheckpoint(file)));
    const { markdown } = await first!.compareWith(more, { names });
    expect(run(...names)).toMatchObject({ status: 0, stdout: `${markdown}\n` });
    const { data } = await first!.compareWith(more, { names, against: 'previous' });
    expect(JSON.parse(run(...names, '--against', 'previous', '--json', '--quiet').stdout)).toEqual(
      JSON.parse(JSON.stringify(data)),
    );
  });

  test('refuses options for a single checkpoint, and other shapes', () => {
    put('one.safetensors', step(values));
    put('wide.safetensors', safetensors({ 'wte.weight': tensor('F32', [4, 6], values) }));
    const both = ['one.safetensors', 'one.safetensors'];
    expectRefused(run(...both, '--worst', '2'), /--worst was given; expected none with several checkpoints/);
    expectRefused(run('one.safetensors', '--against', 'first'), /--against was given; expected none with one/);
    expectRefused(run(...both, '--against', 'last'), /--against/);
    expectRefused(
      run('one.safetensors', 'wide.safetensors', '--quiet'),
      /expected \[6, 4\], the shape of what it is compared with, or token strings in both/,
    );
    put('old.tied', Buffer.from('tiedtrnr and no more'));
    expectRefused(run('one.safetensors', 'old.tied', '--quiet'), /old\.tied: /);
  });
});

describe('check --card', () => {
  const file = safetensors({
    'model.embed_tokens.weight': tensor('BF16', shape, values),
    'lm_head.weight': tensor('BF16', shape, others),
  });

  test('writes the identity card as Markdown and as JSON', async () => {
    put('card.safetensors', file);
    const withModule = await loadCore({ modules: ['checkpoint'] });
    const { data, markdown } = await (await withModule.openCheckpoint(file)).identityCard();
    expect(JSON.parse(run('card.safetensors', '--card', '--json', '--quiet').stdout)).toEqual(
      JSON.parse(JSON.stringify(data)),
    );
    const { status, stdout, stderr } = run('card.safetensors', '--card');
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${markdown}\n` });
    expect(stderr).toMatch(/^reading the rows/);
  });

  test('writes the card of one table in both roles, and refuses files that cannot have one', () => {
    put('card.safetensors', file);
    expect(run('card.safetensors', '--card', '--unembedding', 'model.embed_tokens.weight').stdout).toContain(
      '**Tied**',
    );
    expectRefused(run('card.safetensors', '--card', '--worst', '3'), /--worst was given; expected none with --card/);
    expectRefused(run('none.safetensors', '--card'), /none\.safetensors/);
    put('nan.safetensors', safetensors({ 'wte.weight': tensor('F32', shape, [...values.slice(1), NaN]) }));
    // What is known of a table that cannot be measured.
    const { status, stdout } = run('nan.safetensors', '--card', '--quiet');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Not measured: 'wte\.weight': .*NaN/m);
  });
});

describe('check --expect', () => {
  test('answers with its exit code, and writes a table for several files', () => {
    const wte = tensor('F32', shape, values);
    put('two.safetensors', safetensors({ 'wte.weight': wte, 'lm_head.weight': wte }));
    put('card.safetensors', safetensors({ 'wte.weight': wte, 'lm_head.weight': tensor('F32', shape, others) }));
    expect(run('two.safetensors', '--expect', 'tied')).toMatchObject({ status: 0, stderr: '' });
    const { status, stderr, stdout } = run('two.safetensors', 'card.safetensors', '--expect', 'tied');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^tied-embeddings: card\.safetensors: expected tied, but it is untied: .*\n$/,
      ) as string,
    });
    expect(stdout).toBe(run('two.safetensors', 'card.safetensors', '--markdown').stdout);
    expect(stdout).toMatch(
      /^\| file \| date \| revision \| tables \| share of parameters \| verdict \| evidence \| asymmetry \| distance \|$/m,
    );
  });
});

describe('check of a model', () => {
  const text = 'the cat sat on the mat, and the dog sat on the cat. '.repeat(20);
  function trained(model: Omit<ModelConfig, 'vocabSize'>): Trainer {
    const tokenizer = core.trainTokenizer(text, { kind: 'character' });
    const trainer = core.createTrainer({
      model: { ...model, vocabSize: tokenizer.vocabSize } as ModelConfig,
      training: { learningRate: 0.05, batchSize: 4, seed: 1 },
      tokenIds: tokenizer.encode(text),
      tokenizer,
    });
    trainer.run(5);
    return trainer;
  }

  test.each(['tied', 'untied', 'tied-linear', 'tied-low-rank'] as const)('a transformer, %s', (tying) => {
    const trainer = trained({ kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8, tying });
    put('model.tied', trainer.save());
    const result = checked(run('model.tied', '--json'));
    const whole = core.symmetry(trainer.directPath());
    expect(result.directPath!.asymmetry).toBeCloseTo(whole.asymmetry, 5);
    expect(result.directPath!.norm).toBeCloseTo(whole.norm, 4);
    expect(result.withFinalNorm).toEqual(trainer.directPath({ finalNorm: true, symmetry: true }));
    expect(result.parameters).toBe(trainer.parameters().reduce((sum, { count }) => sum + count, 0));
  });

  test('reads a direct path with a network between its tables', () => {
    const trainer = trained({ kind: 'direct-path', dModel: 4, tying: 'tied-mlp' });
    put('mlp.tied', trainer.save());
    const from = Uint32Array.from({ length: trainer.model.vocabSize }, (_, id) => id);
    const { directPath, notes } = checked(run('mlp.tied', '--json'));
    expect(directPath).toEqual(core.symmetry(trainer.nextTokenLogits({ from })));
    expect(notes).toEqual([expect.stringMatching(/network/)]);
  });

  test('writes a card measured on a text', () => {
    const trainer = trained({ kind: 'direct-path', dModel: 4, tying: 'tied' });
    put('card.tied', trainer.save());
    put('held.txt', text);
    const card = trainer.modelCard({ tokenIds: trainer.tokenizer()!.encode(text) });
    expect(run('card.tied', '--text', 'held.txt')).toEqual({ status: 0, stdout: `${card.markdown}\n`, stderr: '' });
    expect(run('card.tied').stdout).toMatch(/direct path +symmetric/);
    expectRefused(run('card.tied', '--tokenizer', 'held.txt'), /--tokenizer was given without --text/);
  });

  test('writes the same card of weights in a file, or says why their model cannot run', () => {
    const small = { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8, tying: 'tied' } as const;
    const trainer = trained(small);
    put('held.txt', text);
    const measured = (card: ModelCard): unknown => [card.data.loss, card.data.parameters];
    const expected = measured(trainer.modelCard({ tokenIds: trainer.tokenizer()!.encode(text) }));
    for (const [name, bytes] of [
      ['weights.safetensors', trainer.toSafetensors()],
      ['weights.gguf', trainer.toGguf()],
    ] as const) {
      put(name, bytes);
      const { card } = JSON.parse(run(name, '--text', 'held.txt', '--json').stdout) as { card: ModelCard };
      expect(measured(card), name).toEqual(expected);
    }
    const sampled = trained({ ...small, head: { kind: 'sampled', samples: 4 } });
    put('sampled.safetensors', sampled.toSafetensors());
    expectRefused(
      run('sampled.safetensors', '--text', 'held.txt'),
      /sampled\.safetensors: model\.head\.kind is 'sampled'/,
    );
  });
});

describe('check of a URL', () => {
  const sent: number[] = [];
  const file = safetensors(
    {
      rest: tensor(
        'F32',
        [500_000],
        Array.from({ length: 500_000 }, () => 0),
      ),
      'wte.weight': tensor('F32', shape, values),
    },
    tied,
  );
  let server: Server;
  let address: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url !== '/model' && request.url !== '/whole') return response.writeHead(404).end();
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      if (request.url === '/whole' || from === undefined) return response.end(file);
      const part = file.subarray(Number(from), Number(to) + 1);
      sent.push(part.length);
      return response
        .writeHead(206, {
          'content-range': `bytes ${from}-${String(Number(from) + part.length - 1)}/${String(file.length)}`,
        })
        .end(part);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(() => server.close());

  test('fetches ranges, or the whole file from a server without ranges', async () => {
    const expected = core.directPathSymmetry({ embedding: matrix(values) });
    expect(checked(await startCommand(packed, ['check', `${address}/model`, '--json'])).directPath).toEqual(expected);
    expect(sent.reduce((sum, one) => sum + one, 0)).toBeLessThan(file.length / 10);
    const whole = ['check', `${address}/whole`, '--json'];
    expectRefused(await startCommand(packed, whole), /sends no ranges, only the whole file, .*--whole-file/);
    expect(checked(await startCommand(packed, [...whole, '--whole-file'])).directPath).toEqual(expected);
  });

  test('refuses a URL that does not exist', async () => {
    expectRefused(await startCommand(packed, ['check', `${address}/none`]), /404/);
    expectRefused(await startCommand(packed, ['check', 'http://127.0.0.1:1/model']), /127\.0\.0\.1:1\/model/);
  });
});

describe('check of an invalid file', () => {
  const whole = safetensors({ 'wte.weight': tensor('F32', shape, values) });
  const header = (text: string): Uint8Array =>
    Buffer.concat([Buffer.from([text.length, 0, 0, 0, 0, 0, 0, 0]), Buffer.from(text)]);
  test.each<[string, Uint8Array | string, RegExp]>([
    ['empty.bin', '', /is empty/],
    [
      'cut.safetensors',
      whole.subarray(0, whole.length - 3),
      /^tied-embeddings: cut\.safetensors: it has \d+ bytes; expected \d+ by its header; the file may be cut off$/m,
    ],
    ['header.safetensors', whole.subarray(0, 40), /its header of \d+ bytes ends after the file of 40 bytes/],
    ['no-json.safetensors', header('{"wte.weight": '), /its header is not JSON of this format/],
    ['entry.safetensors', header('{"wte.weight": 3}'), /'wte\.weight' is 3; expected \{ dtype, shape, data_offsets \}/],
    [
      'none.safetensors',
      safetensors({ x: tensor('F32', shape, values) }),
      /no tensor has a known name .* the largest matrices are 'x'; expected --embedding and --unembedding with their names/,
    ],
    ['flat.safetensors', safetensors({ 'wte.weight': tensor('F32', [24], values) }), /no tensor has a known name/],
    ['other.json', '{"a": 1}', /is a JSON file; expected safetensors, their index, GGUF/],
    ['index.json', '{"weight_map": {"wte.weight": "gone.safetensors"}}', /names 'gone\.safetensors', which is missing/],
    [
      'outside.json',
      '{"weight_map": {"wte.weight": "../a.safetensors"}}',
      /'\.\.\/a\.safetensors' for 'wte\.weight'; expected a plain file name/,
    ],
    ['text.txt', 'a text', /line 1 has 'text' in column 2; expected a number/],
    ['i8.npy', npy('|i1', [2, 2], Uint8Array.of(1, 2, 3, 4)), /expected '<f8', '<f4' or '<f2', floating-point numbers/],
    ['cut.npy', npy('<f4', [6, 4], new Uint8Array(90)), /it has \d+ bytes; expected \d+ by its header/],
    ['trainer.tied', Buffer.from('tiedtrnr and no more'), /trainer\.tied: /],
  ])('%s ends with 64 and one line', (name, bytes, named) => {
    put(name, bytes);
    expectRefused(run(name), named);
  });

  test('numbers that are not finite are no reason to refuse it', () => {
    put('nan.npy', npy('<f4', [1, 1], Uint8Array.of(0, 0, 192, 127)));
    expect(run('nan.npy').stdout).toMatch(/^ +IsoScore +not measured, because table\[0, 0\] is NaN; expected /m);
  });

  test('a folder, or flags that do not match the file, end the same way', () => {
    expectRefused(run('node_modules'), /node_modules is a folder without model\.safetensors or .*; expected/);
    put('one.safetensors', whole);
    expectRefused(run('one.safetensors', '--text', 'held.txt'), /one\.safetensors: /);
    expectRefused(run('one.safetensors', '--embedding', 'wte.wieght'), /did you mean 'wte\.weight'\?/);
  });
});
