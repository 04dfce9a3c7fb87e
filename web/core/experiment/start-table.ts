/** The initial tables of a model. */
import type { DirectPathConfig, EncoderDecoderConfig, LabTrainer, Matrix, TransformerConfig } from '../types.js';
import { tableOf, type MeasuredPairs, type MeasuredText, type TableName } from './metric-kinds.js';

/** A model with the same seeds starts with the same weights, so they need not be stored during training. */
export async function startOf(measured: MeasuredText & MeasuredPairs, name: TableName): Promise<Matrix> {
  const twin = await twinOf(measured);
  try {
    return await tableOf(twin, name);
  } finally {
    twin.dispose();
  }
}

async function twinOf({ host, trainer, text, pairs }: MeasuredText & Partial<MeasuredPairs>): Promise<LabTrainer> {
  const { model, training } = trainer;
  if (pairs !== undefined) {
    return host.createTrainer({ model: model as EncoderDecoderConfig, training, pairs: pairs.training });
  }
  if (model.kind === 'direct-path' && training.batchSize === undefined) {
    return host.createTrainer({ model: model as DirectPathConfig, training, bigramCounts: await text.pairs() });
  }
  return host.createTrainer({ model: model as TransformerConfig, training, tokenIds: text.training });
}
