/** The models of a finished run. Their file is fetched and opened when the reader wants a sample from them. */
import type { Lab } from '../../../core/types.js';
import { ModelsFileError } from '../../shared/models-file-error.js';
import { fetchBytes, matrixOf } from '../../shared/models-file.js';
import { openModels as openSaved } from '../../shared/saved-models.js';
import { readableText, type TokenNames } from '../../shared/token-names.js';
import { encodeKnown } from '../../shared/unknown-words.js';
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

/** Opens the models of `run` in the lab, from the bytes of its file. */
export async function openModels(
  lab: Lab,
  run: FinishedTransformerRun,
  bytes: Uint8Array,
  names: TokenNames,
): Promise<FinishedModels> {
  const { settings, text } = run;
  const { tokenizer, trainers, dispose } = await openSaved(
    lab,
    bytes,
    ({ tensor }) =>
      settings.arms.map((kind) => ({
        model: { ...transformerConfig(settings, kind), vocabSize: text.vocabSize },
        weights: (name) => matrixOf(tensor(`${kind}.${name}`)),
        seed: settings.seed,
      })),
    otherFile,
  );
  return {
    step: settings.steps,
    models: trainers,
    encode: (prompt) => encodeKnown(tokenizer, prompt),
    spell: (_, written) => readableText(tokenizer.kind, written ?? '', names),
    dispose,
  };
}
