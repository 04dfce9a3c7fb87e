import type { LabComparison, LabCorpus } from '../../core/types.js';
import { tokenizerTensor } from '../../elements/shared/models-file.js';

/** The nearest half-precision number, in its 16 bits; ties go to the even one. */
function halfOf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (!(size < 65520)) throw new RangeError(`${String(value)} has no half-precision number.`);
  // The smallest normal number is 2 ** -14: those below it are evenly spaced.
  const exponent = Math.max(-14, Math.floor(Math.log2(size || 1e-9)));
  const quotient = size * 2 ** (10 - exponent);
  const floor = Math.floor(quotient);
  const rest = quotient - floor;
  const rounded = floor + (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? 1 : 0);
  // Rounding up to the next power of two carries into the exponent by itself.
  return sign + (exponent + 14) * 1024 + rounded;
}

interface Tensor {
  readonly name: string;
  readonly dtype: 'F16' | 'U8';
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

async function tensorsOf(comparison: LabComparison, kind: string): Promise<Tensor[]> {
  const model = comparison.arm(kind);
  const tensors: Tensor[] = [];
  for (const { name, shape, count } of await model.parameters()) {
    if (count === 0) continue;
    const { data } = await model.matrix(name);
    const bytes = new Uint8Array(Uint16Array.from(data, halfOf).buffer);
    tensors.push({ name: `${kind}.${name}`, dtype: 'F16', shape, bytes });
  }
  return tensors;
}

/** The weights of a comparison's models in half precision, and their tokenizer, as a safetensors file. */
export async function finishedModelsFile(
  comparison: LabComparison,
  { tokenizer }: LabCorpus,
  kinds: readonly string[],
  about: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  if (tokenizer === null) throw new Error('The corpus has no tokenizer.');
  const saved = await tokenizer.save();
  const tensors = [
    ...(await Promise.all(kinds.map((kind) => tensorsOf(comparison, kind)))).flat(),
    { name: tokenizerTensor, dtype: 'U8', shape: [saved.length], bytes: saved } satisfies Tensor,
  ];
  let end = 0;
  const entries = tensors.map(({ name, dtype, shape, bytes }) => {
    const begin = end;
    end += bytes.length;
    return [name, { dtype, shape, data_offsets: [begin, end] }] as const;
  });
  const json = JSON.stringify({ __metadata__: about, ...Object.fromEntries(entries) });
  // Spaces fill the header, so that the tensors begin at a multiple of eight.
  const header = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8));
  const file = new Uint8Array(8 + header.length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  tensors.forEach(({ bytes }, index) => {
    file.set(bytes, 8 + header.length + (entries[index]?.[1].data_offsets[0] ?? 0));
  });
  return file;
}
