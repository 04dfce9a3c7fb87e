import type { Lab, LabTrainer, ModelConfig } from '../../core/types.js';
import type { NamedBytes } from './checkpoint-files.js';

/** A model opened in the lab, with its facts. */
export interface OpenedCheckpoint {
  readonly name: string;
  readonly trainer: LabTrainer;
  readonly model: Readonly<ModelConfig>;
  readonly tied: boolean;
  /** Parameters of the input table, of a separate output table, and in total. */
  readonly table: number;
  readonly secondTable: number;
  readonly total: number;
  /** Of the direct path, see `Symmetry.asymmetry`. */
  readonly asymmetry: number;
  readonly canWrite: boolean;
}

/** Number of tokens in the tokenizer file. */
export async function tokenCount(lab: Lab, file: NamedBytes): Promise<number> {
  const tokenizer = await lab.loadTokenizer(file.bytes, { format: 'llama2c' });
  try {
    return tokenizer.vocabSize;
  } finally {
    tokenizer.dispose();
  }
}

/** With a tokenizer the model can generate text; rejects where the two do not fit. */
export async function openCheckpoint(
  lab: Lab,
  model: NamedBytes,
  tokenizerFile: NamedBytes | null,
): Promise<OpenedCheckpoint> {
  const tokenizer = tokenizerFile === null ? null : await lab.loadTokenizer(tokenizerFile.bytes, { format: 'llama2c' });
  try {
    const trainer = await lab.loadModel(model.bytes, {
      format: 'llama2c',
      ...(tokenizer === null ? {} : { tokenizer }),
    });
    return await describe(lab, model.name, trainer, tokenizer !== null);
  } finally {
    tokenizer?.dispose();
  }
}

async function describe(lab: Lab, name: string, trainer: LabTrainer, canWrite: boolean): Promise<OpenedCheckpoint> {
  try {
    const parameters = await trainer.parameters();
    const countOf = (wanted: string): number => parameters.find((parameter) => parameter.name === wanted)?.count ?? 0;
    const secondTable = countOf('unembedding');
    const embedding = await trainer.matrix('embedding');
    const { asymmetry } = await lab.directPathSymmetry(
      secondTable === 0 ? { embedding } : { embedding, unembedding: await trainer.matrix('unembedding') },
    );
    return {
      name,
      trainer,
      model: trainer.model,
      tied: secondTable === 0,
      table: countOf('embedding'),
      secondTable,
      total: parameters.reduce((sum, { count }) => sum + count, 0),
      asymmetry,
      canWrite,
    };
  } catch (error) {
    trainer.dispose();
    throw error;
  }
}
