/** The trainer of a job: on its data, and moved to its second text. */
import type { ExperimentJob } from './types.js';
import type { EncoderDecoderConfig, LabTrainer, ModelConfig, TrainingConfig } from '../types.js';
import type { ExperimentHost } from './metric-kinds.js';
import type { Opened, OpenedText } from './read-text.js';

export async function createTrainer(
  host: ExperimentHost,
  { model, training, seed }: ExperimentJob,
  text: Opened,
): Promise<LabTrainer> {
  const options = Object.fromEntries(Object.entries(training).filter(([name]) => name !== 'steps'));
  const config = {
    model: { ...model, vocabSize: text.vocabSize } as ModelConfig,
    training: { ...options, seed } as unknown as TrainingConfig,
  };
  if (text.reads === 'pairs') {
    return host.createTrainer({
      model: { ...text.lengths, ...config.model } as EncoderDecoderConfig,
      training: config.training,
      pairs: text.training,
      ...(text.heldOut.source.length === 0 ? {} : { validationPairs: text.heldOut }),
      tokenizer: text.tokenizer,
    });
  }
  if (config.model.kind === 'direct-path' && options['batchSize'] === undefined) {
    return host.createTrainer({ ...config, bigramCounts: await text.pairs() });
  }
  const heldOut = text.heldOut.length < 2 ? {} : { validationTokenIds: text.heldOut };
  // With a tokenizer, losses are also given in bits per byte.
  const { tokenizer } = text;
  return host.createTrainer({
    ...config,
    tokenIds: text.training,
    ...heldOut,
    ...(tokenizer === null ? {} : { tokenizer }),
  });
}

/**
 * The model in a new trainer on the second text, whose step 0 it is: its optimizer has no moments yet, and drift is measured from here. Disposes
 * of the old one.
 */
export async function moved(
  host: ExperimentHost,
  { then, ...job }: ExperimentJob,
  text: OpenedText,
  trainer: LabTrainer,
): Promise<LabTrainer> {
  const next = await createTrainer(host, { ...job, training: { ...job.training, ...then!.training } }, text.next!);
  try {
    for (const { name, tiedTo } of await trainer.parameters()) {
      if (tiedTo === null) await next.setMatrix(name, await trainer.matrix(name));
    }
  } catch (error) {
    next.dispose();
    throw error;
  }
  trainer.dispose();
  return next;
}
