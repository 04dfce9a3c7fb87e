/** Encoders, and encoders with decoders. */
import { unsupported } from './fields.js';
import { readHeads, readSizes, type Reader } from './readers.js';

const HEAD = 'Counted with the head for masked tokens (a map, a norm, one bias per token) and without a pooler.';

/** RoBERTa differs by one segment and two rows of positions for padding; its file lists both. */
const bertOf =
  (segments: number): Reader =>
  (fields) => {
    const sizes = readSizes(fields);
    fields.assume(HEAD);
    return {
      family: 'bert',
      ...sizes,
      dFeedForward: fields.size('intermediate_size'),
      contextLength: fields.size('max_position_embeddings'),
      nSegments: fields.countOr(segments, 'type_vocab_size'),
    };
  };
const bert = bertOf(2);

/** A table of kinds of tasks beside that of segments, if the file asks for it. */
const ernie: Reader = (fields) => {
  const described = bert(fields);
  const tasks = fields.flag('use_task_id', false) ? fields.sizeOr(3, 'task_type_vocab_size') : 0;
  return { ...described, nSegments: described.nSegments! + tasks };
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

/** With an encoder that also sees summaries of far tokens, the first layer has a second table of distances, and each a norm. */
const longt5: Reader = (fields) => {
  if (fields.value('encoder_attention_type') === 'transient-global') {
    throw unsupported("encoder_attention_type is 'transient-global', which is not supported here; 'local' is");
  }
  return t5('relu')(fields);
};

/** How the translators that came after BART differ from it. */
interface Bart {
  /** Norms before each part need one at the end of each stack. */
  readonly finalNorm?: boolean;
  readonly embeddingNorm?: boolean;
  /** Null: sinusoids. */
  readonly moreRows: number | null;
}

const bart =
  ({ finalNorm = false, embeddingNorm = false, moreRows }: Bart): Reader =>
  (fields) => {
    const dModel = fields.size('d_model', 'hidden_size');
    const nHeads = readHeads(fields, dModel, 'decoder_attention_heads');
    if (fields.sizeOr(nHeads, 'encoder_attention_heads') !== nHeads) {
      throw unsupported('encoder_attention_heads differs from decoder_attention_heads, which is not supported here');
    }
    const dFeedForward = fields.size('decoder_ffn_dim');
    if (fields.sizeOr(dFeedForward, 'encoder_ffn_dim') !== dFeedForward) {
      throw unsupported('encoder_ffn_dim differs from decoder_ffn_dim, which is not supported here');
    }
    return {
      family: 'gpt-2',
      stack: 'encoder-decoder',
      vocabSize: fields.size('vocab_size'),
      dModel,
      nLayers: fields.count('decoder_layers'),
      nEncoderLayers: fields.count('encoder_layers'),
      ...{ nHeads, dFeedForward, finalNorm, embeddingNorm, fusedQueryKeyValue: false },
      ...(moreRows === null
        ? { positions: 'none' as const }
        : { contextLength: fields.size('max_position_embeddings') + moreRows }),
    };
  };

const mvp: Reader = (fields) => {
  if (fields.flag('use_prompt', false)) throw unsupported('use_prompt is true, which is not supported here');
  return bart({ embeddingNorm: true, moreRows: 2 })(fields);
};

export const BERT_T5_READERS: Readonly<Record<string, Reader>> = {
  bert,
  roberta: bert,
  'xlm-roberta': bert,
  camembert: bert,
  'data2vec-text': bert,
  'xlm-roberta-xl': bertOf(1),
  'megatron-bert': bert,
  big_bird: bert,
  ernie,
  distilbert,
  t5: t5('relu'),
  mt5: t5('gated-gelu'),
  longt5,
  bart: bart({ embeddingNorm: true, moreRows: 2 }),
  plbart: bart({ embeddingNorm: true, moreRows: 2 }),
  mvp,
  mbart: bart({ embeddingNorm: true, finalNorm: true, moreRows: 2 }),
  blenderbot: bart({ finalNorm: true, moreRows: 0 }),
  'blenderbot-small': bart({ embeddingNorm: true, moreRows: 0 }),
  pegasus: bart({ finalNorm: true, moreRows: null }),
  marian: bart({ moreRows: null }),
  m2m_100: bart({ finalNorm: true, moreRows: null }),
};
