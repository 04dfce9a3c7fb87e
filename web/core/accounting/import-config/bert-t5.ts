/** Encoders, and encoders with decoders. */
import { readSizes, type Reader } from './readers.js';

const HEAD = 'Counted with the head for masked tokens (a map, a norm, one bias per token) and without a pooler.';

/** RoBERTa differs by one segment and two rows of positions for padding; its file lists both. */
const bert: Reader = (fields) => {
  const sizes = readSizes(fields);
  fields.assume(HEAD);
  return {
    family: 'bert',
    ...sizes,
    dFeedForward: fields.size('intermediate_size'),
    contextLength: fields.size('max_position_embeddings'),
    nSegments: fields.countOr(2, 'type_vocab_size'),
  };
};

const distilbert: Reader = (fields) => {
  const sizes = readSizes(fields, { width: ['dim'], layers: ['n_layers'], heads: ['n_heads'] });
  fields.assume(HEAD);
  return {
    family: 'bert',
    ...sizes,
    dFeedForward: fields.size('hidden_dim'),
    contextLength: fields.size('max_position_embeddings'),
    nSegments: 0,
  };
};

/** The input tables are always one. */
function t5(usualFeedForward: string): Reader {
  return (fields) => {
    const dModel = fields.size('d_model');
    const kind = fields.value('feed_forward_proj') ?? usualFeedForward;
    const gated = typeof kind === 'string' ? /^(gated-)?[a-z_]+$/.exec(kind) : null;
    if (gated === null) throw fields.wrong('feed_forward_proj', "'relu', 'gated-gelu' or another activation");
    const nEncoderLayers = fields.count('num_layers', 'num_hidden_layers');
    return {
      family: 't5',
      vocabSize: fields.size('vocab_size'),
      dModel,
      nLayers: fields.countOr(nEncoderLayers, 'num_decoder_layers'),
      nEncoderLayers,
      nHeads: fields.size('num_heads', 'num_attention_heads'),
      dHead: fields.size('d_kv'),
      dFeedForward: fields.size('d_ff'),
      feedForward: gated[1] === undefined ? 'plain' : 'gated',
      relativeBuckets: fields.sizeOr(32, 'relative_attention_num_buckets'),
    };
  };
}

export const BERT_T5_READERS: Readonly<Record<string, Reader>> = {
  bert,
  roberta: bert,
  'xlm-roberta': bert,
  distilbert,
  t5: t5('relu'),
  mt5: t5('gated-gelu'),
};
