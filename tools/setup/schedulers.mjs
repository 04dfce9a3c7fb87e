// What experiments are shared out with in the tests: GNU parallel; Slurm on one node where it is asked for.
import { debianRelease, which } from './platform.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

const slurmPackages = ['slurmctld', 'slurmd', 'slurm-client', 'munge'];

/** Only tests need it, and other systems do without it, so failures are ignored. */
export async function ensureParallel() {
  if (debianRelease() < 12) return 'skipped: known of Debian only';
  try {
    return await ensureSystemPackages(['parallel']);
  } catch {
    return 'skipped: parallel cannot be installed here';
  }
}

/** Why GNU parallel cannot be tested here; undefined if it can. */
export const parallelObstacle = () =>
  which('parallel') === undefined ? 'no GNU parallel: install parallel' : undefined;

/** Why Slurm cannot be tested here; undefined if it can. */
export function slurmObstacle() {
  // Its daemons do not always come back here after they were killed; until that is understood, it is no part of npm test.
  if (process.env.TEST_SLURM !== '1') return 'no Slurm: run with TEST_SLURM=1, as root';
  // The tests start the daemons themselves; that of the node has to run as root.
  if (process.getuid?.() !== 0) return 'no Slurm: its daemons need root';
  const lacks = ['munged', 'slurmctld', 'slurmd', 'sbatch'].filter((name) => which(name) === undefined);
  return lacks.length === 0 ? undefined : `no Slurm: ${lacks.join(', ')} missing; install ${slurmPackages.join(' ')}`;
}
