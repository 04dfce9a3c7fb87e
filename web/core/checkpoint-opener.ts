/** Checkpoints, apart from the core: this module is fetched on the first call of `openCheckpoint`. */
export { openCheckpoint } from './checkpoint/open-checkpoint.js';
