import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import createModule from '../../../web/wasm/core.mjs';

/** Embind gives every bound function the number of its arguments. */
type Bound = ((...args: number[]) => unknown) & { argCount?: number };

const fileOf = (name: string): URL => new URL(`../../../web/wasm/${name}`, import.meta.url);

/** name -> number of arguments, out of an interface of wasm-module.ts as it is written. */
function statedVerbs(interfaceName: string): Record<string, number> {
  const source = readFileSync(new URL('../../../web/core/wasm-module.ts', import.meta.url), 'utf8');
  const begin = source.indexOf(`export interface ${interfaceName} `);
  expect(begin).toBeGreaterThan(0);
  const body = source.slice(begin, source.indexOf('\n}', begin));
  const verbs: Record<string, number> = {};
  for (const [, name, args] of body.matchAll(/^ {2}(\w+)\(([^)]*)\):/gm)) {
    verbs[name!] = args!.split(',').filter((argument) => argument.trim() !== '').length;
  }
  return verbs;
}

test.each([
  { name: 'core', stated: 'CoreModule' },
  { name: 'analysis', stated: 'AnalysisModule' },
])('$name.wasm binds the verbs that wasm-module.ts states, as many arguments, no others', async (module) => {
  const compiled = await WebAssembly.compile(readFileSync(fileOf(`${module.name}.wasm`)));
  const made = (await createModule({
    instantiate: (imports: WebAssembly.Imports) => ({
      then: (ready: (started: { instance: WebAssembly.Instance }) => void) =>
        void WebAssembly.instantiate(compiled, imports).then((instance) => ready({ instance })),
    }),
  })) as Record<string, Bound>;
  const bound: Record<string, number> = {};
  for (const [name, value] of Object.entries(made)) {
    if (typeof value === 'function' && value.argCount !== undefined) bound[name] = value.argCount;
  }
  expect(bound).toEqual({ ...statedVerbs('MemoryModule'), ...statedVerbs(module.stated) });
});

test('both modules have the same glue, of which web/core takes one', () => {
  expect(readFileSync(fileOf('analysis.mjs'), 'utf8')).toBe(readFileSync(fileOf('core.mjs'), 'utf8'));
});
