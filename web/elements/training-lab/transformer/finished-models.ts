/** The models of a finished run: fetches and opens their file when the reader wants a sample from them. */
import type { Lab, LabTrainer } from '../../../core/types.js';
import { ModelsFileError } from '../../shared/models-file-error.js';
import { fetchBytes, matrixOf, tensorsOf, tokenizerTensor } from '../../shared/models-file.js';
import { readableText, type TokenNames } from '../../shared/token-names.js';
import type { FinishedTransformerRun, ModelsFile } from './finished-run.js';
import { transformerConfig } from './settings.js';
import type { Writers } from './samples.js';

export interface FinishedModels extends Writers {
  dispose: () => void;
}

const otherFile = 'the file does not belong to this run';

/** Fetches `file`. `onBytes` receives the number of bytes that have arrived. */
export async function fetchModels(
  file: ModelsFile,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<Uint8Array> {
  const bytes = await fetchBytes(file.url, { most: file.bytes, signal, onBytes });
  if (bytes.length !== file.bytes) throw new ModelsFileError(otherFile);
  return bytes;
}

/** The lab failed, independently of the file. */
function isOfLab(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'stopped' || code === 'disposed' || code === 'cancelled' || code === 'out-of-memory';
}

/** Opens the models of `run` in the lab, from the bytes of its file. */
export async function openModels(
  lab: Lab,
  run: FinishedTransformerRun,
  bytes: Uint8Array,
  names: TokenNames,
): Promise<FinishedModels> {
  const { settings, text } = run;
  const opened: { dispose: () => void }[] = [];
  const dispose = (): void => {
    for (const handle of opened.splice(0)) handle.dispose();
  };
  try {
    const tensor = tensorsOf(bytes);
    const tokenizer = await lab.loadTokenizer(tensor(tokenizerTensor).bytes, { format: 'tied-embeddings' });
    opened.push(tokenizer);
    const models: LabTrainer[] = [];
    for (const kind of settings.arms) {
      const model = await lab.createTrainer({
        model: { ...transformerConfig(settings, kind), vocabSize: text.vocabSize },
        // It only generates: the simplest optimizer and one sequence suffice.
        training: { optimizer: 'sgd', learningRate: 1, batchSize: 1, seed: settings.seed },
        tokenIds: new Uint32Array(settings.contextLength + 1),
        tokenizer,
      });
      opened.push(model);
      models.push(model);
      for (const { name, count } of await model.parameters()) {
        if (count > 0) await model.setMatrix(name, matrixOf(tensor(`${kind}.${name}`)));
      }
    }
    return {
      step: settings.steps,
      models,
      encode: (prompt) => tokenizer.encode(prompt),
      spell: (_, written) => readableText(tokenizer.kind, written ?? '', names),
      dispose,
    };
  } catch (error) {
    dispose();
    throw isOfLab(error) ? error : new ModelsFileError(otherFile);
  }
}
