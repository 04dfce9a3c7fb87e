/**
 * Loads wasm inlined in scripts: nothing to fetch, nothing to configure. The entry contains the modules that every core
 * needs; the others are in scripts that are imported on first use.
 */
import { moduleBytes } from '../wasm/module-bytes.mjs';
import { TiedError } from './errors.js';
import { compile, findOnce, sourceOf, type ModuleSource } from './module-source.js';
import { fileOf } from './modules.js';
import type { LoadOptions } from './types.js';

const inlined: Readonly<Record<string, () => string | Promise<string>>> = moduleBytes;
const compileOnce = findOnce(async (name, simd) => {
  const file = fileOf(name, simd);
  let base64: string;
  try {
    base64 = await inlined[file]!();
  } catch (cause) {
    throw new TiedError('bad-file', `the script that contains ${file} could not be loaded`, { cause });
  }
  return compile(decode(base64), `the inlined ${file}`);
});

/** Uses the options where they locate modules, otherwise the inlined modules, compiled once. */
export function modulesInlined(options: LoadOptions): ModuleSource {
  return sourceOf(options, compileOnce);
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
