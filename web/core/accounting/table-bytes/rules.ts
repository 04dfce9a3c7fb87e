/**
 * How many bytes the token tables of a model have in the files of programs that quantize, shared and apart. A program may give a table
 * that writes more bits than one that only reads, so tying saves another share of the bytes than of the parameters.
 */
import type { CompleteArchitecture } from '../types.js';
import { GGUF_FILE_TYPES, ggufBytes, ggufTableTypes, type GgufFileType } from './gguf-rule.js';
import { MLX_GROUP, mlxBytes } from './mlx-rule.js';

/** A type by its name in the program, and its bytes for a table of this size; null if it does not fit the width. */
interface Stored {
  readonly type: string;
  readonly bytes: number;
}

interface StoredTables {
  readonly shared: Stored;
  readonly input: Stored;
  readonly output: Stored;
}

export interface TableBytes extends StoredTables {
  readonly program: string;
  /** What the program is asked for. */
  readonly kind: string;
  /** The nominal bits of the program's name for it. */
  readonly bits: number;
  /** One table, and two. */
  readonly tied: number;
  readonly untied: number;
  readonly saved: number;
  readonly savedOfUntied: number;
}

interface Rule {
  readonly program: string;
  /** Where the rule was read. */
  readonly source: string;
  readonly kinds: readonly (readonly [kind: string, bits: number])[];
  readonly tables: (kind: string, bits: number, rows: number, width: number) => StoredTables | null;
}

const floats = (rows: number, width: number, bytes: 2 | 4): Stored => ({
  type: bytes === 2 ? 'BF16' : 'F32',
  bytes: rows * width * bytes,
});

function affine(bits: number, rows: number, width: number): Stored {
  if (width % MLX_GROUP !== 0) return floats(rows, width, 2);
  return { type: `affine ${bits}-bit`, bytes: mlxBytes(bits, rows, width) };
}

const GGUF_BITS = (kind: GgufFileType): number =>
  kind === 'MXFP4_MOE' ? 4 : kind === 'BF16' ? 16 : Number(/\d+/.exec(kind)![0]);

export const RULES: readonly Rule[] = [
  {
    program: 'llama.cpp',
    source: 'ggml-org/llama.cpp, src/llama-quant.cpp (007dbbf)',
    kinds: GGUF_FILE_TYPES.map((kind) => [kind, GGUF_BITS(kind)]),
    tables(kind, _, rows, width) {
      const of = kind as GgufFileType;
      const [shared, apart] = [ggufTableTypes(of, width, true), ggufTableTypes(of, width, false)];
      if (shared === null || apart === null) return null;
      const stored = (type: string): Stored => ({ type, bytes: ggufBytes(type, rows, width) });
      return { shared: stored(shared.input), input: stored(apart.input), output: stored(apart.output!) };
    },
  },
  {
    program: 'MLX',
    source: 'ml-explore/mlx, python/mlx/nn/layers/quantized.py (846d176): QuantizedEmbedding, groups of 64',
    kinds: [8, 6, 5, 4, 3, 2].map((bits) => [`${bits}-bit`, bits]),
    tables(_, bits, rows, width) {
      const each = affine(bits, rows, width);
      return { shared: each, input: each, output: each };
    },
  },
  {
    program: 'Ollama',
    source: 'ollama/ollama, x/create/create.go (03aee88) and pull request 17357: embeddings stay, heads have 8 bits',
    kinds: [
      ['int8', 8],
      ['int4', 4],
    ],
    tables(_, __, rows, width) {
      const kept = floats(rows, width, 2);
      return { shared: kept, input: kept, output: affine(8, rows, width) };
    },
  },
  {
    program: 'ONNX Runtime GenAI',
    source: 'microsoft/onnxruntime-genai, pull request 1690: for processors, blocks of 32 with a scale in float32',
    kinds: [['int4', 4]],
    tables(_, bits, rows, width) {
      const input = floats(rows, width, 4);
      const output: Stored =
        width % 32 === 0 ? { type: 'int4', bytes: rows * ((width * bits) / 8 + 4 * (width / 32)) } : input;
      return { shared: output, input, output };
    },
  },
];

/** Of a model with two roles and one vocabulary; other models have none. `bits`: only kinds with these nominal bits. */
export function tableBytes(
  { stack, vocabSize, outputVocabSize, dModel, tableRank }: CompleteArchitecture,
  bits?: number,
): TableBytes[] {
  if (stack === 'encoder-decoder' || vocabSize !== outputVocabSize || tableRank !== 0) return [];
  return RULES.flatMap(({ program, kinds, tables }) =>
    kinds.flatMap(([kind, nominal]) => {
      if (bits !== undefined && nominal !== bits) return [];
      const stored = tables(kind, nominal, vocabSize, dModel);
      if (stored === null) return [];
      const [tied, untied] = [stored.shared.bytes, stored.input.bytes + stored.output.bytes];
      const saved = untied - tied;
      return [{ program, kind, bits: nominal, ...stored, tied, untied, saved, savedOfUntied: saved / untied }];
    }),
  );
}
