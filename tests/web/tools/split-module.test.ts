import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markedAsOne, splitModule } from '../../../tools/build/split-module.mjs';
import { functionNames, functionsOf, sectionsOf, withSections } from '../../../tools/build/wasm-binary.mjs';
import { root } from '../../../tools/lib/root.mjs';

const wasm = readFileSync(join(root, 'web/wasm/accounting.wasm'));
const { imported, bodies } = functionsOf(wasm);
const names = Array.from({ length: imported + bodies.length }, (_, index) => `name::of_${index}(int, char const*)`);
const named = withSections(wasm, [...sectionsOf(wasm), functionNames(names)]);
const glue = { a: Object.fromEntries('abcdefg'.split('').map((name) => [name, () => 0])) };

test('the named functions move, together with what only they need, and the rest starts without them', () => {
  const chosen = imported + bodies.length - 1;
  const { kept, part } = splitModule(named, [names[chosen]!]);
  const [left, moved] = [kept, part].map((half) => functionsOf(half).bodies.length);
  expect(moved).toBeGreaterThan(0);
  expect(left! + moved!).toBe(bodies.length);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(kept), glue);
  expect(() => new WebAssembly.Instance(new WebAssembly.Module(part), { primary: instance.exports })).not.toThrow();
});

test('a name without a function is an error', () => {
  expect(() => splitModule(named, ['name::of_', 'name::from_'])).toThrow('no function of the module is name::from_…');
});

test('both halves of a build have the same mark, which no other build has', () => {
  const markOf = (bytes: Uint8Array): string =>
    WebAssembly.Module.customSections(new WebAssembly.Module(new Uint8Array(bytes)), 'build')
      .map((mark) => Buffer.from(mark).toString('hex'))
      .join();
  const [one, other] = markedAsOne(wasm, named).map(markOf);
  expect(one).toMatch(/^[0-9a-f]{12}$/);
  expect(other).toBe(one);
  expect(markedAsOne(named, wasm).map(markOf)).not.toContain(one);
});
