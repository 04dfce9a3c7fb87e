// What experiments are shared out with in the tests: GNU parallel, and Slurm on one node.
import { debianRelease, which } from './platform.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

const slurmPackages = ['slurmctld', 'slurmd', 'slurm-client', 'munge'];

/** Slurm's daemons have to run as root; for others they would only be in the way. */
const isRoot = () => process.getuid?.() === 0;

/** Only tests need them, and other systems do without them, so failures are ignored. */
export async function ensureSchedulers() {
  if (debianRelease() < 12) return 'skipped: known of Debian only';
  const answers = [];
  for (const packages of [['parallel'], ...(isRoot() ? [slurmPackages] : [])]) {
    try {
      answers.push(await ensureSystemPackages(packages));
    } catch {
      answers.push(`skipped: ${packages[0]} cannot be installed here`);
    }
  }
  return answers.find((answer) => answer?.startsWith('skipped')) ?? answers[0];
}

/** Why GNU parallel cannot be tested here; undefined if it can. */
export const parallelObstacle = () =>
  which('parallel') === undefined ? 'no GNU parallel: install parallel' : undefined;

/** Why Slurm cannot be tested here; undefined if it can. */
export function slurmObstacle() {
  if (!isRoot()) return 'no Slurm: its daemons need root';
  const lacks = ['munged', 'slurmctld', 'slurmd', 'sbatch'].filter((name) => which(name) === undefined);
  return lacks.length === 0 ? undefined : `no Slurm: ${lacks.join(', ')} missing; install ${slurmPackages.join(' ')}`;
}
