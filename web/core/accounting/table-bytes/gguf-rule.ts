/**
 * Which types llama.cpp's quantizer gives the two token tables of a GGUF file. A table that also writes gets the type of an output
 * table, with more bits than an input table of its own, so tying saves less than half of the bytes.
 *
 * From ggml-org/llama.cpp, src/llama-quant.cpp (007dbbf, llama_tensor_get_type_impl and the fallbacks before it), with the default
 * options; the tests hold it to the files that llama.cpp v0.5.0 wrote.
 */
import { GGUF_TYPES } from '../../checkpoint/elements/stored-types.js';
import type { ElementBlock } from '../../checkpoint/elements/element-types.js';

/** The type that most matrices of a file get, by the name of its kind (`general.file_type`). */
const BASE_TYPES = {
  ...{ F32: 'F32', F16: 'F16', BF16: 'BF16', Q8_0: 'Q8_0', Q6_K: 'Q6_K', MXFP4_MOE: 'MXFP4' },
  ...{ Q5_K_M: 'Q5_K', Q5_K_S: 'Q5_K', Q5_1: 'Q5_1', Q5_0: 'Q5_0' },
  ...{ Q4_K_M: 'Q4_K', Q4_K_S: 'Q4_K', Q4_1: 'Q4_1', Q4_0: 'Q4_0', IQ4_NL: 'IQ4_NL', IQ4_XS: 'IQ4_XS' },
  ...{ Q3_K_L: 'Q3_K', Q3_K_M: 'Q3_K', Q3_K_S: 'Q3_K' },
  ...{ IQ3_M: 'IQ3_S', IQ3_S: 'IQ3_S', IQ3_XS: 'IQ3_S', IQ3_XXS: 'IQ3_XXS' },
  ...{ Q2_K: 'Q2_K', Q2_K_S: 'Q2_K', IQ2_M: 'IQ2_S', IQ2_S: 'IQ2_XS', IQ2_XS: 'IQ2_XS', IQ2_XXS: 'IQ2_XXS' },
  ...{ IQ1_M: 'IQ1_M', IQ1_S: 'IQ1_S', TQ2_0: 'TQ2_0', TQ1_0: 'TQ1_0', Q2_0: 'Q2_0', Q1_0: 'Q1_0' },
} as const;

export type GgufFileType = keyof typeof BASE_TYPES;

export const GGUF_FILE_TYPES = Object.keys(BASE_TYPES) as readonly GgufFileType[];

/** An output table of these files has fewer bits than Q6_K. */
const SMALL_OUTPUTS: readonly string[] = ['IQ1_S', 'IQ1_M', 'IQ2_XXS', 'IQ2_XS', 'IQ2_S', 'IQ2_M', 'IQ3_XXS'];

/** Input tables of their own that do not get the type of the other matrices. */
const INPUTS: Readonly<Record<string, string>> = {
  ...{ IQ1_S: 'Q2_K', IQ1_M: 'Q2_K', IQ2_XXS: 'Q2_K', IQ2_XS: 'Q2_K' },
  ...{ IQ2_S: 'IQ3_S', IQ2_M: 'IQ3_S', IQ3_XXS: 'IQ3_S' },
  ...{ TQ1_0: 'Q4_K', TQ2_0: 'Q4_K', Q2_0: 'Q4_K' },
};

/** What replaces a type whose blocks do not divide a row. Without an entry, as where these do not divide it either: F16. */
const FALLBACKS: Readonly<Record<string, string>> = {
  ...{ IQ1_S: 'IQ4_NL', IQ1_M: 'IQ4_NL', IQ2_XXS: 'IQ4_NL', IQ2_XS: 'IQ4_NL', IQ2_S: 'IQ4_NL' },
  ...{ IQ3_XXS: 'IQ4_NL', IQ3_S: 'IQ4_NL', IQ4_XS: 'IQ4_NL' },
  ...{ Q2_0: 'Q4_0', Q2_K: 'Q4_0', Q3_K: 'Q4_0', TQ1_0: 'Q4_0', TQ2_0: 'Q4_0' },
  ...{ Q4_K: 'Q5_0', Q5_K: 'Q5_1', Q6_K: 'Q8_0' },
};

const BLOCKS: ReadonlyMap<string, ElementBlock> = new Map(GGUF_TYPES.values());

const divides = (type: string, width: number): boolean => width % BLOCKS.get(type)!.elements === 0;

function fitted(type: string, width: number): string {
  if (divides(type, width)) return type;
  const instead = FALLBACKS[type];
  return instead !== undefined && divides(instead, width) ? instead : 'F16';
}

/** Of one table for both roles, `input` is that of the shared table, and `output` is null. */
export interface TableTypes {
  readonly input: string;
  readonly output: string | null;
}

/** Null if llama.cpp writes no such file: nothing replaces Q1_0 where its blocks do not divide a row. */
export function ggufTableTypes(fileType: GgufFileType, width: number, isShared: boolean): TableTypes | null {
  const base = BASE_TYPES[fileType];
  if (base === 'Q1_0' && !divides(base, width)) return null;
  const output = outputType(fileType, base, width);
  return isShared ? { input: output, output: null } : { input: inputType(fileType, base, width), output };
}

function outputType(fileType: GgufFileType, base: string, width: number): string {
  if (isFloat(base)) return base;
  if (base === 'Q8_0' || base === 'MXFP4' || !divides(base, width)) return fitted('Q8_0', width);
  return fitted(SMALL_OUTPUTS.includes(fileType) ? 'Q5_K' : 'Q6_K', width);
}

function inputType(fileType: GgufFileType, base: string, width: number): string {
  if (isFloat(base)) return base;
  return fitted(base === 'MXFP4' ? 'Q8_0' : (INPUTS[fileType] ?? base), width);
}

const isFloat = (type: string): boolean => type === 'F32' || type === 'F16' || type === 'BF16';

/** Bytes of a table of this type, whose blocks must divide a row. */
export function ggufBytes(type: string, rows: number, width: number): number {
  const { elements, bytes } = BLOCKS.get(type)!;
  return rows * (width / elements) * bytes;
}
