/**
 * Files of models whose tying is known, because it is known how each was made: families and their wrappers, heads that are packed, turned,
 * copied or renamed, parts of models, and models that predict no tokens.
 */
import {
  fileOf,
  gguf,
  joined,
  uint,
  utf8,
  type GgufParts,
  type TensorParts,
} from '../../web/checkpoint/checkpoint-files.js';
import type { Draw } from '../draw.js';
import { inLayers, unlisted } from './verdict-layers.js';
import { beside } from './verdict-strangers.js';
import { FAMILIES, type Family } from './verdict-families.js';
import {
  agreeing,
  body,
  CLASS,
  filesOf,
  floats,
  halves,
  nameOf,
  packedHead,
  plain,
  sizesOf,
  stranger,
  type Tensors,
  turned,
  withoutNorm,
  word,
  wrapped,
  WRAPPERS,
  type VerdictSample,
} from './verdict-tensors.js';

export type { VerdictSample };

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
  const made = (what: string, tables: Tensors, truth: boolean, metadata?: Record<string, string>): VerdictSample => {
    const config = agreeing(draw, truth);
    // Its first layers have the names of the whole.
    const isOpen = what === 'one table' && family.endless === true;
    return {
      files: filesOf(draw, wrapped({ ...rest, ...tables }, prefix), config, metadata ? { metadata } : {}),
      ...{ truth, mustTell: !isOpen, about: about(what) },
    };
  };
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
    () => made('an unknown architecture', word(draw), {}, {}, null),
    () => made('more layers elsewhere', language, { [`${language}.block_count`]: { u32: draw.whole(2, 9) } }, {}, null),
    () => made('a head in a layer', language, {}, { 'blk.0.lm_head.weight': of(V) }, null),
    () => made('parts elsewhere', language, { 'split.tensors.count': { u32: draw.whole(9, 99) } }, {}, null),
    () => made('a stranger', language, {}, { [`${stranger(draw)}.weight`]: of(V) }, null),
  ])();
}

export const VERDICT_GRAMMAR = {
  'whole models': whole,
  'tables under strange names': renamed,
  'parts and other models': other,
  'what nobody accounts for': beside,
  'heads in layers': inLayers,
  'tensors that an index leaves out': unlisted,
  GGUF: ofGguf,
} as const;

export type VerdictKind = keyof typeof VERDICT_GRAMMAR;
