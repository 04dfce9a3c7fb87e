/** Whether a model can run, as far as names, shapes and settings tell, so that refusals come before anything is read or allocated. */
import { TiedError } from '../../runtime/errors.js';
import type { ModelSettings } from '../types.js';
import { completeModel, type CompleteModel } from '../../model/model-options.js';
import type { HeadConfig } from '../../types.js';
import type { BlankTrainer } from '../model-host.js';
import { checkArchitecture, modelOfFiles, type FactsOfFiles } from './model-of-files.js';
import { checkHead } from './running-refusals.js';
import { partsOf, type Filling } from './to-trainer.js';

/** `names`: of all tensors, if some files were not opened, whose shapes are then unknown. */
export function obstacleOf(
  factsOf: () => FactsOfFiles,
  names: Iterable<string> | null,
  tables: Filling['tables'],
  given: ModelSettings,
): string | null {
  try {
    const facts = factsOf();
    if (names !== null) checkArchitecture(facts, new Set(names));
    else {
      const found = modelOfFiles(facts, given);
      checkHead(found.model as { head?: HeadConfig });
      const complete = completeModel(found.model);
      // Files that we write name all parameters of a configuration.
      if (found.naming !== null) partsOf({ facts, found, tables }, { parameters: parametersOf(complete) });
    }
    return null;
  } catch (error) {
    if (error instanceof TiedError) return error.message;
    throw error;
  }
}

/** The parameters of a trainer of this model, for architectures that other programs' files have. */
export function parametersOf(model: CompleteModel): BlankTrainer['parameters'] {
  const { vocabSize, dModel: d, nLayers = 0, nHeads = 1, nKeyValueHeads = nHeads, contextLength = 0 } = model;
  const { dFeedForward: f = 4 * d, biases, feedForward, positions, tying } = model;
  const all: { name: string; shape: readonly number[]; isTied: boolean }[] = [];
  const add = (name: string, ...shape: number[]): void => void all.push({ name, shape, isTied: false });
  const map = (name: string, rows: number, cols: number): void => {
    add(`${name}.weight`, rows, cols);
    if (biases === 'all') add(`${name}.bias`, rows);
  };
  const norm = (name: string): void => {
    add(`${name}.weight`, d);
    if (model.norm === 'layer-norm') add(`${name}.bias`, d);
  };
  add('embedding', vocabSize, d);
  all.push({ name: 'unembedding', shape: [vocabSize, d], isTied: tying === 'tied' });
  if (positions === 'learned') add('positions', contextLength, d);
  for (let layer = 0; layer < nLayers; layer++) {
    const of = `layers.${layer}`;
    norm(`${of}.attention_norm`);
    map(`${of}.attention.query_key_value`, d + 2 * (d / nHeads) * nKeyValueHeads, d);
    map(`${of}.attention.output`, d, d);
    norm(`${of}.feed_forward_norm`);
    if (feedForward === 'swiglu') map(`${of}.feed_forward.gate`, f, d);
    map(`${of}.feed_forward.up`, f, d);
    map(`${of}.feed_forward.down`, d, f);
  }
  norm('final_norm');
  return all;
}
