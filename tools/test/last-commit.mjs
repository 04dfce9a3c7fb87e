// What differs from the last commit. `npm run check` compares with it where nothing has passed yet: in a fresh clone, all files would
// count as changed, and what was committed has passed `npm test`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

/**
 * The commit that is checked out in `base`, and the paths that differ from it: files with other contents, files that it does not have, and
 * files that are gone. Undefined without git, without a commit, or if `base` is not the top of its repository.
 * @returns {{ commit: string, edited: string[], added: string[], gone: string[] } | undefined}
 */
export function sinceLastCommit(base = root) {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: base, encoding: 'utf8', maxBuffer: 2 ** 28 });
    return status === 0 ? stdout : undefined;
  };
  if (git('rev-parse', '--show-prefix')?.trim() !== '') return undefined;
  const commit = git('rev-parse', '--short', 'HEAD')?.trim();
  const status = git('status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all');
  if (commit === undefined || status === undefined) return undefined;
  const [edited, added, gone] = [new Set(), new Set(), new Set()];
  for (const line of status.split('\0').filter((text) => text !== '')) {
    const [state, path] = [line.slice(0, 2), line.slice(3)];
    const wasThere = state !== '??' && state[0] !== 'A';
    if (existsSync(join(base, path))) (wasThere ? edited : added).add(path);
    else if (wasThere) gone.add(path);
  }
  // A file that is removed from the index and still there is listed twice.
  return { commit, edited: [...edited], added: [...added].filter((path) => !edited.has(path)), gone: [...gone] };
}

/** No hash of a file. */
const ANOTHER = 'as committed';

/**
 * Hashes of files at the last commit, for comparison with those of `now`: by path, the same but for the paths that differ.
 * @param {Record<string, string>} now @param {NonNullable<ReturnType<typeof sinceLastCommit>>} since
 * @returns {Record<string, string>}
 */
export function asCommitted(now, { edited, added, gone }) {
  const before = { ...now };
  for (const path of edited) if (path in now) before[path] = ANOTHER;
  for (const path of added) delete before[path];
  for (const path of gone) before[path] = ANOTHER;
  return before;
}
