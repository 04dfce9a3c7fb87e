/** Random Markov chains, and the floors of a chain. */
import { MARKOV_BOUNDS } from '../generated/records.js';
import { sizedBy } from '../runtime/answer.js';
import type { Runtime } from '../runtime/runtime.js';
import type { MarkovBounds, Matrix } from '../types.js';
import { checkInteger, checkMatrix, checkOptions, checkRange, checkSeed } from '../runtime/validate.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';

export interface MarkovChainOptions {
  states: number;
  seed: number;
  concentration?: number;
}

export function randomMarkovChain(analysis: Runtime<AnalysisModule>, options: MarkovChainOptions): Matrix {
  const { states, seed, concentration = 0.3 } = checkOptions('options', options, ['states', 'seed', 'concentration']);
  checkInteger('options.states', states, 2);
  checkSeed('options.seed', seed);
  checkRange('options.concentration', concentration, 1e-3, 1e6);
  return analysis.call(
    [],
    (module) => module.randomMarkovChain(states, seed, concentration),
    (answer) => ({ rows: states, cols: states, data: answer.read('floats') }),
    { ...sizedBy('options.states'), states: 'options.states', concentration: 'options.concentration' },
  );
}

export function markovBounds(analysis: Runtime<AnalysisModule>, transition: Matrix): MarkovBounds {
  const { rows, data } = checkMatrix('transition', transition, { square: true });
  return analysis.call(
    [data],
    (module, [address]) => module.markovBounds(address!, rows),
    (answer) => {
      const { bounds, stationary } = answer.read(MARKOV_BOUNDS);
      return { ...bounds, stationary: Float32Array.from(stationary) };
    },
    { ...sizedBy('transition'), joint: 'transition' },
  );
}
