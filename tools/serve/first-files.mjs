// Files of the article that are asked for before they are built: the answer waits.
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;

/** What the first page lacks, besides wasm. */
const LATER = /^\/(api|claims|global)(\/|$)|^\/(tied-embeddings\.global\.js|THIRD-PARTY\.txt)$/;
const WASM = /^\/([\w-]+\.wasm)$/;

/**
 * Returns `ready(path)` for `serve`: undefined, or a promise that resolves when the file is there or cannot come any more.
 * `folder` has the first page, `modules` gets the wasm; `whole` resolves when everything is built, or has failed to.
 * @param {{ folder: string, modules: string, files: readonly string[], whole: Promise<unknown> }} options
 */
export function firstFiles({ folder, modules, files, whole }) {
  let isOver = false;
  void whole.then(() => (isOver = true));
  const wasm = async (name) => {
    // It is written by a rename, so it is complete once it is there.
    while (!isOver && !existsSync(join(modules, name))) await delay(POLL_MS);
    if (!isOver) copyFileSync(join(modules, name), join(folder, name));
  };
  return (path) => {
    if (isOver) return undefined;
    if (LATER.test(path)) return whole;
    const [, name] = WASM.exec(path) ?? [];
    if (name === undefined || !files.includes(name) || existsSync(join(folder, name))) return undefined;
    return wasm(name);
  };
}
