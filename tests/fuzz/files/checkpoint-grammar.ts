/** Small valid checkpoints of every format. */
import { GGUF_TYPES, SAFETENSORS_TYPES } from '../../../web/core/checkpoint/elements/stored-types.js';
import { ELEMENT_TYPES } from '../../../web/core/checkpoint/elements/element-types.js';
import type { OpenCheckpointOptions } from '../../../web/index.js';
import {
  gguf,
  npy,
  rwkv,
  safetensors,
  utf8,
  type GgufParts,
  type GgufValueParts,
} from '../../web/checkpoint/checkpoint-files.js';
import { tinyModel } from '../../browser/llama2c-files.js';
import type { Draw } from '../draw.js';
import { anyPickle, hostilePickle, pickledArrays, pytorchFile } from './pytorch-grammar.js';
import { runningModel } from './running-models.js';
import { onnxFile } from './onnx-grammar.js';
import { packedFile } from './packed-grammar.js';
import { fastTextFile, npzFile, word2vecFile } from './vector-grammar.js';

export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface CheckpointSample {
  readonly files: readonly NamedFile[];
  readonly options: OpenCheckpointOptions;
  /** It is refused, with these words. */
  readonly refusedFor?: string;
  /** It may be valid or not. */
  readonly isAnything?: boolean;
}

const random = (draw: Draw, length: number): Uint8Array => Uint8Array.from({ length }, () => draw.whole(0, 255));

const INPUTS = ['wte.weight', 'model.embed_tokens.weight', 'tok_embeddings.weight', 'gpt_neox.embed_in.weight'];
const OUTPUTS = ['lm_head.weight', 'output.weight', 'embed_out.weight'];
const PLAIN = ELEMENT_TYPES.filter((type) => SAFETENSORS_TYPES.has(type));

type Tensors = Parameters<typeof safetensors>[0];

function tensors(draw: Draw): { tensors: Tensors; names: string[] } {
  const [rows, cols] = [draw.whole(9, 12), draw.whole(1, 8)];
  const of = (dtype: string, ...shape: number[]) => {
    const { bytes } = SAFETENSORS_TYPES.get(dtype)!;
    return { shape, dtype, data: random(draw, bytes * shape.reduce((product, size) => product * size, 1)) };
  };
  const input = draw.of(INPUTS);
  const output = draw.of(OUTPUTS);
  const names = draw.of([[input], [output], [input, output]]);
  // Some models pad one of their tables.
  const outputRows = names.length === 2 && draw.odds(0.2) ? draw.whole(1, 20) : rows;
  const rowsOf = (name: string): number => (name === output ? outputRows : rows);
  const all: [string, Tensors[string]][] = names.map((name) => [name, of(draw.of(PLAIN), rowsOf(name), cols)]);
  const others = draw.list(draw.whole(0, 3), (i): [string, Tensors[string]] => [
    `h.${i}.${draw.of(['attn', 'mlp', 'ln_1'])}.weight`,
    of(draw.of(['F32', 'I64', 'U8', 'BOOL', 'BF16']), draw.whole(0, 3), draw.whole(1, 3)),
  ]);
  return { tensors: Object.fromEntries([...others, ...all].sort(() => draw.share() - 0.5)), names };
}

const metadata = (draw: Draw): Record<string, string> | undefined =>
  draw.odds(0.5) ? { format: 'pt', 'lm_head.weight': draw.of(INPUTS) } : undefined;

function oneFile(draw: Draw): CheckpointSample {
  return {
    files: [{ name: 'model.safetensors', bytes: safetensors(tensors(draw).tensors, metadata(draw)) }],
    options: {},
  };
}

function shards(draw: Draw): CheckpointSample {
  const { tensors: all } = tensors(draw);
  const count = draw.whole(1, 3);
  const parts = draw.list(count, () => ({}) as Record<string, Tensors[string]>);
  const map: Record<string, string> = {};
  for (const [name, tensor] of Object.entries(all)) {
    const number = draw.whole(0, count - 1);
    parts[number]![name] = tensor;
    map[name] = `model-${number}.safetensors`;
  }
  const index = { metadata: { total_size: 1 }, weight_map: map };
  return {
    files: [
      { name: 'model.safetensors.index.json', bytes: utf8(JSON.stringify(index)) },
      ...parts.map((part, number) => ({ name: `model-${number}.safetensors`, bytes: safetensors(part) })),
      { name: 'config.json', bytes: utf8(JSON.stringify({ tie_word_embeddings: draw.odds(0.5) })) },
    ],
    options: {},
  };
}

const TYPES = [...GGUF_TYPES].filter(([, [name]]) => (ELEMENT_TYPES as readonly string[]).includes(name));

function ggufParts(draw: Draw, names: readonly string[], rows: number, cols: number): GgufParts {
  const of = (): GgufParts['tensors'][string] => {
    const fitting = TYPES.filter(([, [, block]]) => cols % block.elements === 0);
    const [type, [, { elements, bytes }]] = draw.of(fitting);
    return { dimensions: [cols, rows], type, data: random(draw, (rows * cols * bytes) / elements) };
  };
  const values: Record<string, GgufValueParts> = {
    'general.name': { string: 'tiny' },
    ...(draw.odds(0.7) ? { 'tokenizer.ggml.tokens': { strings: draw.list(rows, (i) => random(draw, i % 4)) } } : {}),
    ...(draw.odds(0.5) ? { 'tokenizer.ggml.merges': { strings: ['a b', 'ab c'] } } : {}),
  };
  return {
    tensors: Object.fromEntries(names.map((name) => [name, of()])),
    values,
    version: draw.of([2, 3]),
    alignment: draw.of([8, 32, 32, 64]),
  };
}

function oneGguf(draw: Draw): CheckpointSample {
  const names = draw.of([['token_embd.weight'], ['token_embd.weight', 'output.weight', 'output_norm.weight']]);
  const bytes = gguf(ggufParts(draw, names, draw.whole(2, 5), draw.of([3, 32, 64, 256])));
  return { files: [{ name: 'model.gguf', bytes }], options: {} };
}

function splitGguf(draw: Draw): CheckpointSample {
  const [rows, cols] = [draw.whole(2, 5), draw.of([3, 32])];
  const files = [['token_embd.weight'], ['output.weight']].map((names, i) => ({
    name: `model-0000${i + 1}-of-00002.gguf`,
    bytes: gguf(ggufParts(draw, names, rows, cols)),
  }));
  return { files, options: {} };
}

function oneRwkv(draw: Draw): CheckpointSample {
  const [rows, cols] = [draw.whole(2, 5), draw.of([3, 32])];
  // F32, F16, and Q8_0 if its blocks fit.
  const of = (): { dimensions: number[]; type: number; data: Uint8Array } => {
    const [type, bytes] = draw.of(cols === 32 ? ([[0, 4], [1, 2], [9, 34 / 32]] as const) : ([[0, 4], [1, 2]] as const)); // prettier-ignore
    return { dimensions: [cols, rows], type, data: random(draw, rows * cols * bytes) };
  };
  const bytes = rwkv({ 'emb.weight': of(), 'blocks.0.att.key.weight': of(), 'head.weight': of() });
  return { files: [{ name: 'model.bin', bytes }], options: {} };
}

function jsonWeights(draw: Draw): CheckpointSample {
  const [rows, cols] = [draw.whole(2, 6), draw.whole(1, 5)];
  const matrix = (): unknown => draw.list(rows, () => draw.list(cols, () => draw.of([0, 1, -1.5, 2e-7, 0.25])));
  const tensors = {
    [draw.of(['wte', 'model.embed_tokens.weight'])]: matrix(),
    ...(draw.odds(0.5) ? { lm_head: matrix() } : {}),
    norm: draw.list(cols, () => 0.5),
  };
  const chars = draw.list(rows, (i) => String.fromCodePoint(97 + i));
  const json = draw.of<unknown>([
    tensors,
    { weights: tensors },
    { metadata: { uchars: chars.slice(1), BOS: rows - 1 }, weights: tensors },
    { stoi: Object.fromEntries(chars.map((char, id) => [char, id])), params: { deep: tensors } },
  ]);
  return { files: [{ name: 'weights.json', bytes: utf8(JSON.stringify(json)) }], options: {} };
}

function numpy(draw: Draw): CheckpointSample {
  const [rows, cols] = [draw.whole(1, 9), draw.whole(1, 9)];
  const [descr, width] = draw.of([['<f4', 4], ['<f8', 8], ['<f2', 2]] as const); // prettier-ignore
  const order = draw.of(['True', 'False']);
  const header = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${rows}, ${cols}), }`;
  return {
    files: [{ name: 'a.npy', bytes: npy(header, random(draw, rows * cols * width), draw.whole(1, 3)) }],
    options: {},
  };
}

function text(draw: Draw): CheckpointSample {
  const separator = draw.of([',', '\t', ';', ' ']);
  const cols = draw.whole(2, 5);
  const lines = draw.list(draw.whole(1, 9), (row) =>
    [`w${row}`, ...draw.list(cols, () => String(draw.whole(-9, 9) / 8))].join(separator),
  );
  return { files: [{ name: 'a.csv', bytes: utf8(`${lines.join('\n')}\n`) }], options: {} };
}

/** With token strings beside it, in one of their files. */
function tokens(draw: Draw): CheckpointSample {
  // Ids may have gaps of any size, since nothing in the file limits them.
  const step = draw.of([1, 1, 1, 3, 2 ** 20]);
  const vocabulary = Object.fromEntries(draw.list(draw.whole(1, 12), (i) => [`t${i}`, i * step]));
  const unigram = Object.keys(vocabulary).map((token) => [token, -1]);
  const json = draw.of<unknown>([
    vocabulary,
    Object.keys(vocabulary),
    { model: { vocab: vocabulary }, added_tokens: [{ id: 12, content: '<b>' }] },
    { model: { vocab: unigram } },
  ]);
  return {
    files: [...oneFile(draw).files, { name: 'tokenizer.json', bytes: utf8(JSON.stringify(json)) }],
    options: {},
  };
}

export const CHECKPOINT_GRAMMAR = {
  safetensors: oneFile,
  'safetensors with an index': shards,
  GGUF: oneGguf,
  'GGUF in parts': splitGguf,
  'rwkv.cpp': oneRwkv,
  'weights as JSON': jsonWeights,
  llama2c: (draw: Draw): CheckpointSample => ({
    files: [{ name: 'model.bin', bytes: tinyModel({ tied: draw.odds(0.5) }) }],
    options: {},
  }),
  NumPy: numpy,
  text,
  tokens,
  word2vec: word2vecFile,
  fastText: fastTextFile,
  npz: npzFile,
  ONNX: onnxFile,
  'packed tables': packedFile,
  PyTorch: pytorchFile,
  'pickled arrays': pickledArrays,
  'hostile pickles': hostilePickle,
  'pickles of any instructions': anyPickle,
  'models that run': (draw: Draw): CheckpointSample => ({ files: runningModel(draw), options: {} }),
} as const;

export type CheckpointFormatName = keyof typeof CHECKPOINT_GRAMMAR;
