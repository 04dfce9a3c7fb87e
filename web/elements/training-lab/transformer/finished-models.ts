/** The models of a finished run: fetches and opens their file when the reader wants a sample from them. */
import type { Lab, LabTrainer, Matrix } from '../../../core/types.js';
import { readableText, type TokenNames } from '../../shared/token-names.js';
import { ModelsFileError, type FinishedTransformerRun, type ModelsFile } from './finished-run.js';
import { transformerConfig } from './settings.js';
import type { Writers } from './samples.js';

export interface FinishedModels extends Writers {
  dispose: () => void;
}

interface TensorEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [begin: number, end: number];
}

const otherFile = 'the file does not belong to this run';

/** The name of the tensor that holds the tokenizer's file. */
export const tokenizerTensor = 'tokenizer';

/** Fetches `file`. `onBytes` receives the number of bytes that have arrived. */
export async function fetchModels(
  file: ModelsFile,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.bytes);
  let length = 0;
  try {
    const response = await fetch(file.url, { signal });
    if (!response.ok) throw new ModelsFileError(`the server answers ${String(response.status)}`);
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      if (length + part.value.length <= bytes.length) bytes.set(part.value, length);
      length += part.value.length;
      onBytes(length);
    }
  } catch (error) {
    if (error instanceof ModelsFileError || signal.aborted) throw error;
    throw new ModelsFileError('the server cannot be reached');
  }
  if (length !== bytes.length) throw new ModelsFileError(otherFile);
  return bytes;
}

/** Converts half precision to float32. */
function widened(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** The tensors of a safetensors file, by name. */
function tensorsOf(bytes: Uint8Array): (name: string) => { shape: readonly number[]; bytes: Uint8Array } {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  const entries = JSON.parse(header) as Record<string, TensorEntry>;
  return (name) => {
    const entry = entries[name];
    if (entry === undefined) throw new RangeError(`no tensor '${name}'`);
    const [begin, end] = entry.data_offsets;
    return { shape: entry.shape, bytes: bytes.subarray(8 + length + begin, 8 + length + end) };
  };
}

function matrixOf({ shape, bytes }: { shape: readonly number[]; bytes: Uint8Array }): Matrix {
  const [cols = 0, rows = 1] = [...shape].reverse();
  const halves = new Uint16Array(bytes.slice().buffer);
  return { rows, cols, data: Float32Array.from(halves, widened) };
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
