// The models of which one is trained on all cores: those of the training cases, and others that only the formula of the cost is tried on.
import { models as ofPeers } from '../../peers/models.mjs';

/** @type {Omit<import('../../peers/models.mjs').Model, 'vocabSize' | 'batchSize'>} */
const small = { kind: 'transformer', dModel: 64, nLayers: 4, nHeads: 4, contextLength: 64, tying: 'tied' };

/** By the end of a case's id: `train/laboratory`. @type {Record<string, import('../../peers/models.mjs').Model>} */
export const compared = { ['laboratory']: { ...small, vocabSize: 512, batchSize: 16 }, ...ofPeers };

/** @type {Record<string, import('../../peers/models.mjs').Model>} */
export const others = {
  wide: { ...small, vocabSize: 512, dModel: 128, nLayers: 2, batchSize: 16 },
  vocabulary: { ...small, vocabSize: 8192, nLayers: 2, batchSize: 8 },
  short: { ...small, vocabSize: 65, batchSize: 4 },
};
