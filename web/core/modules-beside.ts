/** The wasm from files of its own, beside this script unless the options say otherwise. */
import { moduleFiles } from '../wasm/module-files.mjs';
import { compileUrl, foundOnce, notFound, sourceOf, type ModuleSource } from './module-source.js';
import { fileOf, type ModuleName } from './modules.js';
import type { LoadOptions, Simd } from './types.js';

const addresses: Readonly<Record<string, () => URL>> = moduleFiles;
const compileOnce = foundOnce(async (name, simd) => compileUrl(place(name, simd), name, simd));

function place(name: ModuleName, simd: Simd): URL {
  const file = fileOf(name, simd);
  try {
    return addresses[file]!();
  } catch (cause) {
    // Bundled into a classic script, this one does not know its own address.
    throw notFound(`${file} could not be looked for: this script does not know its address`, name, simd, cause);
  }
}

export function modulesBeside(options: LoadOptions): ModuleSource {
  return sourceOf(options, compileOnce);
}
