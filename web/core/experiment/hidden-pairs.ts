/** The pairs of visible and hidden tokens that a model sees which predicts hidden ones, as masked models and masked diffusion do. */
import type { Matrix } from '../types.js';

/** What the weights of distances are whole multiples of: counts are whole numbers. */
const UNITS = 100;

/**
 * The weight of each distance, from 1: if the fraction `hidden` of all tokens is hidden, each by itself, the nearest visible token before a hidden one is
 * k before it with probability hidden^(k - 1) (1 - hidden). In hundredths, rounded; distances without any are left out.
 */
export function distanceWeights(hidden: number): number[] {
  const weights: number[] = [];
  for (let left = 1 - hidden; ; left *= hidden) {
    const weight = Math.round(UNITS * left);
    if (weight === 0) return weights;
    weights.push(weight);
  }
}

/** How often each visible token precedes each hidden one [V, V], expected over all choices of hidden tokens, in hundredths. */
export function hiddenPairs(tokens: Uint32Array, vocabSize: number, hidden: number): Matrix {
  const counts = new Float64Array(vocabSize * vocabSize);
  for (const [index, weight] of distanceWeights(hidden).entries()) {
    for (let at = 0, to = index + 1; to < tokens.length; at++, to++) {
      const cell = tokens[at]! * vocabSize + tokens[to]!;
      counts[cell] = counts[cell]! + weight;
    }
  }
  return { rows: vocabSize, cols: vocabSize, data: Float32Array.from(counts) };
}
