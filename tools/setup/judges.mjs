// What tests compare our files and numbers with: other programs that read what we write, other releases of Node, and PyTorch.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { installFolder } from './npm-folder.mjs';
import { debianRelease } from './platform.mjs';
import { ensureForTests } from './system-packages.mjs';

const source = join(root, 'tests/judges');
const folder = join(root, 'build/judges');

/** Where the packages of tests/judges/package.json are installed. */
export const judgesModules = join(folder, 'node_modules');

/** Why the programs of tests/judges/package.json do not run here; undefined if they do. */
export function judgesObstacle() {
  if (process.platform === 'linux' && process.arch === 'x64') return undefined;
  return `llama.cpp, DuckDB and other releases of Node are tried on 64-bit Linux for x86, not on ${process.platform} for ${process.arch}`;
}

/** Installs them, without the variants for graphics cards and other systems. */
export async function ensureJudges() {
  const obstacle = judgesObstacle();
  if (obstacle !== undefined) return `skipped: ${obstacle}`;
  const before = existsSync(judgesModules);
  await installFolder(source, folder, 'npm-judges', ['--omit=optional']);
  return before ? 'already there' : undefined;
}

/** What Python needs, by what its files are: Debian's packages, and what is imported from them. */
const PYTHON = {
  pytorch: { packages: ['python3-numpy', 'python3-torch'], imports: 'numpy, torch' },
  vectors: {
    packages: ['python3-numpy', 'python3-gensim', 'python3-fasttext', 'python3-h5py'],
    imports: 'numpy, gensim, fasttext, h5py',
  },
  graphs: { packages: ['python3-numpy', 'python3-torch', 'python3-onnx'], imports: 'numpy, torch, onnx' },
};

export const ensurePython = () => ensureForTests(Object.values(PYTHON).map(({ packages }) => packages));

/**
 * A Python with these packages, or why there is none.
 *
 * @param {keyof typeof PYTHON} what @returns {{ python: string } | { without: string }}
 */
export function pythonWith(what) {
  const { packages, imports } = PYTHON[what];
  // The first one on the PATH may be a version manager's, without the system's packages.
  const tried = ['python3', '/usr/bin/python3'].map((python) => {
    const { status, stderr } = spawnSync(python, ['-c', `import ${imports}`], { encoding: 'utf8' });
    return { python, status, said: (stderr ?? '').trim().split('\n').at(-1) ?? '' };
  });
  const found = tried.find(({ status }) => status === 0);
  if (found !== undefined) return { python: found.python };
  return { without: `no Python with ${imports} (Debian: ${packages.join(' ')}): ${tried[0].said}` };
}

/**
 * Whether the set-up of `npm run test:all` installs these packages here, so that their absence is a failure: on Debian 12 and newer for
 * x86, with the permissions to install them.
 */
export const expectsPython = () => debianRelease() >= 12 && process.arch === 'x64' && process.getuid?.() === 0;
