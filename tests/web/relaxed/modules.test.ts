import { expect, test } from 'vitest';
import { measureSizes } from '../../../tools/lib/sizes.mjs';
import { boundVerbs, statedVerbs, wasmFile } from '../core/bound-verbs.js';

test.each([
  { name: 'core', stated: 'CoreModule' },
  { name: 'analysis', stated: 'AnalysisModule' },
])('$name-relaxed.wasm binds the same verbs as $name.wasm, and starts with the same glue', async ({ name, stated }) => {
  expect(await boundVerbs(`${name}-relaxed.wasm`)).toEqual({ ...statedVerbs('MemoryModule'), ...statedVerbs(stated) });
  expect(wasmFile(`${name}-relaxed.mjs`).toString()).toBe(wasmFile('core.mjs').toString());
});

/** The encoding of f32x4.relaxed_madd: prefix 0xfd, then 0x105 in seven bits per byte. */
const RELAXED_MADD = Buffer.from([0xfd, 0x85, 0x02]);

test('only the relaxed modules contain the instruction that they are named for', () => {
  for (const name of ['core', 'analysis']) {
    expect(wasmFile(`${name}-relaxed.wasm`).includes(RELAXED_MADD)).toBe(true);
    expect(wasmFile(`${name}.wasm`).includes(RELAXED_MADD)).toBe(false);
  }
});

test('the payload of the relaxed build is counted separately, with the same budgets', () => {
  const rows = measureSizes() as { what: string; bytes: number; budget?: number }[];
  const of = (what: string) => rows.find((row) => row.what === what)!;
  const core = of('core-relaxed.wasm').bytes + of('glue of all modules').bytes;
  expect(of('core-relaxed.wasm and glue')).toMatchObject({ bytes: core, budget: of('core.wasm and glue').budget });
  expect(of('core-relaxed.wasm, analysis-relaxed.wasm and glue')).toMatchObject({
    bytes: core + of('analysis-relaxed.wasm').bytes,
    budget: of('core.wasm, analysis.wasm and glue').budget,
  });
  expect(of('core.wasm and glue').budget).toBeGreaterThan(0);
});
