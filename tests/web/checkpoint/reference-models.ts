/** Small models of GPT-2's and Llama's architecture, whose files and logits numpy made in double precision (tests/reference/checkpoint_models.py). */
import { readFileSync } from 'node:fs';
import { fileOf, utf8 } from './checkpoint-files.js';

export interface ReferenceModel {
  config: Record<string, unknown>;
  safetensors: string;
  gguf: string;
  logits: number[][];
}
interface Reference {
  ids: number[];
  gpt2: ReferenceModel;
  llama: ReferenceModel;
}
const text = readFileSync(new URL('../../reference/checkpoint_models.json', import.meta.url), 'utf8');
export const reference = JSON.parse(text) as Reference;
export const ids = Uint32Array.from(reference.ids);
export const bytesOf = (coded: string): Uint8Array => new Uint8Array(Buffer.from(coded, 'base64'));
export const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

export const filesOf = (
  model: ReferenceModel,
  config: Record<string, unknown> = model.config,
  bytes = bytesOf(model.safetensors),
): File[] => [fileOf('model.safetensors', bytes), fileOf('config.json', json(config))];

/** The largest difference of logits, which are below 4 for the models here. */
export function difference({ data, cols }: { data: Float32Array; cols: number }, logits: number[][]): number {
  return Math.max(...logits.flatMap((row, i) => row.map((logit, token) => Math.abs(data[i * cols + token]! - logit))));
}
// Sums of up to 24 products in single precision, over two layers.
export const CLOSE = 2e-5;

/** The tensors of a file as its header describes them. */
export function storedTensors(bytes: Uint8Array): Record<string, { shape: number[]; data: Uint8Array; dtype: string }> {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as Record<
    string,
    { dtype: string; shape: number[]; data_offsets: [number, number] }
  >;
  delete header['__metadata__'];
  return Object.fromEntries(
    Object.entries(header).map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from, to],
        },
      ]) => [name, { dtype, shape, data: bytes.slice(8 + length + from, 8 + length + to) }],
    ),
  );
}
