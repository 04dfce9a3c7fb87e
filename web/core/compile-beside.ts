/** The wasm from files of its own, beside this script unless the options say otherwise. */
import { compileGiven, compileUrl, onceEach } from './compile-given.js';
import { fileOf, type CompiledCore } from './instantiate.js';
import type { LoadOptions } from './types.js';

// In this form bundlers take the files along.
const beside: Readonly<Record<string, () => URL>> = {
  'core.wasm': () => new URL('./core.wasm', import.meta.url),
  'analysis.wasm': () => new URL('./analysis.wasm', import.meta.url),
  'core-relaxed.wasm': () => new URL('./core-relaxed.wasm', import.meta.url),
  'analysis-relaxed.wasm': () => new URL('./analysis-relaxed.wasm', import.meta.url),
};
const compileOnce = onceEach((name, simd) => compileUrl(beside[fileOf(name, simd)]!(), 'wasmUrl'));

export function compileBeside(options: LoadOptions = {}): Promise<CompiledCore> {
  return compileGiven(options, compileOnce);
}
