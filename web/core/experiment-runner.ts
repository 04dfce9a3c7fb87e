/**
 * Experiments, apart from the core: this module is fetched on the first call of `runExperiment`. The command uses the other
 * exports to run the jobs of an experiment one by one, and figures to show what a file asks for.
 */
export { sha256Of } from './experiment/canonical.js';
export { checkJob } from './experiment/check-job.js';
export { checkSpec, type CheckedSpec } from './experiment/check-spec.js';
export { costOf } from './experiment/cost.js';
export { hostOfCore } from './experiment/core-host.js';
export { expand } from './experiment/expand.js';
export type { ExperimentHost } from './experiment/metric-kinds.js';
export { TextCache } from './experiment/read-text.js';
export { hashOfWeights, runJob } from './experiment/run-job.js';
export { collect, runExperiment } from './experiment/run.js';
export {
  csvOf,
  jsonLinesOf,
  packageOf,
  parquetColumnsOf,
  rowsOf,
  tablesOf,
  type ExperimentTable,
} from './experiment/tables.js';
