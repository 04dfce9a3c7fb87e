import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { baselineFiles, MODULE_NAMES, wholeOf } from '../../../tools/lib/modules.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { measureSizes, withoutData } from '../../../tools/lib/sizes.mjs';

const file = (name: string): Buffer => readFileSync(join(root, 'web/wasm', name));
const gzip = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length;

describe('the payload', () => {
  const rows = measureSizes() as { what: string; bytes: number; budget?: number }[];
  const of = (what: string): number => rows.find((row) => row.what === what)!.bytes;

  test('is what a browser loads: the modules of every core with one glue, and each further module by itself', () => {
    for (const name of baselineFiles) expect(of(name)).toBe(gzip(file(name)));
    expect(of('glue of all modules')).toBe(gzip(file('core.mjs')));
    expect(of('core.wasm and glue')).toBe(of('core.wasm') + of('glue of all modules'));
    expect(of('core.wasm, analysis.wasm and glue')).toBe(of('core.wasm and glue') + of('analysis.wasm'));
  });

  test('is limited to 65.7 KB for the core, 114.7 KB with the analysis, and a budget for each further module', () => {
    const budgets = rows.filter(({ budget }) => budget !== undefined).map(({ what, budget }) => [what, budget]);
    // Modules of the relaxed build follow, if there is one. A kilobyte is 1,000 bytes.
    expect(budgets.slice(0, 10)).toEqual([
      ['core.wasm and glue', 65_700],
      ['core.wasm, analysis.wasm and glue', 114_700],
      ['files.wasm', 9_500],
      ['accounting.wasm', 12_000],
      ['diagnostics.wasm', 45_000],
      ['graphs.wasm', 35_500],
      ['readout.wasm', 30_000],
      ['checkpoint.wasm', 35_800],
      ['stories.wasm', 20_000],
      ['models.wasm', 91_600],
    ]);
  });

  test('is shown in parts that add up to the whole', () => {
    for (const name of MODULE_NAMES) {
      const at = rows.findIndex(({ what }) => what === `${name}.wasm`);
      const [whole, code, texts] = rows.slice(at, at + 3);
      expect([code!.what, texts!.what]).toEqual(['  code', '  texts and constants']);
      expect(code!.bytes + texts!.bytes).toBe(whole!.bytes);
      // The texts of a part are in its module.
      if (wholeOf(name) === undefined) expect(texts!.bytes).toBeGreaterThan(500);
    }
  });

  test('has a code part without texts', () => {
    const words = 'Empire State Building';
    expect(file('stories.wasm').includes(words)).toBe(true);
    expect(withoutData(file('stories.wasm')).includes(words)).toBe(false);
  });
});
