// Allows one set-up or build at a time in one checkout; a second one waits.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const lock = join(root, '.toolchain', 'locked');

/** Whether a process with this id is running. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // it is running, but belongs to someone else
  }
}

/**
 * Takes the lock in `folder` for the owner with that name, `<process id>-<anything>`; false if it is taken.
 *
 * The lock is a folder that contains its owner's file. A rename creates both at once and fails while another owner's
 * file exists. A dead owner's file is removed by name, so the next owner's file cannot be removed by mistake.
 */
export function takeLock(folder, owner, isRunning = isAlive) {
  const mine = `${folder}-${owner}`;
  mkdirSync(mine, { recursive: true });
  writeFileSync(join(mine, owner), '');
  try {
    for (const other of existsSync(folder) ? readdirSync(folder) : []) {
      if (!isRunning(Number.parseInt(other, 10))) rmSync(join(folder, other), { force: true });
    }
    renameSync(mine, folder);
    return true;
  } catch (error) {
    rmSync(mine, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOENT'].includes(error.code)) throw error;
    return false;
  }
}

/** Releases the lock, if this owner has it. */
export const releaseLock = (folder, owner) => rmSync(join(folder, owner), { force: true });

/** Tells child processes that this one holds the lock for them. */
const holder = 'TIED_EMBEDDINGS_LOCK_HOLDER';

function isHeldByParent() {
  const owner = process.env[holder];
  return owner !== undefined && existsSync(join(lock, owner)) && isAlive(Number.parseInt(owner, 10));
}

/** Runs `work` while this process, or its parent, holds the checkout's lock. */
export async function withLock(work) {
  if (isHeldByParent()) return work();
  const owner = `${process.pid}-${randomUUID()}`;
  let reported = false;
  while (!takeLock(lock, owner)) {
    if (!reported) console.log('Another set-up or build is running in this folder; waiting for it.');
    reported = true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  process.env[holder] = owner;
  const release = () => {
    delete process.env[holder];
    releaseLock(lock, owner);
  };
  const interrupted = () => {
    release();
    process.exit(130);
  };
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  try {
    return await work();
  } finally {
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
    release();
  }
}
