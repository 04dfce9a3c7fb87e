/** The gradient monitor of a model card. */
import { square } from '../../runtime/elementary.js';
import { cardNumber } from './numbers.js';
import { stretches, type ReadTrainer } from '../readout.js';
import { ShuffledRows } from '../shuffled-rows.js';
import type { CardGradient, GradientReport, NotMeasured } from '../../types.js';
import type { Work } from '../../runtime/work.js';

/** What both kinds of models provide. */
interface GradientFacts extends Pick<
  GradientReport,
  'tokens' | 'leftOut' | 'input' | 'output' | 'inputPositionNorm' | 'cosine' | 'cosineNull'
> {
  reach: GradientReport['reach'] | NotMeasured;
}

/** Multiply-adds per part of the work after the pairs. */
const PRODUCTS_PER_PART = 2 ** 22;
/** Pairs per call of the core. */
const PAIRS_PER_PART = 1024;

/** The gradient of the tables of a direct path on all pairs of a text, which `gradientReport` does not support. */
export function* pairGradient(trainer: ReadTrainer, ids: Uint32Array): Work<GradientFacts> {
  const { vocabSize, dModel } = trainer.model;
  const all = ids.length - 1;
  const pairs = stretches(all, PAIRS_PER_PART);
  const size = vocabSize * dModel;
  const blocks = stretches(size, Math.max(1, Math.floor(PRODUCTS_PER_PART / (dModel * dModel))) * dModel);
  const sums = { input: new Float64Array(size), output: new Float64Array(size) };
  const shuffled = new ShuffledRows(dModel);
  /** The squared norm of the input part by position. */
  let positions = 0;
  let predictions = 0;
  let done = 0;
  const fraction = (): number => done++ / (pairs.length + blocks.length);
  for (const { first, count } of pairs) {
    yield fraction();
    const inputs = ids.subarray(first, first + count);
    const { input, output, inputPositionNorm } = trainer.gradient({
      inputs,
      targets: ids.subarray(first + 1, first + count + 1),
    });
    const weight = count / all;
    input.data.forEach((element, i) => (sums.input[i]! += weight * element));
    output.data.forEach((element, i) => (sums.output[i]! += weight * element));
    positions += square(weight * inputPositionNorm);
    predictions += count;
  }
  for (const { first, count } of blocks) {
    yield fraction();
    shuffled.add(sums.input.subarray(first, first + count), sums.output.subarray(first, first + count));
  }
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, element, i) => sum + element * b[i]!, 0);
  const [input, output] = [sums.input, sums.output].map((part) => Math.sqrt(dot(part, part))) as [number, number];
  return {
    tokens: predictions,
    leftOut: ids.length - predictions,
    input,
    output,
    inputPositionNorm: Math.sqrt(positions),
    cosine: input * output === 0 ? 0 : dot(sums.input, sums.output) / (input * output),
    cosineNull: shuffled.cosine(input, output),
    reach: { notMeasured: 'A direct path has no layers between its tables; reach is measured on hidden states.' },
  };
}

export function cardGradient({
  tokens,
  leftOut,
  input,
  output,
  inputPositionNorm,
  cosine,
  cosineNull,
  reach,
}: GradientFacts): CardGradient {
  const share = (part: number, other: number) => cardNumber(part / (part + other), 'fraction');
  return {
    tokens,
    leftOut,
    inputNorm: cardNumber(input, 'gradient norm'),
    outputNorm: cardNumber(output, 'gradient norm'),
    inputShare: share(input, output),
    outputShare: share(output, input),
    inputPositionNorm: cardNumber(inputPositionNorm, 'gradient norm'),
    inputPositionShare: share(inputPositionNorm, output),
    outputPositionShare: share(output, inputPositionNorm),
    cosine: cardNumber(cosine, 'cosine', 0, cosineNull.standardDeviation),
    reach: 'share' in reach ? cardNumber(reach.share, 'fraction', reach.chance) : reach,
  };
}
