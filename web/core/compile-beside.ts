/** The core's wasm from a file of its own, core.wasm beside this script unless the options say otherwise. */
import { compileGiven, compileUrl } from './compile-given.js';
import { checkSupported } from './instantiate.js';
import type { LoadOptions } from './types.js';

let compiled: Promise<WebAssembly.Module> | undefined;

export async function compileBeside(options: LoadOptions = {}): Promise<WebAssembly.Module> {
  checkSupported();
  const given = await compileGiven(options);
  if (given) return given;
  // A failed fetch is not kept, so that a later call tries again.
  compiled ??= compileUrl(new URL('./core.wasm', import.meta.url)).catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}
