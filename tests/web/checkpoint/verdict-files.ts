/** Makes small files of models for tests of verdicts. */
import type { CheckpointSource, OpenCheckpointOptions } from '../../../web/core/checkpoint/types.js';
import { fileOf, floats, gguf, joined, ramp, safetensors, uint, utf8, type TensorParts } from './checkpoint-files.js';

export interface VerdictCase {
  readonly source: CheckpointSource;
  readonly options?: OpenCheckpointOptions;
  /** Parts of the reason. */
  readonly says?: readonly string[];
  readonly candidates?: readonly string[];
  readonly conflict?: RegExp;
  /** What the output has besides its table. */
  readonly adds?: readonly string[];
}

type Tensors = Record<string, TensorParts>;

export const [V, D] = [48, 8];
export const matrix = (rows: number, cols: number, start = 0): TensorParts => ({
  ...{ shape: [rows, cols], data: ramp(rows * cols, start) },
});
export const table = (start = 0): TensorParts => matrix(V, D, start);
export const vector = (length: number): TensorParts => ({ shape: [length], data: ramp(length) });
export const bytes = (dtype: string, shape: readonly number[], each: number): TensorParts => ({
  ...{ shape, dtype, data: new Uint8Array(each * shape.reduce((product, size) => product * size, 1)).fill(7) },
});
export const empty: TensorParts = { shape: [0], data: new Uint8Array() };

/** A layer, and what comes after all layers. */
export const llama = (layers = 2, prefix = 'model.'): Tensors => ({
  ...Object.fromEntries(
    Array.from({ length: layers }, (_, i) => [`${prefix}layers.${i}.self_attn.q_proj.weight`, matrix(D, D)]),
  ),
  [`${prefix}norm.weight`]: vector(D),
});
/** The same with all parts, and `inner` numbers in the feed-forward part. */
export const gated = (inner: number): Tensors => ({
  ...llama(),
  ...Object.fromEntries(
    [0, 1].flatMap((i) =>
      (
        [
          ['gate_proj', inner, D],
          ['up_proj', inner, D],
          ['down_proj', D, inner],
        ] as const
      ).map(([name, rows, cols]) => [`model.layers.${i}.mlp.${name}.weight`, matrix(rows, cols)]),
    ),
  ),
});
export const bert = {
  'bert.encoder.layer.0.attention.self.query.weight': matrix(D, D),
  'bert.embeddings.LayerNorm.weight': vector(D),
};
/** Marian's, whose layers are numbered from 1 and whose output keeps its bias. */
export const marian = (layers = 2): Tensors => ({
  ...Object.fromEntries(
    ['encoder', 'decoder'].flatMap((side) =>
      Array.from({ length: layers }, (_, i) => `${side}_l${i + 1}_`).flatMap((layer) => [
        [`${layer}self_Wq`, matrix(D, D)],
        [`${layer}self_Wo_ln_scale`, matrix(1, D)],
        [`${layer}ffn_W1`, matrix(D, 2 * D)],
        [`${layer}ffn_b1`, matrix(1, 2 * D)],
        [`${layer}ffn_W2`, matrix(2 * D, D)],
      ]),
    ),
  ),
  decoder_ff_logit_out_b: matrix(1, V),
  'special:model.yml': bytes('I8', [20], 1),
});
export const images = { 'vision_tower.conv.weight': { shape: [D, 3, 2, 2], data: ramp(12 * D) } };
export const luke: Tensors = {
  'luke.embeddings.word_embeddings.weight': table(),
  'luke.encoder.layer.0.attention.self.query.weight': matrix(D, D),
  'luke.entity_embeddings.entity_embeddings.weight': matrix(20, 4),
  'luke.entity_embeddings.entity_embedding_dense.weight': matrix(D, 4),
  'entity_predictions.transform.dense.weight': matrix(4, D),
  'lm_head.dense.weight': matrix(D, D),
};
export const lora = {
  'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight': matrix(4, D),
  'base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight': matrix(D, 4),
};

export const files = (
  tensors: Tensors,
  config?: object,
  more: { name?: string; metadata?: Record<string, string>; beside?: Record<string, object> } = {},
): File[] => [
  fileOf(more.name ?? 'model.safetensors', safetensors(tensors, more.metadata)),
  ...(config === undefined ? [] : [fileOf('config.json', utf8(JSON.stringify(config)))]),
  ...Object.entries(more.beside ?? {}).map(([name, value]) => fileOf(name, utf8(JSON.stringify(value)))),
];
export const one = (...of: Parameters<typeof files>): VerdictCase => ({ source: files(...of) });

export const ggufTable = (rows: number, start = 0) => ({ dimensions: [D, rows], type: 0, data: ramp(rows * D, start) });
export const ggufVector = { dimensions: [D], type: 0, data: ramp(D) };
export const bool = (value: boolean) => ({ raw: joined(uint(7, 4), Uint8Array.of(value ? 1 : 0)) });
export function ofGguf(
  architecture: string,
  keys: Parameters<typeof gguf>[0]['values'],
  tensors: Parameters<typeof gguf>[0]['tensors'],
): VerdictCase {
  return {
    source: gguf({
      values: { 'general.architecture': { string: architecture }, ...keys },
      tensors: { 'token_embd.weight': ggufTable(V), 'blk.0.attn_q.weight': ggufTable(D), ...tensors },
    }),
  };
}
export const outputNorm = { 'output_norm.weight': ggufVector };

const floatsIn = ({ data }: TensorParts): Float32Array => new Float32Array(data.slice().buffer);
/** Other numbers in their place, in 32 bits. */
export const changed = (parts: TensorParts, to: (value: number, at: number) => number): TensorParts => ({
  ...parts,
  data: floats([...floatsIn(parts)].map(to)),
});
/** In 16 bits: to the nearest, or half of the bits dropped. */
export const half = (parts: TensorParts, isNearest: (at: number) => boolean = () => false): TensorParts => ({
  ...parts,
  dtype: 'BF16',
  data: new Uint8Array(
    Uint16Array.from(new Uint32Array(parts.data.slice().buffer), (bits, i) =>
      isNearest(i) ? (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16 : bits >>> 16,
    ).buffer,
  ),
});
/** As F16, which has all quarters below 256, with other bits in one place. */
export const halves = (parts: TensorParts, at: number, bits: number): TensorParts => ({
  shape: parts.shape,
  dtype: 'F16',
  data: new Uint8Array(
    Uint16Array.from(floatsIn(parts), (value, i) => {
      if (i === at) return bits;
      const exponent = Math.floor(Math.log2(value));
      return value === 0 ? 0 : ((exponent + 15) << 10) + (value / 2 ** exponent - 1) * 1024;
    }).buffer,
  ),
});
export const transposed = (parts: TensorParts): TensorParts => {
  const [[rows = 0, cols = 0], values] = [parts.shape, floatsIn(parts)];
  return {
    shape: [cols, rows],
    data: floats(Array.from(values, (_, i) => values[(i % rows) * cols + Math.floor(i / rows)]!)),
  };
};
/** A block of Q8_0 with a scale of 1 and then these numbers. */
export const block = (numbers: readonly number[]): Uint8Array<ArrayBuffer> =>
  joined(
    uint(0x3c00, 2),
    Uint8Array.from(numbers, (number) => number & 255),
  );
export const turned = (start = 0): TensorParts => ({
  ...{
    shape: [D, V],
    data: floats(Array.from({ length: V * D }, (_, i) => start + ((i % V) * D + Math.floor(i / V)) / 4)),
  },
});

export const packedHead = (head: Tensors): VerdictCase => ({
  source: files({ 'model.embed_tokens.weight': table(), ...llama(), ...head }),
  says: ['separate output table', "'lm_head'", "beside 'model.embed_tokens.weight'"],
});

/** Rows of these many words of 4 bits, in groups as long as a row. */
export const packedIn = (dtype: string, words: number, name = 'model.embed_tokens', fill = 0x12): Tensors => ({
  [`${name}.weight`]: { dtype, shape: [V, words], data: new Uint8Array(4 * V * words).fill(fill) },
  [`${name}.scales`]: matrix(V, 1, 1),
  [`${name}.biases`]: matrix(V, 1),
});

export const embed = { 'model.embed_tokens.weight': table() };
export const head = (start: number): Tensors => ({ 'lm_head.weight': table(start) });
export const causal = { architectures: ['LlamaForCausalLM'], model_type: 'llama' };
/** All of it is numbered as layers. */
export const firstPhi: Tensors = {
  'layers.0.wte.weight': table(),
  'layers.1.mixer.Wqkv.weight': matrix(3 * D, D),
  'layers.2.mixer.Wqkv.weight': matrix(3 * D, D),
  'layers.3.ln.weight': vector(D),
  'layers.3.linear.weight': table(1),
};

/** No power of two, so that rounding shows. */
export const thirds = changed(table(), (x) => x / 3);
