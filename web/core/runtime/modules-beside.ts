/** Loads wasm from separate files, beside this script unless the options say otherwise. */
import { leftOut } from './left-out-module.js';
import { moduleFiles } from '../../wasm/module-files.mjs';
import { compileUrl, findOnce, notFound, sourceOf, type ModuleSource } from './module-source.js';
import { fileOf, type ModuleName } from './modules.js';
import type { LoadOptions, Simd } from '../types.js';

const addresses: Readonly<Record<string, (() => URL) | undefined>> = moduleFiles;
const compileOnce = findOnce(async (name, simd) => compileUrl(locate(name, simd), name, simd));

function locate(name: ModuleName, simd: Simd): URL {
  const file = fileOf(name, simd);
  const address = addresses[file];
  if (address === undefined) throw leftOut(file);
  try {
    return address();
  } catch (cause) {
    // In a bundled classic script, the script's own URL is unknown.
    throw notFound(`${file} could not be located: the URL of this script is unknown`, name, simd, cause);
  }
}

export function modulesBeside(options: LoadOptions): ModuleSource {
  return sourceOf(options, compileOnce);
}
