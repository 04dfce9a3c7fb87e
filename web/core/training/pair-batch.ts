/** Checks the tokens that a gradient is computed on. */
import { TiedError } from '../runtime/errors.js';
import { checkIdsBelow, checkPredictsNext } from '../model/options.js';
import type { ModelConfig, PairBatch } from '../types.js';
import { checkAbsent, checkInteger, checkOptions, checkTokenIds } from '../runtime/validate.js';

export interface CheckedBatch {
  inputs?: Uint32Array;
  targets?: Uint32Array;
  /** 0 = the core's default. */
  sequenceLength: number;
}

/** Without a batch: the data of the next step. */
export function checkBatch(batch: PairBatch | undefined, model: Readonly<ModelConfig>): CheckedBatch {
  const { kind, vocabSize } = model;
  if (batch === undefined) return { sequenceLength: 0 };
  checkPredictsNext(model);
  const given = checkOptions('batch', batch, ['inputs', 'targets', 'sequenceLength']);
  const inputs = checkTokenIds('batch.inputs', given.inputs, 1);
  const targets = checkTokenIds('batch.targets', given.targets, 1);
  const { sequenceLength } = given;
  if (inputs.length !== targets.length) {
    throw new TiedError(
      'shape-mismatch',
      `batch.targets is a Uint32Array of ${targets.length}; expected as many as batch.inputs, ${inputs.length}`,
    );
  }
  checkIdsBelow('batch.inputs', inputs, vocabSize);
  checkIdsBelow('batch.targets', targets, vocabSize);
  if (kind !== 'transformer') checkAbsent('batch.sequenceLength', sequenceLength, "kind 'transformer'");
  const length = sequenceLength === undefined ? 0 : checkInteger('batch.sequenceLength', sequenceLength, 1);
  return { inputs, targets, sequenceLength: length };
}
