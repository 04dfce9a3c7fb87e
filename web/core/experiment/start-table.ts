/** The tables that a model began with. */
import type { DirectPathConfig, EncoderDecoderConfig, LabTrainer, Matrix, TransformerConfig } from '../types.js';
import { tableOf, type MeasuredPairs, type MeasuredText, type TableName } from './metric-kinds.js';

/** A model of the same seeds begins with the same weights, so that none need be kept while it trains. */
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
