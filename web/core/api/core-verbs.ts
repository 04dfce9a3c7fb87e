/** The verbs of a core: the long ones are declared with their work, the others are single calls. */
import { align, cka, decomposeHidden, isotropy, neighborOverlap, spectrum } from '../diagnostics/diagnostics.js';
import type { Core } from './core-types.js';
import type { Declaring, Verbs } from '../runtime/verb.js';
import { irreversibility } from '../direct-path/irreversibility.js';
import { openCorpus } from '../text/open-corpus.js';
import { sampleMarkovChain } from '../text/markov-sampling.js';
import { trainTokenizer } from '../text/train-tokenizer.js';
import { writeStories } from '../text/story-writing.js';
import type { ModuleName } from '../runtime/modules.js';
import { TRAINER_WORK } from '../training/trainer-verbs.js';
import { loadTrainer } from '../training/load-trainer.js';
import { kolmogorovCycles } from '../diagnostics/cycles.js';
import { recoverTable } from '../diagnostics/recover-table.js';
import { spectralDistance } from '../diagnostics/spectral-distance.js';
import { tiedFloor } from '../diagnostics/tied-floor.js';

export const CORE_WORK = {
  align,
  cka,
  decomposeHidden,
  irreversibility,
  isotropy,
  kolmogorovCycles,
  loadTrainer,
  neighborOverlap,
  openCorpus,
  recoverTable,
  sampleMarkovChain,
  spectralDistance,
  spectrum,
  tiedFloor,
  trainTokenizer,
  writeStories,
} as const satisfies Declaring<Core>;

/** Single calls, with the modules that they need beside those that are always loaded. */
const CALLS = {
  adviseTying: ['accounting'],
  bigramBounds: [],
  bigrams: [],
  compare: [],
  countCompute: ['accounting'],
  countParameters: ['accounting'],
  createTrainer: [],
  decodeElements: ['checkpoint'],
  directPath: [],
  directPathSymmetry: [],
  encodePairs: [],
  estimateMemory: [],
  fitBounds: [],
  importConfig: [],
  knownModels: [],
  loadModel: ['files'],
  loadTokenizer: [],
  markovBounds: [],
  neighbors: ['diagnostics'],
  normFrequency: ['diagnostics'],
  pairTokenizer: [],
  parsePairs: [],
  randomMarkovChain: [],
  solveUnembedding: [],
  symmetry: [],
  writePairs: ['stories'],
} as const satisfies { readonly [Name in keyof Core]?: readonly ModuleName[] };

/** Between the two ends of a lab: a corpus in another worker, the known models, what checkpoints need. */
const INTERNAL = {
  adoptCorpus: [],
  adoptModels: ['accounting'],
  startModel: [],
  startTableSums: ['checkpoint'],
} as const;

const namesOf = <Of extends object>(of: Of) => Object.keys(of) as (keyof Of)[];

/** Those that a lab has too, where `runExperiment`, `openCheckpoint`, `modelCard` and what needs kinds of models run on the caller's thread. */
export const CORE_VERBS = [...namesOf(CORE_WORK), ...namesOf(CALLS)];
export const INTERNAL_CORE_VERBS = namesOf(INTERNAL);

/** The modules that a verb needs beside those that are always loaded; `of`: whose verb it is. */
export function modulesOfVerb(verb: string, of: 'core' | 'trainer'): readonly ModuleName[] {
  const long: Verbs = of === 'core' ? CORE_WORK : TRAINER_WORK;
  if (Object.hasOwn(long, verb)) return long[verb]!.modules ?? [];
  const calls: Readonly<Record<string, readonly ModuleName[]>> = of === 'core' ? { ...CALLS, ...INTERNAL } : {};
  return calls[verb] ?? [];
}
