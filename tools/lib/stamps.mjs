// What makes a second run quick and an interrupted run harmless: a result carries the hash of what it was made from,
// written only once it is whole.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './lock.mjs';
import { root } from './root.mjs';

/** Hash of any values (through JSON). */
export function hashOf(...values) {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);
}

/** Hash of the contents of files and folders (recursively, in sorted order); missing ones count as missing. */
export function hashOfFiles(paths, { ignore = /node_modules|\.DS_Store/ } = {}) {
  const hash = createHash('sha256');
  const visit = (path) => {
    if (ignore.test(path)) return;
    if (!existsSync(path)) {
      hash.update(`missing ${path}\n`);
    } else if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) visit(join(path, name));
    } else {
      hash.update(`${path}\n`).update(readFileSync(path)).update('\n');
    }
  };
  for (const path of paths) visit(path);
  return hash.digest('hex').slice(0, 32);
}

/** Writes a file by rename, and only where its content changes; true if it did. */
export function writeIfChanged(file, content) {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return false;
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.partial`;
  writeFileSync(partial, content);
  renameSync(partial, file);
  return true;
}

const stampName = '.stamp';

/** Whether `folder` was completed from inputs with this hash. */
export function isFresh(folder, hash) {
  const stamp = join(folder, stampName);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

const partials = join(root, 'build', 'partial');

/** Removes what interrupted runs left behind, as far as nothing still writes to it. */
function removeStalePartials() {
  for (const name of existsSync(partials) ? readdirSync(partials) : []) {
    const pid = Number(/-(\d+)$/.exec(name)?.[1]);
    if (pid !== process.pid && isAlive(pid)) continue;
    try {
      rmSync(join(partials, name), { recursive: true, force: true });
    } catch {
      // A program started by a run that was killed may live a little longer than it; the next run removes the rest.
    }
  }
}

/**
 * Makes `folder` by `fill(partialFolder)` unless it was completed from the same inputs. The folder is filled elsewhere
 * and comes into place by rename once it is whole, so an interruption leaves nothing that the next run could trip over.
 * Resolves with true if work was done.
 */
export async function makeFolder(folder, hash, fill) {
  if (isFresh(folder, hash)) return false;
  removeStalePartials();
  const partial = join(partials, `${basename(folder)}-${process.pid}`);
  mkdirSync(partial, { recursive: true });
  await fill(partial);
  writeFileSync(join(partial, stampName), hash);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(partial, folder);
  return true;
}
