// Tables that ggml quantizes to every type that is read here: our rows have the bits of its own. Its library is the one that node-llama-cpp brings
// along, called from Python, because that package hands out no rows.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { judgesModules } from '../../tools/setup/judges.mjs';
import { ELEMENT_TYPES } from '../../web/core/checkpoint/elements/element-types.js';
import { loadCore, type Core } from '../../web/index.js';
import { gguf } from '../web/checkpoint/checkpoint-files.js';
import { obstacle, titled } from './programs.js';

const [ROWS, COLS] = [64, 768];
const folder = mkdtempSync(join(tmpdir(), 'tied-ggml-'));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (name: string): Uint8Array<ArrayBuffer> => Uint8Array.from(readFileSync(join(folder, name)));

/** Rows of very different sizes, with loud columns, zeros, and a row of nothing else. */
function table(seed: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(ROWS * COLS);
  let state = seed;
  const share = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  for (let i = 0; i < values.length; i++) {
    const [row, col] = [Math.floor(i / COLS), i % COLS];
    const normal = share() + share() + share() + share() - 2;
    values[i] = row === 7 ? 0 : normal * 10 ** ((row % 9) - 6) * (col % 100 === 3 ? 20 : 1) * (share() < 0.05 ? 0 : 1);
  }
  return values;
}

describe.skipIf(obstacle)(titled('ggml'), () => {
  let core: Core;
  let types: Readonly<Record<string, number>>;
  beforeAll(async () => {
    core = await loadCore({ modules: ['checkpoint'] });
    writeFileSync(join(folder, 'table.bin'), new Uint8Array(table(1).buffer));
    const library = join(judgesModules, '@node-llama-cpp/linux-x64/bins/linux-x64/libggml-base.so');
    const words = [join(root, 'tests/judges/ggml_rows.py'), library, folder, String(ROWS), String(COLS)];
    types = JSON.parse(execFileSync('python3', words, { encoding: 'utf8' })) as typeof types;
  }, 120_000);

  const open = (tensors: Readonly<Record<string, string>>) =>
    core.openCheckpoint(
      gguf({
        tensors: Object.fromEntries(
          Object.entries(tensors).map(([name, type]) => {
            const data = type === 'F32' ? read('table.bin') : read(`${type}.bin`);
            return [name, { dimensions: [COLS, ROWS], type: type === 'F32' ? 0 : types[type]!, data }];
          }),
        ),
      }),
    );

  test('rows of every type have the bits of ggml', async () => {
    expect(Object.keys(types).sort()).toEqual(ELEMENT_TYPES.filter((type) => type in types).sort());
    expect(Object.keys(types)).toHaveLength(25);
    for (const type of Object.keys(types)) {
      const checkpoint = await open({ 'token_embd.weight': type });
      expect(checkpoint.tables.input).toMatchObject({ dtype: type, shape: [ROWS, COLS] });
      const { data } = await checkpoint.matrix('input');
      const expected = new Uint32Array(read(`${type}.floats`).buffer);
      const bits = new Uint32Array(data.slice().buffer);
      expect([type, bits.findIndex((word, i) => word !== expected[i])]).toEqual([type, -1]);
      checkpoint.dispose();
    }
  }, 120_000);

  test('one table in two types is never called two, and another table never one', async () => {
    const other = table(99);
    const twice = async (type: string): Promise<readonly [boolean | null, boolean | null]> => {
      const same = await open({ 'token_embd.weight': type, 'output.weight': 'Q6_K' });
      const output = { dimensions: [COLS, ROWS], type: 0, data: new Uint8Array(other.slice().buffer) };
      const input = { dimensions: [COLS, ROWS], type: types[type]!, data: read(`${type}.bin`) };
      const two = await core.openCheckpoint(gguf({ tensors: { 'token_embd.weight': input, 'output.weight': output } }));
      const plain = await open({ 'token_embd.weight': type, 'output.weight': 'F32' });
      expect([type, same.tying.tied, plain.tying.tied]).not.toContain(false);
      return [same.tying.tied, two.tying.tied];
    };
    for (const type of [
      'Q2_K',
      'Q3_K',
      'IQ4_NL',
      'IQ4_XS',
      'MXFP4',
      'NVFP4',
      'TQ1_0',
      'TQ2_0',
      'Q1_0',
      'Q2_0',
      'IQ2_S',
      'IQ3_S',
    ]) {
      const [same, two] = await twice(type);
      expect([type, same, two]).toEqual([type, null, false]);
    }
    // The search over these grids changes signs, or takes points that are not the nearest: nothing is proved but by bytes.
    for (const type of ['IQ2_XXS', 'IQ2_XS', 'IQ3_XXS', 'IQ1_S', 'IQ1_M'])
      expect([type, ...(await twice(type))]).toEqual([type, null, null]);
  }, 120_000);
});
