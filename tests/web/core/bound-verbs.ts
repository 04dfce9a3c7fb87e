/** What the modules in web/wasm/ bind, and what web/core declares about them. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import createModule from '../../../web/wasm/core.mjs';

/** Embind stores the number of arguments on every bound function. */
type Bound = ((...args: number[]) => unknown) & { argCount?: number };

/** Contents of a file in web/wasm/. */
export const wasmFile = (name: string): Buffer => readFileSync(new URL(`../../../web/wasm/${name}`, import.meta.url));

/** The interfaces of all modules. */
const source = ['runtime/wasm-module.ts', 'runtime/diagnostics-modules.ts']
  .map((name) => readFileSync(new URL(`../../../web/core/${name}`, import.meta.url), 'utf8'))
  .join('\n');

/** Numbers that stand for a matrix, and for a list. */
const sizeOf: Readonly<Record<string, number>> = { MatrixAt: 3, ListAt: 2 };

/** name -> number of arguments, parsed from an interface of wasm-module.ts or diagnostics-modules.ts. */
export function statedVerbs(interfaceName: string): Record<string, number> {
  const begin = source.indexOf(`export interface ${interfaceName} `);
  expect(begin).toBeGreaterThan(0);
  const body = source.slice(begin, source.indexOf('\n}', begin));
  const [, base] = /^export interface \w+ extends (\w+) {/.exec(body) ?? [];
  const verbs = base === undefined ? {} : statedVerbs(base);
  for (const [, name, args] of body.matchAll(/^ {2}(\w+)\(([^)]*)\):/gm)) {
    verbs[name!] = args!
      .replace(/^\s*\.{3}of: \[|\]\s*$/g, '')
      .split(',')
      .filter((argument) => argument.trim() !== '')
      .reduce((sum, argument) => sum + (sizeOf[/\w+At\b/.exec(argument)?.[0] ?? ''] ?? 1), 0);
  }
  return verbs;
}

/** name -> number of arguments, as bound by a module. */
export async function boundVerbs(file: string): Promise<Record<string, number>> {
  const compiled = await WebAssembly.compile(new Uint8Array(wasmFile(file)));
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
  return bound;
}
