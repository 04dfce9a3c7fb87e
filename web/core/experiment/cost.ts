/** Estimates how long jobs take from their sizes, to tell readers in advance and to show progress. */
import type { ExperimentJob } from './types.js';
import { completeModel } from '../model/model-options.js';

/** Assumed vocabulary size if only the text determines it. */
const SOME_VOCABULARY = 512;
/** Assumed for pairs: the letters of two alphabets. */
const SOME_CHARACTERS = 64;
/** Assumed tokens per side of a pair, if only the pairs determine it. */
const SOME_LENGTH = 12;
/** Multiply-adds per second of one core of an ordinary laptop, with the small products of small models. */
const RATE = 6e9;
/** Seconds per step in addition to its products. */
const OVERHEAD = 2e-4;

function vocabularyOf({ text, tokenizer }: ExperimentJob): number {
  if (text === undefined) return SOME_CHARACTERS;
  if ('markov' in text) return text.markov.states;
  return (tokenizer as { vocabSize?: number } | null)?.vocabSize ?? SOME_VOCABULARY;
}

/** Seconds on such a core, without measures. */
export function costOf(job: ExperimentJob): number {
  const { steps, batchSize } = job.training as { steps: number; batchSize?: number };
  const vocabSize = vocabularyOf(job);
  const model = completeModel({ ...job.model, vocabSize } as never);
  const { dModel } = model;
  const table = vocabSize * dModel;
  let products: number;
  if (model.kind === 'transformer') {
    const { nLayers = 1, contextLength = 1 } = model;
    const layer = 12 * dModel * dModel + 2 * contextLength * dModel;
    products = (nLayers * layer + table) * contextLength * (batchSize ?? 8);
  } else if (model.kind === 'encoder-decoder') {
    const { nEncoderLayers = 1, nDecoderLayers = 1 } = model;
    const length = (job.pairs as { length?: number }).length ?? SOME_LENGTH;
    const layers = (12 * nEncoderLayers + 16 * nDecoderLayers) * dModel * dModel;
    products = (layers + table) * length * (batchSize ?? 8);
  } else products = table * (batchSize ?? vocabSize);
  // The backward pass takes twice as long as the forward pass.
  return steps * ((3 * products) / RATE + OVERHEAD);
}
