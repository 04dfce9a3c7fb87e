// The measured builds of the core: of this checkout, of another commit, or from a folder.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { root } from '../tools/lib/root.mjs';
import { capture, run } from '../tools/lib/run.mjs';
import { SetupProblem } from '../tools/lib/steps.mjs';

/** The hosts with their presets and the names of the builds. */
export const variants = [
  { host: 'Chromium', preset: 'wasm', name: 'ours, baseline' },
  { host: 'Chromium', preset: 'wasm-relaxed', name: 'ours, relaxed', relaxed: true },
  { host: 'Node', preset: 'wasm', name: 'ours, baseline' },
  { host: 'Node', preset: 'wasm-relaxed', name: 'ours, relaxed', relaxed: true },
  { host: 'native', preset: 'native-release', name: 'ours' },
];

const programIn = (folder, preset) =>
  join(folder, 'bench', preset === 'native-release' ? 'bench_core' : 'bench_core.cjs');

/** Presets that these hosts need. */
export const presetsOf = (hosts) => [
  ...new Set(variants.filter(({ host }) => hosts.includes(host)).map(({ preset }) => preset)),
];

/** Which of the variants a folder of builds has: [{ ...variant, folder }]. */
export function variantsIn(folder, hosts) {
  return variants
    .filter(({ host }) => hosts.includes(host))
    .map((variant) => ({ ...variant, folder: join(folder, variant.preset) }))
    .filter((variant) => existsSync(programIn(variant.folder, variant.preset)));
}

/**
 * What --compare names: a folder that holds builds (folders named like presets), or a commit. Resolves with
 * { title, folder, steps }, where the steps build it.
 */
export async function otherBuild(word, hosts) {
  const folder = resolve(word);
  if (existsSync(folder)) {
    if (variantsIn(folder, hosts).length === 0) {
      throw new SetupProblem(
        `--compare ${word}: there is no <preset>/bench/bench_core in this folder for ${hosts.join(', ')}; ` +
          `presets are ${presetsOf(hosts).join(', ')}.`,
      );
    }
    return { title: basename(folder), folder, steps: [] };
  }
  const commit = (await capture('git', ['rev-parse', '--verify', '--quiet', `${word}^{commit}`]))?.trim();
  if (commit === undefined) throw new SetupProblem(`--compare ${word}: this is neither a folder nor a commit.`);
  if ((await capture('git', ['cat-file', '-e', `${commit}:bench/case.h`])) === undefined) {
    throw new SetupProblem(`--compare ${word}: this commit is too old: its benchmark cannot measure single cases.`);
  }
  const sources = join(root, 'build/compare', commit.slice(0, 12));
  return {
    title: (await capture('git', ['log', '-1', '--format=%h %s', commit])).trim(),
    folder: join(sources, 'build'),
    steps: [
      { title: `Fetching ${word} from the repository`, run: () => checkOut(commit, sources) },
      ...presetsOf(hosts).map((preset) => ({
        title: `Building ${word}, ${preset}`,
        run: () => buildElsewhere(sources, preset),
      })),
    ],
  };
}

// An archive of the files, since a worktree would have to be removed from git's list afterwards.
async function checkOut(commit, sources) {
  if (existsSync(join(sources, '.toolchain'))) return 'already there';
  rmSync(sources, { recursive: true, force: true });
  mkdirSync(sources, { recursive: true });
  await run('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, sources], { log: 'compare' });
  symlinkSync(join(root, '.toolchain'), join(sources, '.toolchain'));
  return undefined;
}

async function buildElsewhere(sources, preset) {
  const log = `compare-${preset}`;
  await run('cmake', ['--preset', preset], { cwd: sources, log });
  await run('cmake', ['--build', join('build', preset), '--target', 'bench_core'], { cwd: sources, log, append: true });
}
