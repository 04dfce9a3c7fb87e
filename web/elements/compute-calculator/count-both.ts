import type { Architecture, Batch, ComputeCount } from '../../core/accounting/types.js';
import type { LabAccounting } from '../shared/architecture/architecture-element.js';
import { possibleTyings } from '../shared/architecture/what-follows.js';

/** One batch through one model, with its tables tied as far as possible, and untied. */
export interface BothCounts {
  /** Null if no tables can be shared. */
  readonly tied: ComputeCount | null;
  readonly untied: ComputeCount;
}

export async function countBoth(
  lab: Pick<LabAccounting, 'countCompute'>,
  architecture: Architecture,
  batch: Batch,
): Promise<BothCounts> {
  const [closest = 'untied'] = possibleTyings(architecture);
  const [tied, untied] = await Promise.all([
    closest === 'untied' ? null : lab.countCompute(architecture, { ...batch, tying: closest }),
    lab.countCompute(architecture, { ...batch, tying: 'untied' }),
  ]);
  return { tied, untied };
}
