/** Options of `loadCore` and `createLab`, checked before anything is fetched. */
import type { LoadOptions, Simd } from './types.js';
import { checkChoice, checkOptions } from './validate.js';

const SIMDS: readonly Simd[] = ['simd128', 'relaxed'];
const LOAD_OPTIONS: readonly (keyof LoadOptions)[] = ['simd', 'wasmUrl', 'wasmBytes', 'analysisUrl', 'analysisBytes'];

/** A copy of the options. Refuses unknown names and another `simd`; `more` names options besides those of `loadCore`. */
export function checkLoadOptions<T extends LoadOptions>(options: T, more: readonly string[] = []): T {
  const given = checkOptions('options', options, [...more, ...LOAD_OPTIONS]);
  simdOf(given);
  return given;
}

/** The build that is asked for. */
export function simdOf({ simd }: { simd?: Simd }): Simd {
  return simd === undefined ? 'simd128' : checkChoice('options.simd', simd, SIMDS);
}
