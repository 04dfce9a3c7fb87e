// Makes repeated runs fast and interrupted ones harmless: a result stores the hash of its inputs, written when it is
// complete.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, releaseLock, takeLock } from './lock.mjs';
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

/** Writes a file by rename, only if its content changes; returns whether it did. */
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

/** Removes leftovers of interrupted runs, unless a process still writes to them. */
function removeStalePartials() {
  for (const name of existsSync(partials) ? readdirSync(partials) : []) {
    const pid = Number(/-(\d+)$/.exec(name)?.[1]);
    if (pid !== process.pid && isAlive(pid)) continue;
    try {
      rmSync(join(partials, name), { recursive: true, force: true });
    } catch {
      // A child of a killed run may still be alive; the next run removes the rest.
    }
  }
}

/**
 * Makes `folder` with `fill(partialFolder)` unless it was completed from the same inputs. It is filled elsewhere and
 * renamed when complete, so an interruption leaves nothing in the way of the next run. Resolves with true if work was
 * done.
 */
export async function makeFolder(folder, hash, fill) {
  if (isFresh(folder, hash)) return false;
  // Test files that run beside each other install the same packages: the second one waits for the first.
  const lock = join(root, 'build', 'locks', basename(folder));
  const owner = `${process.pid}-${randomUUID()}`;
  while (!takeLock(lock, owner)) await delay(200);
  try {
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
  } finally {
    releaseLock(lock, owner);
  }
}
