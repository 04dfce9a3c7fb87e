/** The element types that files may have, whether decoded here or not, under the names that safetensors and GGUF use. */
import { ELEMENT_TYPES, type ElementBlock, type ElementType } from './element-types.js';

export const isDecoded = (dtype: string): dtype is ElementType => (ELEMENT_TYPES as readonly string[]).includes(dtype);

export const isOfIntegers = (dtype: string): boolean => /^(?:[IU]\d+|BOOL)$/.test(dtype);

const plain = (bytes: number): ElementBlock => ({ elements: 1, bytes });

/** Types of safetensors: all that its reference reader knows. Types smaller than a byte come in whole bytes only. */
export const SAFETENSORS_TYPES: ReadonlyMap<string, ElementBlock> = new Map(
  Object.entries({
    F64: plain(8),
    F32: plain(4),
    F16: plain(2),
    BF16: plain(2),
    F8_E4M3: plain(1),
    F8_E5M2: plain(1),
    F8_E4M3FNUZ: plain(1),
    F8_E5M2FNUZ: plain(1),
    F8_E8M0: plain(1),
    C64: plain(8),
    I64: plain(8),
    I32: plain(4),
    I16: plain(2),
    I8: plain(1),
    U64: plain(8),
    U32: plain(4),
    U16: plain(2),
    U8: plain(1),
    BOOL: plain(1),
    F6_E2M3: { elements: 4, bytes: 3 },
    F6_E3M2: { elements: 4, bytes: 3 },
    F4: { elements: 2, bytes: 1 },
  }),
);

/** Types of GGUF: number, name, elements per block and bytes per block, as in ggml.h; removed types are gaps. */
const GGUF_ROWS = [
  [0, 'F32', 1, 4],
  [1, 'F16', 1, 2],
  [2, 'Q4_0', 32, 18],
  [3, 'Q4_1', 32, 20],
  [6, 'Q5_0', 32, 22],
  [7, 'Q5_1', 32, 24],
  [8, 'Q8_0', 32, 34],
  [9, 'Q8_1', 32, 36],
  [10, 'Q2_K', 256, 84],
  [11, 'Q3_K', 256, 110],
  [12, 'Q4_K', 256, 144],
  [13, 'Q5_K', 256, 176],
  [14, 'Q6_K', 256, 210],
  [15, 'Q8_K', 256, 292],
  [16, 'IQ2_XXS', 256, 66],
  [17, 'IQ2_XS', 256, 74],
  [18, 'IQ3_XXS', 256, 98],
  [19, 'IQ1_S', 256, 50],
  [20, 'IQ4_NL', 32, 18],
  [21, 'IQ3_S', 256, 110],
  [22, 'IQ2_S', 256, 82],
  [23, 'IQ4_XS', 256, 136],
  [24, 'I8', 1, 1],
  [25, 'I16', 1, 2],
  [26, 'I32', 1, 4],
  [27, 'I64', 1, 8],
  [28, 'F64', 1, 8],
  [29, 'IQ1_M', 256, 56],
  [30, 'BF16', 1, 2],
  [34, 'TQ1_0', 256, 54],
  [35, 'TQ2_0', 256, 66],
  [39, 'MXFP4', 32, 17],
  [40, 'NVFP4', 64, 36],
  [41, 'Q1_0', 128, 18],
  [42, 'Q2_0', 64, 18],
] as const;

export const GGUF_TYPES: ReadonlyMap<number, readonly [name: string, block: ElementBlock]> = new Map(
  GGUF_ROWS.map(([id, name, elements, bytes]) => [id, [name, { elements, bytes }]]),
);

/** What GGUF tensors of a type that is not known here are called. */
export const unknownGgufType = (id: number): string => `type ${id}`;

/** In a sentence: the type Q4_K, the type 43. */
export const typeInWords = (dtype: string): string =>
  /^(?:packed|stored) /.test(dtype) ? `numbers ${dtype}` : `the type ${dtype.replace(/^type /, '').slice(0, 40)}`;

const KNOWN: ReadonlySet<string> = new Set([
  ...SAFETENSORS_TYPES.keys(),
  ...[...GGUF_TYPES.values()].map(([name]) => name),
]);

/** A note about tensors whose type, and so whose size, is not known here. */
export function noteOfUnknownTypes(
  file: string,
  tensors: Iterable<{ readonly name: string; readonly dtype: string }>,
): string[] {
  const unknown: { readonly name: string; readonly dtype: string }[] = [];
  for (const tensor of tensors) if (!KNOWN.has(tensor.dtype)) unknown.push(tensor);
  const [first] = unknown;
  if (first === undefined) return [];
  const others = unknown.length === 1 ? '' : ` and ${unknown.length - 1} more`;
  const types = [...new Set(unknown.map(({ dtype }) => typeInWords(dtype).replace(/^the type /, '')))];
  const named = types.length > 4 ? `${types.slice(0, 4).join(', ')} and others` : types.join(', ');
  return [
    `${file}: '${first.name.slice(0, 120)}'${others} ${unknown.length === 1 ? 'is' : 'are'} of a type not known here (${named}): whether the file has all of ${unknown.length === 1 ? 'its' : 'their'} bytes was not checked.`,
  ];
}

/** Bytes that the elements take; null if they do not fill whole blocks, or if a number cannot hold the bytes exactly. */
export function bytesOf(elements: number, { elements: each, bytes }: ElementBlock): number | null {
  if (elements % each !== 0) return null;
  const all = (elements / each) * bytes;
  return Number.isSafeInteger(all) ? all : null;
}

/** Number of elements of a shape; null if a double cannot hold it exactly. */
export function elementsOf(shape: readonly number[]): number | null {
  let product = 1;
  for (const size of shape) {
    product *= size;
    if (!Number.isSafeInteger(product)) return null;
  }
  return product;
}
