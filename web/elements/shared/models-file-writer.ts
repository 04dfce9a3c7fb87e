/** Writes files of trained models. */
import { halfBits } from '../../core/runtime/half.js';
import type { LabArm, LabTokenizer } from '../../core/types.js';
import { configsField, textTensors, tokenizerTensor, type MeasuredText } from './models-file.js';

/** The bits of the nearest half-precision number. */
function halfOf(value: number): number {
  if (!(Math.abs(value) < 65520)) throw new RangeError(`${String(value)} has no half-precision number.`);
  return halfBits(value);
}

interface NamedTensor {
  readonly name: string;
  readonly dtype: 'F32' | 'F16' | 'U32' | 'U8';
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Of the weights; they are trained in single precision. */
export type Precision = 'F32' | 'F16';

export interface WrittenModels {
  /** The models by name; none of them may be trained meanwhile. */
  readonly models: Readonly<Record<string, LabArm>>;
  readonly tokenizer: LabTokenizer;
  readonly precision: Precision;
  /** The text to measure the models on. */
  readonly text?: MeasuredText;
  /** Metadata: where the file came from. */
  readonly about?: Readonly<Record<string, string>>;
}

async function tensorsOf(kind: string, model: LabArm, precision: Precision): Promise<NamedTensor[]> {
  const tensors: NamedTensor[] = [];
  for (const { name, shape, count } of await model.parameters()) {
    if (count === 0) continue;
    const { data } = await model.matrix(name);
    const values = precision === 'F32' ? data : Uint16Array.from(data, halfOf);
    tensors.push({ name: `${kind}.${name}`, dtype: precision, shape, bytes: bytesOf(values) });
  }
  return tensors;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The weights and configurations of models, their tokenizer, and a text to measure them on, as a safetensors file. */
export async function writeModelsFile(written: WrittenModels): Promise<Uint8Array> {
  const { models, tokenizer, precision, text, about = {} } = written;
  const saved = await tokenizer.save();
  const named = Object.entries(models);
  const weights = await Promise.all(named.map(([kind, model]) => tensorsOf(kind, model, precision)));
  const ids = Object.entries(text ?? {}).map(([part, values]: [string, Uint32Array]): NamedTensor => ({
    name: textTensors[part as keyof MeasuredText],
    dtype: 'U32',
    shape: [values.length],
    bytes: bytesOf(values),
  }));
  // The tokenizer is last, so all other tensors begin at a multiple of their element size.
  const tensors = [
    ...weights.flat(),
    ...ids,
    { name: tokenizerTensor, dtype: 'U8', shape: [saved.length], bytes: saved } satisfies NamedTensor,
  ];
  const configs = JSON.stringify(Object.fromEntries(named.map(([kind, { model }]) => [kind, model])));
  return safetensors(tensors, { ...about, [configsField]: configs });
}

function safetensors(tensors: readonly NamedTensor[], about: Readonly<Record<string, string>>): Uint8Array {
  let end = 0;
  const entries = tensors.map(({ name, dtype, shape, bytes }) => {
    const begin = end;
    end += bytes.length;
    return [name, { dtype, shape, data_offsets: [begin, end] }] as const;
  });
  const json = new TextEncoder().encode(JSON.stringify({ __metadata__: about, ...Object.fromEntries(entries) }));
  // Spaces pad the header, so the tensors begin at a multiple of eight.
  const header = new Uint8Array(Math.ceil(json.length / 8) * 8).fill(0x20);
  header.set(json);
  const file = new Uint8Array(8 + header.length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  tensors.forEach(({ bytes }, index) =>
    file.set(bytes, 8 + header.length + (entries[index]?.[1].data_offsets[0] ?? 0)),
  );
  return file;
}
