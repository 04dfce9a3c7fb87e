/** The wasm from files of its own, beside this script unless the options say otherwise. */
import { compileGiven, compileUrl, notFound, onceEach } from './compile-given.js';
import { fileOf, type CompiledCore, type ModuleName } from './instantiate.js';
import type { LoadOptions, Simd } from './types.js';

// In this form bundlers take the files along.
const beside: Readonly<Record<string, () => URL>> = {
  'core.wasm': () => new URL('./core.wasm', import.meta.url),
  'analysis.wasm': () => new URL('./analysis.wasm', import.meta.url),
  'core-relaxed.wasm': () => new URL('./core-relaxed.wasm', import.meta.url),
  'analysis-relaxed.wasm': () => new URL('./analysis-relaxed.wasm', import.meta.url),
};
const compileOnce = onceEach(async (name, simd) => compileUrl(place(name, simd), name, simd));

function place(name: ModuleName, simd: Simd): URL {
  const file = fileOf(name, simd);
  try {
    return beside[file]!();
  } catch (cause) {
    // Bundled into a classic script, this one does not know its own address.
    throw notFound(`${file} could not be looked for: this script does not know its address`, name, simd, cause);
  }
}

export function compileBeside(options: LoadOptions = {}): Promise<CompiledCore> {
  return compileGiven(options, compileOnce);
}
