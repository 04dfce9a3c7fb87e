// Gzip sizes of what a browser downloads, with their budgets.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ALWAYS_LOADED, MODULES, MODULE_NAMES, fileOf, relaxedFiles, stemOf } from './modules.mjs';
import { root } from './root.mjs';

// 1 KB = 1,000 bytes, the stricter definition.
export const kilobyte = 1000;

const gzipLength = (bytes) => gzipSync(bytes, { level: 9 }).length;
const gzipBytes = (path) => gzipLength(readFileSync(join(root, path)));

const finishedModels = 'web/article/assets/finished-transformers.safetensors';

const dataSection = 11;

/** A module without its data section, which is mostly text: the rest is code. */
export function withoutData(wasm) {
  const kept = [wasm.subarray(0, 8)];
  for (let at = 8; at < wasm.length;) {
    const begin = at;
    const section = wasm[at++];
    // The length in LEB128, seven bits per byte.
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      length += (wasm[at] & 0x7f) * 2 ** shift;
      more = wasm[at++] >= 0x80;
    }
    at += length;
    if (section !== dataSection) kept.push(wasm.subarray(begin, at));
  }
  return Buffer.concat(kept);
}

/** A module's size, and how it divides into code and text. */
function moduleRows(name) {
  const wasm = readFileSync(join(root, `web/wasm/${name}.wasm`));
  const bytes = gzipLength(wasm);
  const code = gzipLength(withoutData(wasm));
  return [
    { what: `${name}.wasm`, bytes },
    { what: '  code', bytes: code },
    { what: '  texts and constants', bytes: bytes - code },
  ];
}

/**
 * The rows of one build of the core, each with its budget of web/core/runtime/modules.ts: modules that are always loaded
 * accumulate, starting with the glue; modules on demand count by themselves.
 */
function buildRows(simd, glue) {
  const rows = [];
  const loaded = [];
  let bytes = glue;
  for (const name of MODULE_NAMES) {
    const file = fileOf(name, simd);
    // Shared with the baseline, and counted there.
    if (simd === 'relaxed' && !relaxedFiles.includes(file)) continue;
    const budget = Math.round(MODULES[name].budgetKilobytes * kilobyte);
    const [whole, ...parts] = moduleRows(stemOf(file));
    if (!ALWAYS_LOADED.includes(name)) {
      rows.push({ ...whole, budget }, ...parts);
      continue;
    }
    loaded.push(file);
    bytes += whole.bytes;
    rows.push(whole, ...parts, { what: `${loaded.join(', ')} and glue`, bytes, budget });
  }
  return rows;
}

/**
 * Rows { what, bytes, budget? }; rows without a budget are informative. Includes the relaxed build where it exists.
 * @returns {{ what: string, bytes: number, budget?: number }[]}
 */
export function measureSizes() {
  // One glue file serves all modules (tests/web/core/bindings.test.ts).
  const glue = gzipBytes('web/wasm/core.mjs');
  const builds = relaxedFiles.every((file) => existsSync(join(root, 'web/wasm', file)))
    ? ['simd128', 'relaxed']
    : ['simd128'];
  const rows = [{ what: 'glue of all modules', bytes: glue }, ...builds.flatMap((simd) => buildRows(simd, glue))];
  // Scripts that browsers load directly; the modules are for bundlers, which minify them.
  for (const name of ['worker.js', 'tied-embeddings.standalone.js']) {
    if (existsSync(join(root, 'dist', name))) rows.push({ what: `dist/${name}`, bytes: gzipBytes(`dist/${name}`) });
  }
  // The article's trained models, which are fetched only when a reader enters a prompt.
  rows.push({ what: 'finished-transformers.safetensors', bytes: gzipBytes(finishedModels), budget: 1000 * kilobyte });
  return rows;
}
