import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import createModule from '../../../web/wasm/core.mjs';

/** Embind gives every bound function the number of its arguments. */
type Bound = ((...args: number[]) => unknown) & { argCount?: number };

/** name -> number of arguments, out of the interface as it is written. */
function statedVerbs(): Map<string, number> {
  const source = readFileSync(new URL('../../../web/core/wasm-module.ts', import.meta.url), 'utf8');
  const body = source.slice(source.indexOf('export interface WasmModule {'));
  const verbs = new Map<string, number>();
  for (const [, name, args] of body.matchAll(/^ {2}(\w+)\(([^)]*)\):/gm)) {
    verbs.set(name!, args!.split(',').filter((argument) => argument.trim() !== '').length);
  }
  return verbs;
}

test('the module binds the verbs that wasm-module.ts states, with as many arguments, and no others', async () => {
  const compiled = await WebAssembly.compile(readFileSync(new URL('../../../web/wasm/core.wasm', import.meta.url)));
  const module = (await createModule({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      void WebAssembly.instantiate(compiled, imports).then(done);
      return {};
    },
  })) as Record<string, Bound>;
  const bound = new Map<string, number>();
  for (const [name, value] of Object.entries(module)) {
    if (typeof value === 'function' && value.argCount !== undefined) bound.set(name, value.argCount);
  }
  expect(Object.fromEntries(bound)).toEqual(Object.fromEntries(statedVerbs()));
});
