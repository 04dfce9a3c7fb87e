/** A core as the host of an experiment. */
import type { Core } from '../types.js';
import type { ExperimentHost } from './metric-kinds.js';

const unsignalled = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'signal')) as T;

/** Unlike a lab's, its verbs return immediately, and these two take no signal. */
export function hostOfCore(core: Core): ExperimentHost {
  const two: Pick<Core, 'openCorpus' | 'writeStories'> = {
    openCorpus: (source, options) => core.openCorpus(source, options && unsignalled(options)),
    writeStories: (options) => core.writeStories(unsignalled(options)),
  };
  return Object.assign(Object.create(core) as object, two) as unknown as ExperimentHost;
}
