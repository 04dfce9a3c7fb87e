// The programs that distribute experiments in the tests: GNU parallel, and Slurm on one node.
import { which } from './platform.mjs';
import { ensureForTests } from './system-packages.mjs';

const slurmPackages = ['slurmctld', 'slurmd', 'slurm-client', 'munge'];

/** Slurm's daemons have to run as root; for others they would only be in the way. */
const isRoot = () => process.getuid?.() === 0;

export const ensureSchedulers = () => ensureForTests([['parallel'], ...(isRoot() ? [slurmPackages] : [])]);

/** Why GNU parallel cannot be tested here; undefined if it can. */
export const parallelObstacle = () =>
  which('parallel') === undefined ? 'no GNU parallel: install parallel' : undefined;

/** Why Slurm cannot be tested here; undefined if it can. */
export function slurmObstacle() {
  if (!isRoot()) return 'no Slurm: its daemons need root';
  const lacks = ['munged', 'slurmctld', 'slurmd', 'sbatch'].filter((name) => which(name) === undefined);
  return lacks.length === 0 ? undefined : `no Slurm: ${lacks.join(', ')} missing; install ${slurmPackages.join(' ')}`;
}
