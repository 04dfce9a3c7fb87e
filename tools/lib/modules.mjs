// The table of wasm modules, web/core/runtime/modules.ts, for tools. Needs esbuild to read TypeScript.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { root } from './root.mjs';

const source = readFileSync(join(root, 'web/core/runtime/modules.ts'), 'utf8');
const { code } = transformSync(source, { loader: 'ts' });

/** @type {typeof import('../../web/core/runtime/modules.js')} */
const table = await import(`data:text/javascript,${encodeURIComponent(code)}`);
export const { ALWAYS_LOADED, MODULES, MODULE_NAMES, fileOf, wholeOf } = table;

/** @param {import('../../web/core/types.js').Simd} simd */
const files = (simd) => MODULE_NAMES.map((name) => fileOf(name, simd));
/** Names of the wasm files of the baseline, and those that differ in the relaxed build. */
export const baselineFiles = files('simd128');
export const relaxedFiles = files('relaxed').filter((file) => !baselineFiles.includes(file));

/**
 * core.wasm -> core
 * @param {string} file
 */
export const stemOf = (file) => file.replace(/\.wasm$/, '');
