/** The wasm from files of its own, core.wasm and analysis.wasm beside this script unless the options say otherwise. */
import { compileGiven, compileUrl } from './compile-given.js';
import { checkSupported, type CompiledCore } from './instantiate.js';
import type { LoadOptions } from './types.js';

// In this form bundlers take the files along.
const beside: Readonly<Record<keyof CompiledCore, () => URL>> = {
  core: () => new URL('./core.wasm', import.meta.url),
  analysis: () => new URL('./analysis.wasm', import.meta.url),
};
const compiled: Partial<Record<keyof CompiledCore, Promise<WebAssembly.Module>>> = {};

export async function compileBeside(options: LoadOptions = {}): Promise<CompiledCore> {
  checkSupported();
  return compileGiven(options, (name) => {
    // A failed fetch is not kept, so that a later call tries again.
    compiled[name] ??= compileUrl(beside[name](), 'wasmUrl').catch((error: unknown) => {
      compiled[name] = undefined;
      throw error;
    });
    return compiled[name];
  });
}
