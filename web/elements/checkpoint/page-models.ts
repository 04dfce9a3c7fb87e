import type { Lab, LabCheckpoint, LabTokenizer } from '../../core/types.js';
import { twinConfigs, type TwinKind } from '../shared/model-twins.js';
import { fetchModels, matrixOf } from '../shared/models-file.js';
import { openModels } from '../shared/saved-models.js';
import type { Listening } from './listening.js';
import { describe, type RunningModel } from './running-model.js';

/** The names of each model's tables. */
const tablesOf: Readonly<Record<TwinKind, { readonly input: string; readonly output: string }>> = {
  tied: { input: 'tied.embedding', output: 'tied.embedding' },
  untied: { input: 'untied.embedding', output: 'untied.unembedding' },
};

let fetched: { readonly url: string; readonly bytes: Uint8Array } | null = null;

/** The file with both models, fetched once. */
async function fileAt(url: string, { signal, onBytes }: Listening): Promise<Uint8Array> {
  if (fetched?.url === url) return fetched.bytes;
  const bytes = await fetchModels(url, { signal, onBytes: (count) => onBytes(count, null) });
  fetched = { url, bytes };
  return bytes;
}

/** One model of the page's file, as a checkpoint and as a running model. */
export async function openPageModel(
  lab: Lab,
  { url, model }: { readonly url: string; readonly model: TwinKind },
  listening: Listening,
): Promise<{ checkpoint: LabCheckpoint; running: RunningModel }> {
  const bytes = await fileAt(new URL(url, document.baseURI).href, listening);
  const { trainers, tokenizer, dispose } = await openModels(
    lab,
    bytes,
    (content) => [
      { model: twinConfigs(content)[model], weights: (name) => matrixOf(content.tensor(`${model}.${name}`)) },
    ],
    'it is no file of a tied and an untied model',
  );
  try {
    const running = await describe(lab, trainers[0]!, tokenizer);
    const checkpoint = await lab.openCheckpoint(filesOf(bytes, tokenizer), {
      tables: tablesOf[model],
      signal: listening.signal,
    });
    return { checkpoint, running };
  } catch (error) {
    dispose();
    throw error;
  } finally {
    tokenizer.dispose();
  }
}

const filesOf = (bytes: Uint8Array, { tokens }: LabTokenizer): File[] => [
  new File([bytes as Uint8Array<ArrayBuffer>], 'models.safetensors'),
  new File([JSON.stringify(tokens)], 'vocab.json'),
];
