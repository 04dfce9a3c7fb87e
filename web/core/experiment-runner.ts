/** Experiments, apart from the core: this module is fetched on the first call of `runExperiment`. */
export type { ExperimentHost } from './experiment/metrics.js';
export { runExperiment } from './experiment/run.js';
