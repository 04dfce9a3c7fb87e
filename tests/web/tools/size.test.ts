import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { measureSizes, withoutData } from '../../../tools/size.mjs';

const file = (name: string): Buffer => readFileSync(join(root, 'web/wasm', name));
const gzip = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length;

describe('the payload', () => {
  const rows = measureSizes() as { what: string; bytes: number; budget?: number }[];
  const of = (what: string): number => rows.find((row) => row.what === what)!.bytes;

  test('is what a browser loads: both modules, and one glue for the two', () => {
    expect(of('core.wasm')).toBe(gzip(file('core.wasm')));
    expect(of('analysis.wasm')).toBe(gzip(file('analysis.wasm')));
    expect(of('glue of all modules')).toBe(gzip(file('core.mjs')));
    expect(of('core.wasm and glue')).toBe(of('core.wasm') + of('glue of all modules'));
    expect(of('all wasm and glue')).toBe(of('core.wasm') + of('analysis.wasm') + of('glue of all modules'));
  });

  test('is held to 60 KB for the core and 110 KB for all, a kilobyte being 1,000 bytes', () => {
    const budgets = rows.filter(({ budget }) => budget !== undefined).map(({ what, budget }) => [what, budget]);
    // Those of the relaxed build come after, where there is one.
    expect(budgets.slice(0, 2)).toEqual([
      ['core.wasm and glue', 60_000],
      ['all wasm and glue', 110_000],
    ]);
  });

  test('is shown by its parts, which make up the whole', () => {
    for (const name of ['core', 'analysis']) {
      const at = rows.findIndex(({ what }) => what === `${name}.wasm`);
      const [whole, code, texts] = rows.slice(at, at + 3);
      expect([code!.what, texts!.what]).toEqual(['  code', '  texts and constants']);
      expect(code!.bytes + texts!.bytes).toBe(whole!.bytes);
      expect(texts!.bytes).toBeGreaterThan(1000);
    }
  });

  test('has a code part that holds no texts', () => {
    const words = 'Empire State Building';
    expect(file('analysis.wasm').includes(words)).toBe(true);
    expect(withoutData(file('analysis.wasm')).includes(words)).toBe(false);
  });
});
