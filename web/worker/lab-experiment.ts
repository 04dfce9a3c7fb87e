/** A lab's experiment: its jobs are distributed among the lab's own worker and those of the pool. */
import { copyData } from '../core/runtime/copy-data.js';
import type { ExperimentHost } from '../core/experiment-runner.js';
import type { ExperimentOptions, ExperimentRecords, ExperimentSpec } from '../core/types.js';
import type { LabClient } from './lab-client.js';
import { cores } from './machine.js';
import type { PoolMember, WorkerPool } from './worker-pool.js';

export async function experimentInLab(
  own: LabClient,
  pool: WorkerPool,
  hostOf: (client: LabClient) => ExperimentHost,
  spec: ExperimentSpec,
  options?: ExperimentOptions,
): Promise<ExperimentRecords> {
  // Copied before the first await, so later changes to the caller's object have no effect.
  const copied = copyData(spec) as ExperimentSpec;
  const { runExperiment } = await import('../core/experiment-runner.js');
  let members: PoolMember[] = [];
  const open = async (jobs: number, threads = Infinity): Promise<ExperimentHost[]> => {
    pool.mostEach = threads - 1;
    members = await pool.take(jobs - 1);
    return [own, ...members.map(({ client }) => client)].map(hostOf);
  };
  try {
    return await runExperiment({ cores: cores(), open }, copied, options);
  } finally {
    pool.mostEach = Infinity;
    for (const member of members) void pool.release(member);
  }
}
