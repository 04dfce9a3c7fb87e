/**
 * Loads wasm inlined in scripts: nothing to fetch, nothing to configure. The entry contains the modules that every core
 * needs; the others are in scripts that are imported on first use.
 */
import { moduleBytes } from '../../wasm/module-bytes.mjs';
import { TiedError } from './errors.js';
import { inflate } from './inflate.js';
import { compile, findOnce, sourceOf, type ModuleSource } from './module-source.js';
import { leftOut } from './left-out-module.js';
import { fileOf } from './modules.js';
import type { LoadOptions } from '../types.js';

const inlined: Readonly<Record<string, (() => string | Promise<string>) | undefined>> = moduleBytes;
const compileOnce = findOnce(async (name, simd) => {
  const file = fileOf(name, simd);
  const text = inlined[file];
  if (text === undefined) throw leftOut(file);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await inflate(await text());
  } catch (cause) {
    throw new TiedError('bad-file', `the script that contains ${file} could not be loaded`, { cause });
  }
  return compile(bytes, `the inlined ${file}`);
});

/** Uses the options where they locate modules, otherwise the inlined modules, compiled once. */
export function modulesInlined(options: LoadOptions): ModuleSource {
  return sourceOf(options, compileOnce);
}
