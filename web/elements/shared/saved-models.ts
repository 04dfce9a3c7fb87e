/** Opens the models of a trained-models file as trainers of a lab. */
import type { Lab, LabTokenizer, LabTrainer, Matrix, ModelConfig } from '../../core/types.js';
import { codeOf } from './error-code.js';
import { ModelsFileError } from './models-file-error.js';
import { contentOf, tokenizerTensor, type FileContent } from './models-file.js';
import { unrecorded } from './page-labs.js';

export interface SavedModel {
  readonly model: ModelConfig;
  /** The values of a parameter; null keeps its initial values. */
  readonly weights: (name: string) => Matrix | null;
  /** Of the initial values. Default 0. */
  readonly seed?: number;
}

export interface OpenedModels {
  readonly content: FileContent;
  readonly tokenizer: LabTokenizer;
  readonly trainers: readonly LabTrainer[];
  dispose: () => void;
}

/** The lab failed, or has only recorded answers, independently of the file. */
function isOfLab(error: unknown): boolean {
  if (error === unrecorded) return true;
  const code = codeOf(error);
  return code === 'stopped' || code === 'disposed' || code === 'cancelled' || code === 'out-of-memory';
}

/**
 * Opens the tokenizer of a file and the models that `models` finds in its content. `otherFile` completes the error
 * message if the file does not have them.
 */
export async function openModels(
  lab: Lab,
  bytes: Uint8Array,
  models: (content: FileContent) => readonly SavedModel[],
  otherFile: string,
): Promise<OpenedModels> {
  const opened: { dispose: () => void }[] = [];
  const dispose = (): void => {
    for (const handle of opened.splice(0)) handle.dispose();
  };
  try {
    const content = contentOf(bytes);
    const wanted = models(content);
    const tokenizer = await lab.loadTokenizer(content.tensor(tokenizerTensor).bytes, { format: 'tied-embeddings' });
    opened.push(tokenizer);
    const trainers: LabTrainer[] = [];
    for (const { model, weights, seed = 0 } of wanted) {
      const trainer = await lab.createTrainer({
        model,
        // Nothing is trained: the simplest optimizer and one sequence suffice.
        training: { optimizer: 'sgd', learningRate: 1, batchSize: 1, seed },
        tokenIds: new Uint32Array((('contextLength' in model ? model.contextLength : null) ?? 1) + 1),
        ...(model.vocabSize === tokenizer.vocabSize ? { tokenizer } : {}),
      });
      opened.push(trainer);
      trainers.push(trainer);
      for (const { name, count } of await trainer.parameters()) {
        const values = count > 0 ? weights(name) : null;
        if (values !== null) await trainer.setMatrix(name, values);
      }
    }
    return { content, tokenizer, trainers, dispose };
  } catch (error) {
    dispose();
    throw isOfLab(error) ? error : new ModelsFileError(otherFile);
  }
}

/** What saved models were trained on, if their file says so. */
export async function textOfModels(lab: Lab, bytes: Uint8Array): Promise<string> {
  const { content, tokenizer, dispose } = await openModels(lab, bytes, () => [], '');
  try {
    return content.text === null ? '' : await tokenizer.decode(content.text.training);
  } finally {
    dispose();
  }
}
