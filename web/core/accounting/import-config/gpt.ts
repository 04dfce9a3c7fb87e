/** Decoders with LayerNorm: GPT-2 and its successors. */
import type { Architecture } from '../types.js';
import { unsupported, type Fields } from './fields.js';
import { MAPS, Parts } from './listed-stacks.js';
import { readKeyValueHeads, readSizes, type Reader } from './readers.js';

const gpt2: Reader = (fields) => {
  const sizes = readSizes(fields, {
    width: ['n_embd', 'hidden_size'],
    layers: ['n_layer', 'num_hidden_layers'],
    heads: ['n_head', 'num_attention_heads'],
  });
  return {
    family: 'gpt-2',
    ...sizes,
    dFeedForward: fields.sizeOr(4 * sizes.dModel, 'n_inner'),
    contextLength: fields.size('n_positions', 'n_ctx', 'max_position_embeddings'),
  };
};

const gptNeo: Reader = (fields) => {
  const sizes = readSizes(fields, {
    layers: ['num_layers', 'num_hidden_layers'],
    heads: ['num_heads', 'num_attention_heads'],
  });
  const { dModel, nLayers } = sizes;
  fields.assume(`Biases of the output maps of attention are not counted: ${dModel * nLayers} parameters.`);
  return {
    family: 'gpt-2',
    ...sizes,
    dFeedForward: fields.sizeOr(4 * dModel, 'intermediate_size'),
    contextLength: fields.size('max_position_embeddings'),
    ...{ biases: 'feed-forward', normBiases: true, fusedQueryKeyValue: false },
  };
};

const gptNeoX: Reader = (fields) => ({
  family: 'gpt-neox',
  ...readSizes(fields),
  dFeedForward: fields.size('intermediate_size'),
  biases: fields.flag('attention_bias', true) ? 'all' : 'feed-forward',
  normBiases: true,
});

const opt: Reader = (fields) => {
  const sizes = readSizes(fields);
  const affine = fields.flag('layer_norm_elementwise_affine', true);
  const finalNorm =
    affine && fields.flag('do_layer_norm_before', true) && !fields.flag('_remove_final_layer_norm', false);
  const table = fields.sizeOr(sizes.dModel, 'word_embed_proj_dim');
  fields.assume('Positions have two more rows than max_position_embeddings, as in OPT.');
  if (table !== sizes.dModel) return narrowOpt(fields, sizes, { affine, finalNorm, table });
  return {
    family: 'gpt-2',
    ...sizes,
    dFeedForward: fields.size('ffn_dim'),
    contextLength: fields.size('max_position_embeddings') + 2,
    norm: affine ? 'layer-norm' : 'none',
    normBiases: affine,
    finalNorm,
    biases: fields.flag('enable_bias', true) ? 'all' : 'none',
    fusedQueryKeyValue: false,
  };
};

/** OPT-350m: tables half as wide as the layers, and a map from the one to the other at each end. */
function narrowOpt(
  fields: Fields,
  { vocabSize, dModel, nLayers }: ReturnType<typeof readSizes>,
  { affine, finalNorm, table }: { affine: boolean; finalNorm: boolean; table: number },
): Architecture {
  if (!affine)
    throw unsupported('layer_norm_elementwise_affine is false beside word_embed_proj_dim, which is not supported here');
  const parts = new Parts();
  const hasBiases = fields.flag('enable_bias', true);
  fields.assume('dModel is the width of the token table; maps between it and the layers are counted.');
  parts.list.add('positions', 'positions', [fields.size('max_position_embeddings') + 2, dModel]);
  parts.stack({
    ...{ name: 'layers', dModel, hidden: fields.size('ffn_dim'), layers: nLayers },
    ...{ biases: hasBiases ? MAPS : [], hiddenBias: hasBiases },
  });
  parts.list.map('feed-forward', 'projection_in', dModel, table);
  parts.list.map('head', 'projection_out', table, dModel);
  if (finalNorm) parts.norm('final_norm', dModel);
  return { family: 'listed', vocabSize, dModel: table, nLayers, tensors: parts.list.tensors() };
}

const bloom: Reader = (fields) => ({
  family: 'gpt-2',
  ...readSizes(fields, {
    width: ['hidden_size', 'n_embed'],
    layers: ['n_layer', 'num_hidden_layers'],
    heads: ['n_head', 'num_attention_heads'],
  }),
  ...{ positions: 'none', embeddingNorm: true },
});

const falcon: Reader = (fields) => {
  const sizes = readSizes(fields, {
    width: ['hidden_size', 'n_embed'],
    layers: ['num_hidden_layers', 'n_layer'],
    heads: ['num_attention_heads', 'n_head'],
  });
  const { dModel, nHeads } = sizes;
  const isNew = fields.flag('new_decoder_architecture', false);
  // The new architecture states the number; earlier ones have one for all heads, or one each.
  const before = fields.flag('multi_query', true) ? 1 : nHeads;
  const nKeyValueHeads = isNew ? fields.sizeOr(nHeads, 'num_kv_heads', 'n_head_kv') : before;
  if (nHeads % nKeyValueHeads !== 0) throw fields.wrong('num_kv_heads', `a divisor of the heads, ${nHeads}`);
  const parallel = fields.flag('parallel_attn', true);
  return {
    family: 'gpt-neox',
    ...sizes,
    nKeyValueHeads,
    dFeedForward: fields.sizeOr(4 * dModel, 'ffn_hidden_size'),
    positions: fields.flag('alibi', false) ? 'none' : 'rotary',
    normsPerLayer: parallel ? fields.sizeOr(isNew ? 2 : 1, 'num_ln_in_parallel_attn') : 2,
    biases: fields.flag('bias', false) ? 'all' : 'none',
    normBiases: true,
  };
};

const phi: Reader = (fields) => {
  const sizes = readSizes(fields);
  return {
    family: 'gpt-neox',
    ...sizes,
    nKeyValueHeads: readKeyValueHeads(fields, sizes.nHeads, null),
    dFeedForward: fields.size('intermediate_size'),
    queryKeyNorm: fields.flag('qk_layernorm', false) ? 'head' : 'none',
    ...{ normsPerLayer: 1, outputBias: true, fusedQueryKeyValue: false },
  };
};

/** Layers with one norm, biases in the feed-forward part alone, and one per output token. */
function parallel(isFused: boolean): Reader {
  return (fields) => {
    const sizes = readSizes(fields, GPT_NAMES);
    return {
      family: 'gpt-neox',
      ...sizes,
      dFeedForward: fields.sizeOr(4 * sizes.dModel, 'n_inner'),
      ...{ biases: 'feed-forward', normBiases: true, normsPerLayer: 1, outputBias: true, fusedQueryKeyValue: isFused },
    };
  };
}

const GPT_NAMES = {
  width: ['n_embd', 'hidden_size'],
  layers: ['n_layer', 'num_hidden_layers'],
  heads: ['n_head', 'num_attention_heads'],
};

const gptBigCode: Reader = (fields) => {
  const architecture = gpt2(fields);
  return fields.flag('multi_query', true) ? { ...architecture, nKeyValueHeads: 1 } : architecture;
};

/** The first GPT: norms after each part, and none at the end. */
const openaiGpt: Reader = (fields) => {
  const sizes = readSizes(fields, GPT_NAMES);
  return {
    family: 'gpt-2',
    ...sizes,
    contextLength: fields.size('n_positions', 'max_position_embeddings'),
    finalNorm: false,
  };
};

/** ALiBi has no parameters. */
const mpt: Reader = (fields) => {
  const sizes = readSizes(fields, { width: ['d_model'], layers: ['n_layers'], heads: ['n_heads'] });
  if (!fields.flag('no_bias', true)) throw unsupported('no_bias is false: MPT with biases is not supported here');
  return {
    family: 'gpt-2',
    ...sizes,
    dFeedForward: fields.sizeOr(4, 'expansion_ratio') * sizes.dModel,
    ...{ positions: 'none', biases: 'none', normBiases: false },
  };
};

const persimmon: Reader = (fields) => ({
  family: 'gpt-neox',
  ...readSizes(fields),
  dFeedForward: fields.size('intermediate_size'),
  queryKeyNorm: fields.flag('qk_layernorm', true) ? 'head' : 'none',
});

/** Sinusoids have no parameters. */
const xglm: Reader = (fields) => ({
  family: 'gpt-2',
  ...readSizes(fields, { width: ['d_model', 'hidden_size'], layers: ['num_layers'], heads: ['attention_heads'] }),
  dFeedForward: fields.size('ffn_dim'),
  ...{ positions: 'none', fusedQueryKeyValue: false },
});

const biogpt: Reader = (fields) => {
  fields.assume('Positions have two more rows than max_position_embeddings, as in OPT.');
  return {
    family: 'gpt-2',
    ...readSizes(fields),
    dFeedForward: fields.size('intermediate_size'),
    contextLength: fields.size('max_position_embeddings') + 2,
    fusedQueryKeyValue: false,
  };
};

export const GPT_READERS: Readonly<Record<string, Reader>> = {
  ...{ gpt2, gpt_neo: gptNeo, gpt_neox: gptNeoX, opt, bloom, falcon, phi, mpt, persimmon, xglm, biogpt },
  ...{ gptj: parallel(false), codegen: parallel(true), gpt_bigcode: gptBigCode, 'openai-gpt': openaiGpt },
};
