/** The long verbs of a core. */
import { align, cka, decomposeHidden, isotropy, neighborOverlap, spectrum } from '../diagnostics/diagnostics.js';
import type { Core } from './core-types.js';
import type { Declaring } from '../runtime/verb.js';
import { kolmogorovCycles } from '../diagnostics/cycles.js';
import { spectralDistance } from '../diagnostics/spectral-distance.js';

export const CORE_WORK = {
  align,
  cka,
  decomposeHidden,
  isotropy,
  kolmogorovCycles,
  neighborOverlap,
  spectralDistance,
  spectrum,
} as const satisfies Declaring<Core>;
