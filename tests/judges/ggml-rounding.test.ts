// Tables that ggml packs and reads again: the values that experiments measure packed tables with are its own, to the bit.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { judgesModules } from '../../tools/setup/judges.mjs';
import { BLOCK_ROUNDINGS } from '../../web/core/experiment/block-rounding.js';
import { readPacked } from '../../web/core/experiment/packed-tables.js';
import { SUPER_BLOCK_ROUNDINGS } from '../../web/core/experiment/super-block-rounding.js';
import { obstacle, titled } from './programs.js';

const [ROWS, COLS] = [96, 768];
const folder = mkdtempSync(join(tmpdir(), 'tied-rounding-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rows of kinds that tables have: normal ones of several sizes, loud columns, one sign only, few values, zeros. */
function table(): Float32Array<ArrayBuffer> {
  let state = 5;
  const share = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  return Float32Array.from({ length: ROWS * COLS }, (_, i) => {
    const [row, col] = [Math.floor(i / COLS), i % COLS];
    const normal = share() + share() + share() + share() - 2;
    const size = 10 ** ((row % 9) - 6);
    if (row === 7) return 0;
    if (row % 10 === 1) return size * Math.abs(normal);
    if (row % 10 === 2) return size * (1 - Math.abs(normal));
    if (row % 10 === 3) return size * Math.round(2 * normal);
    if (row % 10 === 4) return size;
    return size * normal * (col % 100 === 3 ? 20 : 1) * (share() < 0.05 ? 0 : 1);
  });
}

describe.skipIf(obstacle)(titled('ggml'), () => {
  const data = table();
  const types = [...Object.keys(BLOCK_ROUNDINGS), ...Object.keys(SUPER_BLOCK_ROUNDINGS)];

  test('values of every type have the bits of ggml', () => {
    writeFileSync(join(folder, 'table.bin'), new Uint8Array(data.buffer));
    const library = join(judgesModules, '@node-llama-cpp/linux-x64/bins/linux-x64/libggml-base.so');
    const words = [join(root, 'tests/judges/ggml_rows.py'), library, folder, String(ROWS), String(COLS)];
    execFileSync('python3', words, { encoding: 'utf8' });
    expect(types).toHaveLength(10);
    for (const type of types) {
      const expected = new Float32Array(Uint8Array.from(readFileSync(join(folder, `${type}.floats`))).buffer);
      const { data: read } = readPacked(type, { rows: ROWS, cols: COLS, data });
      // Zeros may have either sign.
      const wrong = read.findIndex((value, i) => value !== expected[i]);
      expect([type, wrong, read[wrong], expected[wrong]]).toEqual([type, -1, undefined, undefined]);
    }
  }, 120_000);
});
