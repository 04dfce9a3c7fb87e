import type { Lab, LabCheckpoint, LabTokenizer, LabTrainer, ModelConfig } from '../../core/types.js';
import { codeOf } from '../shared/error-code.js';
import type { NamedBytes } from './checkpoint-files.js';

/** A model that the lab runs, with its facts. */
export interface RunningModel {
  readonly trainer: LabTrainer;
  readonly model: Readonly<ModelConfig>;
  /** Parameters of the input table, of a separate output table, and in total. */
  readonly table: number;
  readonly secondTable: number;
  readonly total: number;
  /** The asymmetry of the direct path, see `Symmetry.asymmetry`. */
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

/** With a tokenizer the model can generate text; rejects if the two do not fit. */
export async function runLlama2c(lab: Lab, model: NamedBytes, tokenizerFile: NamedBytes | null): Promise<RunningModel> {
  const tokenizer = tokenizerFile === null ? null : await lab.loadTokenizer(tokenizerFile.bytes, { format: 'llama2c' });
  try {
    const trainer = await lab.loadModel(model.bytes, {
      format: 'llama2c',
      ...(tokenizer === null ? {} : { tokenizer }),
    });
    return await describe(lab, trainer, tokenizer);
  } finally {
    tokenizer?.dispose();
  }
}

/** At eight bytes each, for weights and gradients: what a tab can spare for one figure. */
export const mostParameters = 5e7;
/** Error codes that explain why a checkpoint that opens may not run here. */
const doesNotRun: readonly unknown[] = [
  'unsupported',
  'invalid-argument',
  'bad-file',
  'shape-mismatch',
  'not-finite',
  'out-of-memory',
];

/** Why an open model does not run. */
export type WhyNot =
  | { readonly why: 'too-large'; readonly parameters: number }
  /**
   * It is at a URL, from which only the tables are read before the reader asks for the model, which has this many
   * bytes.
   */
  | { readonly why: 'not-asked'; readonly bytes: number }
  | { readonly why: 'refused'; readonly reason: string };

/**
 * Before the reader has asked for a model at a URL: it is offered unless its headers already say that it does not run.
 */
export function notAsked(checkpoint: Pick<LabCheckpoint, 'tensors' | 'obstacle'>): WhyNot {
  const { tensors } = checkpoint;
  const large = tooLarge(tensors);
  if (large !== null) return large;
  const reason = checkpoint.obstacle();
  if (reason !== null) return { why: 'refused', reason };
  return { why: 'not-asked', bytes: tensors.reduce((sum, tensor) => sum + tensor.bytes, 0) };
}

function tooLarge(tensors: LabCheckpoint['tensors']): WhyNot | null {
  const elements = tensors.map(({ shape }) => shape.reduce((product, size) => product * size, 1));
  const parameters = elements.reduce((sum, count) => sum + count, 0);
  return parameters > mostParameters ? { why: 'too-large', parameters } : null;
}

/** The model of a checkpoint, if it is small, has an architecture that runs, and states all of its settings. */
export async function runCheckpoint(
  lab: Lab,
  checkpoint: LabCheckpoint,
  signal: AbortSignal,
  onProgress: (share: number) => void = () => undefined,
): Promise<RunningModel | WhyNot> {
  const whyNot = tooLarge(checkpoint.tensors);
  if (whyNot !== null) return whyNot;
  try {
    const trainer = await checkpoint.toTrainer({ signal, onProgress });
    const tokenizer = await trainer.tokenizer();
    const running = await describe(lab, trainer, tokenizer);
    tokenizer?.dispose();
    return running;
  } catch (error) {
    if (doesNotRun.includes(codeOf(error))) return { why: 'refused', reason: (error as Error).message };
    throw error;
  }
}

/** Collects the facts about a model. Disposes of the model on failure. */
export async function describe(lab: Lab, trainer: LabTrainer, tokenizer: LabTokenizer | null): Promise<RunningModel> {
  try {
    const parameters = await trainer.parameters();
    const countOf = (wanted: string): number => parameters.find((parameter) => parameter.name === wanted)?.count ?? 0;
    const secondTable = countOf('unembedding');
    const embedding = await trainer.matrix('embedding');
    const { asymmetry } = await lab.directPathSymmetry(
      secondTable === 0 ? { embedding } : { embedding, unembedding: await trainer.matrix('unembedding') },
    );
    return {
      trainer,
      model: trainer.model,
      table: countOf('embedding'),
      secondTable,
      total: parameters.reduce((sum, { count }) => sum + count, 0),
      asymmetry,
      canWrite: tokenizer !== null,
    };
  } catch (error) {
    trainer.dispose();
    throw error;
  }
}
