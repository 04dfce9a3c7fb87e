/** The long verbs of a core. */
import { align, cka, decomposeHidden, isotropy, neighborOverlap, spectrum } from '../diagnostics/diagnostics.js';
import type { Core } from './core-types.js';
import type { Declaring } from '../runtime/verb.js';
import { irreversibility } from '../direct-path/irreversibility.js';
import { openCorpus } from '../text/open-corpus.js';
import { sampleMarkovChain } from '../text/markov-sampling.js';
import { trainTokenizer } from '../text/train-tokenizer.js';
import { writeStories } from '../text/story-writing.js';
import { kolmogorovCycles } from '../diagnostics/cycles.js';
import { spectralDistance } from '../diagnostics/spectral-distance.js';

export const CORE_WORK = {
  align,
  cka,
  decomposeHidden,
  irreversibility,
  isotropy,
  kolmogorovCycles,
  neighborOverlap,
  openCorpus,
  sampleMarkovChain,
  spectralDistance,
  spectrum,
  trainTokenizer,
  writeStories,
} as const satisfies Declaring<Core>;
