/** Decoders with LayerNorm: GPT-2 and its successors. */
import { unsupported } from './fields.js';
import { readHeads, readKeyValueHeads, type Reader } from './readers.js';

const gpt2: Reader = (fields) => {
  const dModel = fields.size('n_embd', 'hidden_size');
  return {
    family: 'gpt-2',
    vocabSize: fields.size('vocab_size'),
    dModel,
    nLayers: fields.count('n_layer', 'num_hidden_layers'),
    nHeads: readHeads(fields, dModel, 'n_head', 'num_attention_heads'),
    dFeedForward: fields.sizeOr(4 * dModel, 'n_inner'),
    contextLength: fields.size('n_positions', 'n_ctx', 'max_position_embeddings'),
  };
};

const gptNeo: Reader = (fields) => {
  const dModel = fields.size('hidden_size');
  const nLayers = fields.count('num_layers', 'num_hidden_layers');
  fields.assume(`Biases of the output maps of attention are not counted: ${dModel * nLayers} parameters.`);
  return {
    family: 'gpt-2',
    vocabSize: fields.size('vocab_size'),
    dModel,
    nLayers,
    nHeads: readHeads(fields, dModel, 'num_heads', 'num_attention_heads'),
    dFeedForward: fields.sizeOr(4 * dModel, 'intermediate_size'),
    contextLength: fields.size('max_position_embeddings'),
    biases: 'feed-forward',
    normBiases: true,
    fusedQueryKeyValue: false,
  };
};

const gptNeoX: Reader = (fields) => {
  const dModel = fields.size('hidden_size');
  return {
    family: 'gpt-neox',
    vocabSize: fields.size('vocab_size'),
    dModel,
    nLayers: fields.count('num_hidden_layers'),
    nHeads: readHeads(fields, dModel, 'num_attention_heads'),
    dFeedForward: fields.size('intermediate_size'),
    biases: fields.flag('attention_bias', true) ? 'all' : 'feed-forward',
    normBiases: true,
  };
};

const opt: Reader = (fields) => {
  const dModel = fields.size('hidden_size');
  if (fields.sizeOr(dModel, 'word_embed_proj_dim') !== dModel) {
    throw unsupported('word_embed_proj_dim is not hidden_size: maps between tables and layers are not supported here');
  }
  const affine = fields.flag('layer_norm_elementwise_affine', true);
  fields.assume('Positions have two more rows than max_position_embeddings, as in OPT.');
  return {
    family: 'gpt-2',
    vocabSize: fields.size('vocab_size'),
    dModel,
    nLayers: fields.count('num_hidden_layers'),
    nHeads: readHeads(fields, dModel, 'num_attention_heads'),
    dFeedForward: fields.size('ffn_dim'),
    contextLength: fields.size('max_position_embeddings') + 2,
    norm: affine ? 'layer-norm' : 'none',
    normBiases: affine,
    finalNorm: affine && fields.flag('do_layer_norm_before', true) && !fields.flag('_remove_final_layer_norm', false),
    biases: fields.flag('enable_bias', true) ? 'all' : 'none',
    fusedQueryKeyValue: false,
  };
};

const bloom: Reader = (fields) => {
  const dModel = fields.size('hidden_size', 'n_embed');
  return {
    family: 'gpt-2',
    vocabSize: fields.size('vocab_size'),
    dModel,
    nLayers: fields.count('n_layer', 'num_hidden_layers'),
    nHeads: readHeads(fields, dModel, 'n_head', 'num_attention_heads'),
    positions: 'none',
    embeddingNorm: true,
  };
};

const falcon: Reader = (fields) => {
  const dModel = fields.size('hidden_size', 'n_embed');
  const nHeads = readHeads(fields, dModel, 'num_attention_heads', 'n_head');
  const isNew = fields.flag('new_decoder_architecture', false);
  // The new architecture states the number; earlier ones have one for all heads, or one each.
  const before = fields.flag('multi_query', true) ? 1 : nHeads;
  const nKeyValueHeads = isNew ? fields.sizeOr(nHeads, 'num_kv_heads', 'n_head_kv') : before;
  if (nHeads % nKeyValueHeads !== 0) throw fields.wrong('num_kv_heads', `a divisor of the heads, ${nHeads}`);
  const parallel = fields.flag('parallel_attn', true);
  return {
    family: 'gpt-neox',
    vocabSize: fields.size('vocab_size'),
    dModel,
    nLayers: fields.count('num_hidden_layers', 'n_layer'),
    nHeads,
    nKeyValueHeads,
    dFeedForward: fields.sizeOr(4 * dModel, 'ffn_hidden_size'),
    positions: fields.flag('alibi', false) ? 'none' : 'rotary',
    normsPerLayer: parallel ? fields.sizeOr(isNew ? 2 : 1, 'num_ln_in_parallel_attn') : 2,
    biases: fields.flag('bias', false) ? 'all' : 'none',
    normBiases: true,
  };
};

const phi: Reader = (fields) => {
  const dModel = fields.size('hidden_size');
  const nHeads = readHeads(fields, dModel, 'num_attention_heads');
  return {
    family: 'gpt-neox',
    vocabSize: fields.size('vocab_size'),
    dModel,
    nLayers: fields.count('num_hidden_layers'),
    nHeads,
    nKeyValueHeads: readKeyValueHeads(fields, nHeads, null),
    dFeedForward: fields.size('intermediate_size'),
    normsPerLayer: 1,
    queryKeyNorm: fields.flag('qk_layernorm', false) ? 'head' : 'none',
    outputBias: true,
    fusedQueryKeyValue: false,
  };
};

export const GPT_READERS: Readonly<Record<string, Reader>> = {
  gpt2,
  gpt_neo: gptNeo,
  gpt_neox: gptNeoX,
  opt,
  bloom,
  falcon,
  phi,
};
