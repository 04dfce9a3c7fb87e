/**
 * Files of models whose tying is known, because it is known how each was made: families and their wrappers, heads that are packed, turned,
 * copied or renamed, parts of models, and models that predict no tokens.
 */
import {
  fileOf,
  gguf,
  joined,
  safetensors,
  uint,
  utf8,
  type GgufParts,
  type TensorParts,
} from '../../web/checkpoint/checkpoint-files.js';
import type { Draw } from '../draw.js';
import { FAMILIES, type Family } from './verdict-families.js';

export interface VerdictSample {
  readonly files: readonly File[];
  /** What is true of the model; null: the file is no whole language model, or leaves it open. */
  readonly truth: boolean | null;
  /** Whether the file proves it, so that no other answer will do. */
  readonly mustTell: boolean;
  readonly about: string;
}

type Tensors = Record<string, TensorParts>;

interface Sizes {
  readonly V: number;
  readonly d: number;
}

const random = (draw: Draw, length: number): Uint8Array => Uint8Array.from({ length }, () => draw.whole(0, 250));

/** Small numbers, so that none is infinite. */
function floats(draw: Draw, count: number): Uint8Array {
  const bytes = new Uint8Array(4 * count);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) view.setFloat32(4 * i, draw.whole(-64, 64) / 32, true);
  return bytes;
}

const product = (shape: readonly number[]): number => shape.reduce((all, size) => all * size, 1);
const plain = (draw: Draw, ...shape: number[]): TensorParts => ({ shape, data: floats(draw, product(shape)) });

function packed(draw: Draw, dtype: string, each: number, ...shape: number[]): TensorParts {
  return { shape, dtype, data: random(draw, each * product(shape)) };
}

/** The upper halves of floats whose lower halves are zero. */
const halves = ({ shape, data }: TensorParts): TensorParts => ({
  ...{
    shape,
    dtype: 'BF16',
    data: Uint8Array.from({ length: data.length / 2 }, (_, i) => data[4 * (i >> 1) + 2 + (i & 1)]!),
  },
});

function turned({ shape: [rows, cols], data }: TensorParts): TensorParts {
  const result = new Uint8Array(data.length);
  for (let i = 0; i < rows!; i++)
    for (let j = 0; j < cols!; j++)
      result.set(data.subarray(4 * (i * cols! + j), 4 * (i * cols! + j + 1)), 4 * (j * rows! + i));
  return { shape: [cols!, rows!], data: result };
}

const sizesOf = (draw: Draw): Sizes => ({ V: draw.whole(33, 70), d: draw.of([4, 8, 12, 16]) });

const shapeOf = (shape: readonly ('V' | 'd' | number)[], { V, d }: Sizes): number[] =>
  shape.map((size) => (size === 'V' ? V : size === 'd' ? d : size));

const withoutNorm = ({ norm: _, ...family }: Family): Family => family;

/** Everything but the two tables. */
function body(draw: Draw, family: Family, sizes: Sizes, layers = draw.whole(1, 3)): Tensors {
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

const nameOf = (stem: string, { bare }: Family): string => (bare === true ? stem : `${stem}.weight`);

const SYLLABLES = ['zu', 'ka', 'mor', 'lin', 'fex', 'tro', 'bal', 'qui', 'nor', 'vex'] as const;
const word = (draw: Draw): string => draw.list(draw.whole(2, 3), () => draw.of(SYLLABLES)).join('');
/** A name that no list has. */
const stranger = (draw: Draw): string => draw.list(draw.whole(1, 2), () => word(draw)).join('.');

const WRAPPERS = [
  '',
  '',
  '',
  '_orig_mod.',
  'module.',
  'module._orig_mod.',
  '_fsdp_wrapped_module.',
  'base_model.model.',
] as const;

const wrapped = (tensors: Tensors, prefix: string): Tensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [`${prefix}${name}`, tensor]));

/** In another order than that of the model. */
const shuffled = (draw: Draw, tensors: Tensors): Tensors =>
  Object.fromEntries(
    Object.entries(tensors)
      .map((entry) => [draw.share(), entry] as const)
      .sort(([one], [other]) => one - other)
      .map(([, entry]) => entry),
  );

const GENERIC = /(?:^|\.)(?:head|output|decoder|proj_out|out_head|vocab_projector)$/;

/** A head in one of the ways in which quantizers store it. */
function packedHead(draw: Draw, stem: string, { V, d }: Sizes): Tensors {
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

const CLASS = { architectures: ['NewForCausalLM'] };

function filesOf(
  draw: Draw,
  tensors: Tensors,
  config: object | null,
  more: { name?: string; metadata?: Record<string, string> } = {},
): File[] {
  const model = fileOf(more.name ?? 'model.safetensors', safetensors(shuffled(draw, tensors), more.metadata));
  return config === null ? [model] : [model, fileOf('config.json', utf8(JSON.stringify(config)))];
}

/** A configuration that agrees, if there is one. */
const agreeing = (draw: Draw, tied: boolean): object | null =>
  draw.of([null, null, { ...CLASS, tie_word_embeddings: tied }, { tie_word_embeddings: tied }]);

/** A whole model of a listed family. */
function whole(draw: Draw): VerdictSample {
  const family = draw.of(FAMILIES);
  const sizes = sizesOf(draw);
  const prefix = draw.of(WRAPPERS);
  const [inputName, outputName] = [nameOf(family.input, family), nameOf(family.output, family)];
  const input = plain(draw, sizes.V, sizes.d);
  const as = (tensor: TensorParts): TensorParts => (family.turned === true ? turned(tensor) : tensor);
  const rest = body(draw, family, sizes);
  const about = (what: string): string => `${prefix}${family.name}: ${what}`;
  const made = (what: string, tables: Tensors, truth: boolean, metadata?: Record<string, string>): VerdictSample => ({
    files: filesOf(draw, wrapped({ ...rest, ...tables }, prefix), agreeing(draw, truth), metadata ? { metadata } : {}),
    ...{ truth, mustTell: true, about: about(what) },
  });
  const kind = draw.whole(0, family.single === false ? 3 : 6);
  if (kind === 0)
    return made('different tables', { [inputName]: input, [outputName]: as(plain(draw, sizes.V, sizes.d)) }, false);
  if (kind === 1) return made('equal tables', { [inputName]: input, [outputName]: as(input) }, true);
  if (kind === 2)
    return made('equal tables, one rounded', { [inputName]: input, [outputName]: halves(as(input)) }, true);
  if (kind === 3 && family.turned !== true)
    return made('a packed head', { [inputName]: input, ...packedHead(draw, family.output, sizes) }, false);
  if (kind === 4)
    return made('an alias', { [inputName]: input }, true, {
      format: 'pt',
      [`${prefix}${outputName}`]: `${prefix}${inputName}`,
    });
  if (kind >= 5) return made('one table', { [inputName]: input }, true);
  return made('different tables', { [inputName]: input, [outputName]: as(plain(draw, sizes.V, sizes.d)) }, false);
}

/** A whole model with one of its tables under a name that no list has: it may be told, but not wrongly. */
function renamed(draw: Draw): VerdictSample {
  const family = draw.of(FAMILIES);
  const sizes = sizesOf(draw);
  const prefix = draw.of(WRAPPERS);
  const tied = draw.odds(0.3);
  const input = plain(draw, sizes.V, sizes.d);
  const output = tied ? input : plain(draw, sizes.V, sizes.d);
  const strange = stranger(draw);
  const isInput = draw.odds(0.3);
  const stored = (tensor: TensorParts): Tensors => {
    if (draw.odds(0.25) && !tied && !isInput) return packedHead(draw, strange, sizes);
    return { [`${strange}.weight`]: draw.odds(0.3) ? turned(tensor) : tensor };
  };
  const known = isInput
    ? { [nameOf(family.output, family)]: family.turned === true ? turned(output) : output }
    : { [nameOf(family.input, family)]: input };
  const tables = { ...known, ...stored(isInput ? input : output) };
  return {
    files: filesOf(draw, wrapped({ ...body(draw, family, sizes), ...tables }, prefix), draw.of([null, CLASS])),
    ...{
      truth: tied,
      mustTell: false,
      about: `${family.name}, with ${isInput ? 'an input' : 'an output'} called ${strange}`,
    },
  };
}

/** What is no whole language model. */
function other(draw: Draw): VerdictSample {
  const family = draw.of(FAMILIES);
  const sizes = sizesOf(draw);
  const { V, d } = sizes;
  const [inputName, outputName] = [nameOf(family.input, family), nameOf(family.output, family)];
  const input: Tensors = { [inputName]: plain(draw, V, d) };
  const output: Tensors = { [outputName]: family.turned === true ? plain(draw, d, V) : plain(draw, V, d) };
  const one = draw.of([input, output]);
  const layers = body(draw, family, sizes);
  const nothing = (
    about: string,
    tensors: Tensors,
    config: object | null = null,
    more: { name?: string; metadata?: Record<string, string> } = {},
  ): VerdictSample => ({
    files: filesOf(draw, tensors, config, more),
    ...{ truth: null, mustTell: false, about: `${family.name}: ${about}` },
  });
  const lora = {
    'base_model.model.x.layers.0.q.lora_A.weight': plain(draw, 2, d),
    'base_model.model.x.layers.0.q.lora_B.weight': plain(draw, d, 2),
  };
  /** The first stage of a model that was divided by layers: the final norm is in another file. */
  const firstLayers = (): VerdictSample => {
    const [llama] = FAMILIES as [Family];
    const stage = { ...body(draw, withoutNorm(llama), sizes), 'model.layers.0.input_layernorm.weight': plain(draw, d) };
    return nothing('the first layers', { ...stage, 'model.embed_tokens.weight': plain(draw, V, d) });
  };
  return draw.of<() => VerdictSample>([
    () =>
      nothing('an adapter', {
        ...wrapped(draw.odds(0.3) ? { ...input, ...output } : one, 'base_model.model.'),
        ...lora,
      }),
    () => ({
      files: [
        ...filesOf(draw, one, null, { name: 'adapter_model.safetensors' }),
        fileOf('adapter_config.json', utf8('{"peft_type":"LORA"}')),
      ],
      ...{ truth: null, mustTell: false, about: 'an adapter by its configuration' },
    }),
    () => nothing('a table alone', one, draw.of([null, CLASS])),
    () => firstLayers(),
    () =>
      nothing('a classifier', {
        ...layers,
        ...input,
        [`${draw.of(['score', 'classifier', 'v_head.summary', stranger(draw)])}.weight`]: plain(
          draw,
          draw.whole(1, 3),
          d,
        ),
      }),
    () =>
      nothing(
        'a classifier by its class',
        { ...layers, ...input },
        {
          architectures: [
            draw.of([
              'BertForSequenceClassification',
              'Qwen3ForSequenceClassification',
              'LlamaForTokenClassification',
              'Qwen2ForRewardModel',
            ]),
          ],
        },
      ),
    () =>
      nothing(
        'an encoder by its class',
        { ...layers, ...input },
        { architectures: [draw.of(['BertModel', 'Qwen3Model', 'T5EncoderModel', 'MistralModel', 'NewModel'])] },
      ),
    () =>
      nothing(
        'an audio model',
        {
          'wav2vec2.encoder.layers.0.attention.k_proj.weight': plain(draw, d, d),
          'wav2vec2.feature_projection.projection.weight': plain(draw, d, 6),
          'lm_head.weight': plain(draw, V, d),
        },
        draw.of([null, { architectures: ['Wav2Vec2ForCTC'] }]),
      ),
    () =>
      nothing(
        'a discriminator',
        {
          'electra.embeddings.word_embeddings.weight': plain(draw, V, d),
          'electra.encoder.layer.0.attention.self.query.weight': plain(draw, d, d),
          'discriminator_predictions.dense.weight': plain(draw, d, d),
          'discriminator_predictions.dense_prediction.weight': plain(draw, 1, d),
        },
        draw.of([null, { architectures: ['ElectraForPreTraining'] }]),
      ),
    () =>
      nothing(
        'a draft model',
        {
          'embed_tokens.weight': plain(draw, V, d),
          'fc.weight': plain(draw, d, 2 * d),
          'layers.0.self_attn.q_proj.weight': plain(draw, d, d),
        },
        draw.of([null, { architectures: ['LlamaForCausalLMEagle'] }, { ...CLASS, tie_word_embeddings: false }]),
      ),
    () =>
      nothing('a vision model', {
        'patch_embed.proj.weight': plain(draw, d, 3, 2, 2),
        pos_embed: plain(draw, 1, 5, d),
        'blocks.0.attn.qkv.weight': plain(draw, 3 * d, d),
        'norm.weight': plain(draw, d),
        'head.weight': plain(draw, V, d),
        'head.bias': plain(draw, V),
      }),
    () => nothing('one of several files', { ...layers, ...one }, null, { name: 'model-00001-of-00003.safetensors' }),
    () =>
      nothing('the later layers', {
        ...Object.fromEntries(
          [3, 4, 5].map((i) => [`${family.layer.replace('#', String(i))}.weight`, plain(draw, d, d)]),
        ),
        ...one,
      }),
    () =>
      nothing('a table without elements', {
        ...layers,
        [inputName]: plain(draw, V, d),
        [outputName]: { shape: [0], data: new Uint8Array() },
      }),
    () =>
      nothing(
        'an encoder of T5',
        {
          'shared.weight': plain(draw, V, d),
          'encoder.block.0.layer.0.SelfAttention.q.weight': plain(draw, d, d),
          'encoder.final_layer_norm.weight': plain(draw, d),
        },
        draw.of([null, { architectures: ['T5EncoderModel'] }]),
        draw.odds(0.5) ? { metadata: { 'encoder.embed_tokens.weight': 'shared.weight' } } : {},
      ),
    () =>
      nothing('a base model', {
        'embed_tokens.weight': plain(draw, V, d),
        'layers.0.self_attn.q_proj.weight': plain(draw, d, d),
        'norm.weight': plain(draw, d),
      }),
    () =>
      nothing('an encoder of BERT’s kind', {
        'embeddings.word_embeddings.weight': plain(draw, V, d),
        'embeddings.position_embeddings.weight': plain(draw, 24, d),
        'encoder.layer.0.attention.self.query.weight': plain(draw, d, d),
        'pooler.dense.weight': plain(draw, d, d),
      }),
    () =>
      nothing('a text encoder of images', {
        'text_model.embeddings.token_embedding.weight': plain(draw, V, d),
        'text_model.encoder.layers.0.self_attn.q_proj.weight': plain(draw, d, d),
        'text_model.final_layer_norm.weight': plain(draw, d),
        'text_projection.weight': plain(draw, d, d),
      }),
  ])();
}

const LANGUAGE = [
  'llama',
  'qwen2',
  'qwen3',
  'gemma3',
  'gpt2',
  'phi3',
  'mamba',
  'deepseek2',
  'gpt-oss',
  'rwkv7',
  't5',
  'lfm2',
  'new',
] as const;
const ENCODERS = [
  'bert',
  'nomic-bert',
  'jina-bert-v2',
  't5encoder',
  'gemma-embedding',
  'modern-bert',
  'clip',
  'wavtokenizer-dec',
] as const;

function ofGguf(draw: Draw): VerdictSample {
  const { V, d } = sizesOf(draw);
  const of = (rows: number, data = floats(draw, rows * d)): GgufParts['tensors'][string] => ({
    dimensions: [d, rows],
    type: 0,
    data,
  });
  const bool = (value: boolean) => ({ raw: joined(uint(7, 4), Uint8Array.of(value ? 1 : 0)) });
  const table = of(V);
  const tensors: GgufParts['tensors'] = {
    'token_embd.weight': table,
    'blk.0.attn_q.weight': of(d),
    'output_norm.weight': { dimensions: [d], type: 0, data: floats(draw, d) },
  };
  const made = (
    about: string,
    architecture: string,
    values: GgufParts['values'],
    more: GgufParts['tensors'],
    truth: boolean | null,
  ): VerdictSample => ({
    files: [
      fileOf(
        'model.gguf',
        gguf({
          tensors: { ...tensors, ...more },
          values: { 'general.architecture': { string: architecture }, ...values },
        }),
      ),
    ],
    ...{ truth, mustTell: truth !== null, about: `GGUF: ${about} (${architecture})` },
  });
  const language = draw.of(LANGUAGE);
  return draw.of<() => VerdictSample>([
    () => made('one table', language, {}, {}, true),
    () => made('equal tables', language, {}, { 'output.weight': table }, true),
    () => made('different tables', language, {}, { 'output.weight': of(V) }, false),
    () => made('masked tokens', 'llada', { 'llada.attention.causal': bool(false) }, {}, true),
    () => made('an encoder', draw.of(ENCODERS), {}, {}, null),
    () =>
      made(
        'pooling',
        language,
        { [`${language}.pooling_type`]: { u32: draw.whole(1, 4) } },
        draw.odds(0.5) ? { 'output.weight': of(V) } : {},
        null,
      ),
    () => made('both directions', language, { [`${language}.attention.causal`]: bool(false) }, {}, null),
    () => made('a reranker', language, {}, { 'cls.output.weight': of(draw.whole(1, 3)) }, null),
    () => made('an adapter', language, { 'general.type': { string: 'adapter' } }, {}, null),
    () => made('a stranger', language, {}, { [`${stranger(draw)}.weight`]: of(V) }, null),
  ])();
}

export const VERDICT_GRAMMAR = {
  'whole models': whole,
  'tables under strange names': renamed,
  'parts and other models': other,
  GGUF: ofGguf,
} as const;

export type VerdictKind = keyof typeof VERDICT_GRAMMAR;
