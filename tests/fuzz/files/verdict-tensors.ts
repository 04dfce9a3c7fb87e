/** What files of models are made of, for a grammar of verdicts: tensors, layers, heads in the ways of quantizers, and names. */
import { fileOf, safetensors, utf8, type TensorParts } from '../../web/checkpoint/checkpoint-files.js';
import type { Draw } from '../draw.js';
import type { Family } from './verdict-families.js';

export interface VerdictSample {
  readonly files: readonly File[];
  /** What is true of the model; null: the file is no whole language model, or leaves it open. */
  readonly truth: boolean | null;
  /** Whether the file proves it, so that no other answer will do. */
  readonly mustTell: boolean;
  /** Its names and shapes are all those of a tied model, so that no reader could tell it from one. */
  readonly looksTied?: true;
  readonly about: string;
}

export type Tensors = Record<string, TensorParts>;

export interface Sizes {
  readonly V: number;
  readonly d: number;
}

export const random = (draw: Draw, length: number): Uint8Array => Uint8Array.from({ length }, () => draw.whole(0, 250));

/** Small numbers, so that none is infinite. */
export function floats(draw: Draw, count: number): Uint8Array {
  const bytes = new Uint8Array(4 * count);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) view.setFloat32(4 * i, draw.whole(-64, 64) / 32, true);
  return bytes;
}

export const product = (shape: readonly number[]): number => shape.reduce((all, size) => all * size, 1);
export const plain = (draw: Draw, ...shape: number[]): TensorParts => ({ shape, data: floats(draw, product(shape)) });

export function packed(draw: Draw, dtype: string, each: number, ...shape: number[]): TensorParts {
  return { shape, dtype, data: random(draw, each * product(shape)) };
}

/** The upper halves of floats whose lower halves are zero. */
export const halves = ({ shape, data }: TensorParts): TensorParts => ({
  ...{
    shape,
    dtype: 'BF16',
    data: Uint8Array.from({ length: data.length / 2 }, (_, i) => data[4 * (i >> 1) + 2 + (i & 1)]!),
  },
});

export function turned({ shape: [rows, cols], data }: TensorParts): TensorParts {
  const result = new Uint8Array(data.length);
  for (let i = 0; i < rows!; i++)
    for (let j = 0; j < cols!; j++)
      result.set(data.subarray(4 * (i * cols! + j), 4 * (i * cols! + j + 1)), 4 * (j * rows! + i));
  return { shape: [cols!, rows!], data: result };
}

export const sizesOf = (draw: Draw): Sizes => ({ V: draw.whole(33, 70), d: draw.of([4, 8, 12, 16]) });

export const shapeOf = (shape: readonly ('V' | 'd' | number)[], { V, d }: Sizes): number[] =>
  shape.map((size) => (size === 'V' ? V : size === 'd' ? d : size));

export const withoutNorm = ({ norm: _, ...family }: Family): Family => family;

/** Everything but the two tables. */
export function body(draw: Draw, family: Family, sizes: Sizes, layers = draw.whole(1, 3)): Tensors {
  const { d } = sizes;
  const all: Tensors = {};
  const ending = family.bare === true ? '' : '.weight';
  for (let i = 0; i < layers; i++) all[`${family.layer.replace('#', String(i))}${ending}`] = plain(draw, d, d);
  if (family.norm !== undefined) all[`${family.norm}${family.bare === true ? '' : '.weight'}`] = plain(draw, d);
  for (const [name, shape] of Object.entries({ ...family.others, ...family.head }))
    all[name] = plain(draw, ...shapeOf(shape, sizes));
  if (family.name === 'DeepSeek on the Hub' && layers < 2) all['model.layers.1.mlp.up_proj.weight'] = plain(draw, d, d);
  return all;
}

export const nameOf = (stem: string, { bare }: Family): string => (bare === true ? stem : `${stem}.weight`);

export const SYLLABLES = ['zu', 'ka', 'mor', 'lin', 'fex', 'tro', 'bal', 'qui', 'nor', 'vex'] as const;
export const word = (draw: Draw): string => draw.list(draw.whole(2, 3), () => draw.of(SYLLABLES)).join('');
/** A name that no list has. */
export const stranger = (draw: Draw): string => draw.list(draw.whole(1, 2), () => word(draw)).join('.');

export const WRAPPERS = [
  '',
  '',
  '',
  '_orig_mod.',
  'module.',
  'module._orig_mod.',
  '_fsdp_wrapped_module.',
  'base_model.model.',
] as const;

export const wrapped = (tensors: Tensors, prefix: string): Tensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [`${prefix}${name}`, tensor]));

/** In another order than that of the model. */
export const shuffled = (draw: Draw, tensors: Tensors): Tensors =>
  Object.fromEntries(
    Object.entries(tensors)
      .map((entry) => [draw.share(), entry] as const)
      .sort(([one], [other]) => one - other)
      .map(([, entry]) => entry),
  );

export const GENERIC = /(?:^|\.)(?:head|output|decoder|proj_out|out_head|vocab_projector)$/;

/** A head in one of the ways in which quantizers store it. */
export function packedHead(draw: Draw, stem: string, { V, d }: Sizes): Tensors {
  const all = {
    exl3: {
      trellis: packed(draw, 'I16', 2, Math.ceil(d / 16), Math.ceil(V / 16), 64),
      suh: packed(draw, 'F16', 2, d),
      svh: packed(draw, 'F16', 2, V),
    },
    exl2: {
      q_weight: packed(draw, 'I32', 4, Math.ceil(d / 8), V),
      q_scale: packed(draw, 'I32', 4, 1, Math.ceil(V / 8)),
      q_groups: packed(draw, 'I16', 2, 2),
    },
    hqq: { W_q: packed(draw, 'U8', 1, Math.ceil(V / 2), d), scale: plain(draw, V, 1), zero: plain(draw, V, 1) },
    quanto: { 'weight._data': packed(draw, 'I8', 1, V, d), 'weight._scale': plain(draw, V, 1) },
    aqlm: { codes: packed(draw, 'I16', 2, V, Math.ceil(d / 8), 1), codebooks: packed(draw, 'F16', 2, 1, 256, 1, 8) },
    gptq: {
      qweight: packed(draw, 'I32', 4, Math.ceil(d / 8), V),
      scales: packed(draw, 'F16', 2, 1, V),
      qzeros: packed(draw, 'I32', 4, 1, Math.ceil(V / 8)),
    },
    nf4: {
      weight: packed(draw, 'U8', 1, Math.ceil((V * d) / 2), 1),
      'weight.absmax': plain(draw, Math.ceil((V * d) / 64)),
      'weight.quant_map': plain(draw, 16),
    },
    mlx: {
      weight: packed(draw, 'U32', 4, V, Math.ceil(d / 8)),
      scales: packed(draw, 'F16', 2, V, 1),
      biases: packed(draw, 'F16', 2, V, 1),
    },
    fp8: { weight: packed(draw, 'F8_E4M3', 1, V, d), weight_scale: plain(draw, 1) },
    int8: { weight: packed(draw, 'I8', 1, V, d) },
    tomorrow: { [word(draw)]: packed(draw, 'U8', 1, V * d) },
  };
  // Under a name that other modules have too, such a tensor may be anything.
  const known = Object.entries(all).filter(([scheme]) => scheme !== 'tomorrow' || !GENERIC.test(stem));
  const parts: Tensors = draw.of(known.map(([, tensors]) => tensors) as Tensors[]);
  return Object.fromEntries(Object.entries(parts).map(([name, tensor]) => [`${stem}.${name}`, tensor]));
}

export const CLASS = { architectures: ['NewForCausalLM'] };

export function filesOf(
  draw: Draw,
  tensors: Tensors,
  config: object | null,
  more: { name?: string; metadata?: Record<string, string> } = {},
): File[] {
  const model = fileOf(more.name ?? 'model.safetensors', safetensors(shuffled(draw, tensors), more.metadata));
  return config === null ? [model] : [model, fileOf('config.json', utf8(JSON.stringify(config)))];
}

/** A configuration that agrees, if there is one. */
export const agreeing = (draw: Draw, tied: boolean): object | null =>
  draw.of([null, null, { ...CLASS, tie_word_embeddings: tied }, { tie_word_embeddings: tied }]);
