import { expect, test } from 'vitest';
import { boundVerbs, statedVerbs, wasmFile } from './bound-verbs.js';

test.each([
  { name: 'core', stated: 'CoreModule' },
  { name: 'analysis', stated: 'AnalysisModule' },
])('$name.wasm binds the verbs that wasm-module.ts states, as many arguments, no others', async ({ name, stated }) => {
  expect(await boundVerbs(`${name}.wasm`)).toEqual({ ...statedVerbs('MemoryModule'), ...statedVerbs(stated) });
});

test('both modules have the same glue, of which web/core takes one', () => {
  expect(wasmFile('analysis.mjs').toString()).toBe(wasmFile('core.mjs').toString());
});
