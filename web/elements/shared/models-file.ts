/**
 * Files of trained models: safetensors with the weights of each model, its tensors named `<model>.<parameter>`, and their
 * tokenizer. The metadata may have the configuration of each model, and tensors of token ids may have a text to measure on.
 */
import type { Matrix, ModelConfig } from '../../core/types.js';
import { ModelsFileError } from './models-file-error.js';

interface TensorEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [begin: number, end: number];
}

export interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** The configuration of each model, by its name. */
export type ModelConfigs = Readonly<Record<string, ModelConfig>>;

/** A text as token ids: the part that models were trained on, and the part that they were not. */
export interface MeasuredText {
  readonly training: Uint32Array;
  readonly heldOut: Uint32Array;
}

export interface FileContent {
  /** Throws if there is no such tensor. */
  readonly tensor: (name: string) => Tensor;
  /** Null if the file does not say. */
  readonly configs: ModelConfigs | null;
  readonly text: MeasuredText | null;
}

/** The name of the tensor that holds the tokenizer's file. */
export const tokenizerTensor = 'tokenizer';
/** The names of the tensors of a text. */
export const textTensors = { training: 'text.training', heldOut: 'text.held_out' } as const satisfies Record<
  keyof MeasuredText,
  string
>;
/** The field of the metadata that holds the configurations, as JSON: safetensors has only strings there. */
export const configsField = 'models';

/** Fetches a file of at most `most` bytes. `onBytes` receives the number of bytes that have arrived. */
export async function fetchBytes(
  url: string,
  { most, signal, onBytes }: { most: number; signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new ModelsFileError(`the server answers ${String(response.status)}`);
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      length += part.value.length;
      if (length > most) {
        await reader?.cancel();
        throw new ModelsFileError('the file is larger than expected');
      }
      parts.push(part.value);
      onBytes(length);
    }
  } catch (error) {
    if (error instanceof ModelsFileError || signal.aborted) throw error;
    throw new ModelsFileError('the server cannot be reached');
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const largestFile = 64 * 2 ** 20;

/** Fetches a file of models. */
export const fetchModels = (
  url: string,
  listeners: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<Uint8Array> => fetchBytes(url, { most: largestFile, ...listeners });

/** Converts half precision to float32. */
function widened(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  return sign * (exponent === 0 ? fraction : (1024 + fraction) * (1 << (exponent - 1))) * 2 ** -24;
}

/** The content of a safetensors file; throws if it is not one. */
export function contentOf(bytes: Uint8Array): FileContent {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  const { __metadata__: about, ...entries } = JSON.parse(header) as Record<string, TensorEntry> & {
    __metadata__?: Readonly<Record<string, string>>;
  };
  const tensor = (name: string): Tensor => {
    const entry = entries[name];
    if (entry === undefined) throw new RangeError(`no tensor '${name}'`);
    const [begin, end] = entry.data_offsets;
    const { dtype, shape } = entry;
    return { dtype, shape, bytes: bytes.subarray(8 + length + begin, 8 + length + end) };
  };
  const configs = about?.[configsField];
  const ids = (name: string): Uint32Array => new Uint32Array(tensor(name).bytes.slice().buffer);
  return {
    tensor,
    configs: configs === undefined ? null : (JSON.parse(configs) as ModelConfigs),
    text:
      textTensors.training in entries
        ? { training: ids(textTensors.training), heldOut: ids(textTensors.heldOut) }
        : null,
  };
}

/** A tensor of single or half precision as a matrix; a vector becomes a row. */
export function matrixOf({ dtype, shape, bytes }: Tensor): Matrix {
  const [cols = 0, rows = 1] = [...shape].reverse();
  const { buffer } = bytes.slice();
  if (dtype === 'F32') return { rows, cols, data: new Float32Array(buffer) };
  if (dtype !== 'F16') throw new RangeError(`values of type '${dtype}'`);
  return { rows, cols, data: Float32Array.from(new Uint16Array(buffer), widened) };
}
