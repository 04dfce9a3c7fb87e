// One set-up or build at a time in one checkout: a second one waits for the first.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

const file = join(root, '.toolchain', 'lock');

/** Whether a process with this number is running. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // there, but someone else's
  }
}

function tryToTake() {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  // A lock whose owner was killed is nobody's.
  try {
    const owner = Number(readFileSync(file, 'utf8'));
    if (owner > 0 && !isAlive(owner)) {
      rmSync(file, { force: true });
      return tryToTake();
    }
  } catch {
    // Released in between: the next attempt takes it.
  }
  return false;
}

/** Tells programs that this one starts that it holds the lock for them. */
const holder = 'TIED_EMBEDDINGS_LOCK_HOLDER';

function isHeldByParent() {
  const pid = process.env[holder];
  return pid !== undefined && existsSync(file) && readFileSync(file, 'utf8') === pid && isAlive(Number(pid));
}

/** Runs `work` while holding the checkout's lock, or while the program that started this one holds it. */
export async function withLock(work) {
  if (isHeldByParent()) return work();
  let told = false;
  while (!tryToTake()) {
    if (!told) console.log('Another set-up or build is running in this folder; waiting for it.');
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  process.env[holder] = String(process.pid);
  const release = () => {
    delete process.env[holder];
    rmSync(file, { force: true });
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
