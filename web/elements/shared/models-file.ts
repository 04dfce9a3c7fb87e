/** Files of trained models: safetensors with weights in half precision, and a tokenizer. */
import type { Matrix } from '../../core/types.js';
import { ModelsFileError } from './models-file-error.js';

interface TensorEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [begin: number, end: number];
}

export interface Tensor {
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** The name of the tensor that holds the tokenizer's file. */
export const tokenizerTensor = 'tokenizer';

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

/** Converts half precision to float32. */
function widened(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** The tensors of a safetensors file, by name. */
export function tensorsOf(bytes: Uint8Array): (name: string) => Tensor {
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

export function matrixOf({ shape, bytes }: Tensor): Matrix {
  const [cols = 0, rows = 1] = [...shape].reverse();
  const halves = new Uint16Array(bytes.slice().buffer);
  return { rows, cols, data: Float32Array.from(halves, widened) };
}
