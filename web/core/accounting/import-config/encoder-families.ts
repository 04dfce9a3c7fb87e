/** Encoders, and encoders with decoders, whose tensors are listed, one reader for each kind. Read from the modules of huggingface/transformers 5.16. */
import type { Architecture } from '../types.js';
import { unsupported, type Fields } from './fields.js';
import { MAPS, Parts, type Stack } from './listed-stacks.js';
import { readHeads, type Reader } from './readers.js';

const HEAD = 'Counted with the head for masked tokens (a map, a norm, one bias per token) and without a pooler.';
const NARROW = 'dModel is the width of the token table; the layers are wider, and maps between the two are counted.';

// ---------------------------------------------------------------- encoders

interface Encoder {
  readonly positions?: boolean;
  /** Further tensors, and the width of the table if it is not that of the model. */
  readonly more?: (fields: Fields, parts: Parts, sizes: { dModel: number; nLayers: number; nHeads: number }) => void;
  readonly segments?: number;
  readonly biases?: Stack['biases'];
  /** How many layers are stored, where several share theirs. */
  readonly stored?: (fields: Fields, nLayers: number) => number;
  /** A field with the width of the table, and whether a map brings it to that of the model even if they are equal. */
  readonly table?: {
    readonly name: string;
    readonly usual?: number;
    readonly always: boolean;
    readonly bias: boolean;
    readonly normAfter?: true;
  };
  readonly queries?: (fields: Fields, dModel: number, nHeads: number) => number;
  readonly gated?: boolean;
  readonly hiddenBias?: (fields: Fields) => boolean;
}

function encoder(kind: Encoder): Reader {
  return (fields) => {
    const dModel = fields.size('hidden_size');
    const nLayers = fields.count('num_hidden_layers');
    const nHeads =
      kind.queries === undefined
        ? readHeads(fields, dModel, 'num_attention_heads')
        : fields.size('num_attention_heads');
    const { table } = kind;
    const width = table === undefined ? dModel : fields.sizeOr(table.usual ?? dModel, table.name);
    const parts = new Parts();
    fields.assume(HEAD);
    if (width !== dModel) fields.assume(NARROW);
    if (kind.positions !== false)
      parts.list.add('positions', 'positions', [fields.size('max_position_embeddings'), width]);
    const segments = fields.countOr(kind.segments ?? 2, 'type_vocab_size');
    if (segments > 0) parts.list.add('positions', 'segments', [segments, width]);
    parts.norm('embedding_norm', table?.normAfter === true ? dModel : width);
    if (table !== undefined && (table.always || width !== dModel)) {
      parts.list.map('feed-forward', 'embedding_projection', dModel, width, table.bias);
    }
    parts.stack({
      name: 'layers',
      dModel,
      hidden: fields.size('intermediate_size'),
      layers: kind.stored?.(fields, nLayers) ?? nLayers,
      ...(kind.queries && { queries: kind.queries(fields, dModel, nHeads) }),
      ...(kind.biases && { biases: kind.biases }),
      ...(kind.gated && { gated: true }),
      ...(kind.hiddenBias && { hiddenBias: kind.hiddenBias(fields) }),
    });
    kind.more?.(fields, parts, { dModel, nLayers, nHeads });
    parts.list.map('head', 'head.transform', width, dModel, true);
    parts.norm('head.norm', width);
    return {
      ...{ family: 'listed', stack: 'encoder', vocabSize: fields.size('vocab_size'), dModel: width, nLayers },
      ...{ tensors: parts.list.tensors(), outputBias: true },
    } satisfies Architecture;
  };
}

/** As many distances as the file says; null: as many as positions. */
function distancesOf(fields: Fields): number {
  const most = fields.value('max_relative_positions');
  return typeof most === 'number' && most < 1
    ? fields.size('max_position_embeddings')
    : fields.size('max_relative_positions');
}

/** Attention also to distances: `pos_att_type` is a list, or names with '|' between them. */
function attendsTo(fields: Fields, name: string): boolean {
  const listed = fields.value('pos_att_type') ?? [];
  if (typeof listed === 'string') return listed.split('|').includes(name);
  if (!Array.isArray(listed)) throw fields.wrong('pos_att_type', "a list of 'p2c' and 'c2p'");
  return listed.includes(name);
}

const legacyOnly = (fields: Fields): void => {
  if (!fields.flag('legacy', true))
    throw unsupported('legacy is false: another head for masked tokens is not supported here');
};

const deberta: Reader = (fields) => {
  legacyOnly(fields);
  if (fields.flag('talking_head', false)) throw unsupported('talking_head is true, which is not supported here');
  return encoder({
    positions: fields.flag('position_biased_input', true),
    segments: 0,
    biases: ['query', 'value', 'output'],
    table: { name: 'embedding_size', always: false, bias: false, normAfter: true },
    more: (_, { list }, { dModel, nLayers }) => {
      if (!fields.flag('relative_attention', false)) return;
      const each = { copies: nLayers, active: nLayers };
      list.add('positions', 'distances', [2 * distancesOf(fields), dModel]);
      if (attendsTo(fields, 'c2p'))
        list.map('attention', 'layers.*.attention.distance_key', dModel, dModel, false, each);
      if (attendsTo(fields, 'p2c'))
        list.map('attention', 'layers.*.attention.distance_query', dModel, dModel, true, each);
    },
  })(fields);
};

const debertaV2: Reader = (fields) => {
  legacyOnly(fields);
  return encoder({
    positions: fields.flag('position_biased_input', true),
    segments: 0,
    table: { name: 'embedding_size', always: false, bias: false, normAfter: true },
    more: (_, parts, { dModel, nLayers }) => {
      const { list } = parts;
      const kernel = fields.countOr(0, 'conv_kernel_size');
      if (kernel > 0) {
        list.add('feed-forward', 'convolution.weight', [dModel, kernel * dModel]);
        list.add('feed-forward', 'convolution.bias', [dModel]);
        parts.norm('convolution_norm', dModel);
      }
      if (!fields.flag('relative_attention', false)) return;
      const buckets = fields.value('position_buckets');
      const rows = typeof buckets === 'number' && buckets > 0 ? fields.size('position_buckets') : distancesOf(fields);
      list.add('positions', 'distances', [2 * rows, dModel]);
      const normed = fields.value('norm_rel_ebd') ?? 'none';
      if (typeof normed !== 'string') throw fields.wrong('norm_rel_ebd', "'layer_norm' or 'none'");
      if (normed.includes('layer_norm')) parts.norm('distances_norm', dModel);
      if (fields.flag('share_att_key', false)) return;
      const each = { copies: nLayers, active: nLayers };
      if (attendsTo(fields, 'c2p'))
        list.map('attention', 'layers.*.attention.distance_key', dModel, dModel, true, each);
      if (attendsTo(fields, 'p2c'))
        list.map('attention', 'layers.*.attention.distance_query', dModel, dModel, true, each);
    },
  })(fields);
};

const bucketTable: Encoder['more'] = (fields, { list }, { nHeads }) =>
  list.add('positions', 'relative_positions', [fields.sizeOr(32, 'relative_attention_num_buckets'), nHeads]);

const longformer = encoder({
  more: (_, { list }, { dModel, nLayers }) => {
    for (const name of ['query', 'key', 'value']) {
      list.map('attention', `layers.*.attention.global_${name}`, dModel, dModel, true, {
        copies: nLayers,
        active: nLayers,
      });
    }
  },
});

/** The first layer needs no norm before attention, and one follows the last: as many norms as two in each layer. */
const modernbert: Reader = (fields) => {
  const dModel = fields.size('hidden_size');
  const nLayers = fields.count('num_hidden_layers');
  const normBias = fields.flag('norm_bias', false);
  const parts = new Parts(normBias);
  const hasBias = fields.flag('attention_bias', false);
  readHeads(fields, dModel, 'num_attention_heads');
  parts.norm('embedding_norm', dModel);
  parts.stack({
    ...{ name: 'layers', dModel, hidden: fields.size('intermediate_size'), layers: nLayers, gated: true },
    ...{ biases: hasBias ? MAPS : [], hiddenBias: fields.flag('mlp_bias', false) },
  });
  if (nLayers === 0) parts.norm('final_norm', dModel);
  parts.list.map('head', 'head.transform', dModel, dModel, fields.flag('classifier_bias', false));
  parts.norm('head.norm', dModel);
  return {
    ...{ family: 'listed', stack: 'encoder', vocabSize: fields.size('vocab_size'), dModel, nLayers },
    ...{ tensors: parts.list.tensors(), outputBias: fields.flag('decoder_bias', true) },
  } satisfies Architecture;
};

/** Two streams, one of which does not see its own token; four vectors for each head and a map of distances. */
const xlnet: Reader = (fields) => {
  const dModel = fields.size('d_model');
  const nLayers = fields.count('n_layer', 'num_hidden_layers');
  const nHeads = readHeads(fields, dModel, 'n_head');
  const hidden = fields.sizeOr(4 * dModel, 'd_inner');
  const parts = new Parts();
  const each = { copies: nLayers, active: nLayers };
  parts.stack({ name: 'layers', dModel, hidden, layers: nLayers, biases: [] });
  parts.list.map('attention', 'layers.*.attention.distance_key', dModel, dModel, false, each);
  for (const name of ['query_bias', 'distance_bias', 'segment_bias']) {
    parts.list.add('attention', `layers.*.attention.${name}`, [nHeads, dModel / nHeads], each);
  }
  parts.list.add('attention', 'layers.*.attention.segments', [2 * nHeads, dModel / nHeads], each);
  parts.list.add('head', 'masked_token', [dModel]);
  return {
    ...{ family: 'listed', vocabSize: fields.size('vocab_size'), dModel, nLayers },
    ...{ tensors: parts.list.tensors(), outputBias: true },
  } satisfies Architecture;
};

// ---------------------------------------------------------------- encoders with decoders

/** BART's fields; its own shape is described in bert-t5.ts. */
function bothStacks(
  fields: Fields,
  parts: Parts,
  { biases, biasesOfEncoder = biases }: { biases?: Stack['biases']; biasesOfEncoder?: Stack['biases'] } = {},
): { dModel: number; nLayers: number; nEncoderLayers: number; vocabSize: number } {
  const dModel = fields.size('d_model', 'hidden_size');
  for (const side of ['encoder', 'decoder']) readHeads(fields, dModel, `${side}_attention_heads`);
  const stack = (name: 'encoder' | 'decoder', layers: number, of: Stack['biases']): void =>
    parts.stack({
      ...{ name: `${name}.layers`, dModel, hidden: fields.size(`${name}_ffn_dim`), layers },
      ...{ crosses: name === 'decoder', ...(of && { biases: of }) },
    });
  const [nEncoderLayers, nLayers] = [fields.count('encoder_layers'), fields.count('decoder_layers')];
  stack('encoder', nEncoderLayers, biasesOfEncoder);
  stack('decoder', nLayers, biases);
  return { dModel, nLayers, nEncoderLayers, vocabSize: fields.size('vocab_size') };
}

const listed = (sizes: ReturnType<typeof bothStacks>, { list }: Parts): Architecture => ({
  family: 'listed',
  stack: 'encoder-decoder',
  ...sizes,
  tensors: list.tensors(),
});

/** BART whose encoder looks far with maps of its own, after those for near tokens. */
const led: Reader = (fields) => {
  const parts = new Parts();
  const sizes = bothStacks(fields, parts);
  const { dModel, nEncoderLayers } = sizes;
  for (const name of ['query', 'key', 'value']) {
    const each = { copies: nEncoderLayers, active: nEncoderLayers };
    parts.list.map('attention', `encoder.layers.*.attention.global_${name}`, dModel, dModel, true, each);
  }
  for (const [side, usual] of [
    ['encoder', 16_384],
    ['decoder', 1024],
  ] as const) {
    parts.list.add('positions', `${side}.positions`, [fields.sizeOr(usual, `max_${side}_position_embeddings`), dModel]);
    parts.norm(`${side}.embedding_norm`, dModel);
  }
  return listed(sizes, parts);
};

const pegasusX: Reader = (fields) => {
  const parts = new Parts();
  const sizes = bothStacks(fields, parts, { biases: [] });
  const { dModel, nEncoderLayers } = sizes;
  parts.list.add('positions', 'encoder.global_tokens', [fields.sizeOr(128, 'num_global_tokens'), dModel]);
  parts.norm('encoder.layers.*.global_norm', dModel, nEncoderLayers);
  for (const side of ['encoder', 'decoder']) parts.norm(`${side}.final_norm`, dModel);
  return listed(sizes, parts);
};

/** Sound goes through two convolutions into the encoder; only the decoder has tokens, so there are two roles and one table. */
const whisper: Reader = (fields) => {
  const parts = new Parts();
  const { vocabSize, dModel, nLayers } = bothStacks(fields, parts, { biases: ['query', 'value', 'output'] });
  parts.list.add('feed-forward', 'encoder.convolution_1.weight', [dModel, 3 * fields.sizeOr(80, 'num_mel_bins')]);
  parts.list.add('feed-forward', 'encoder.convolution_2.weight', [dModel, 3 * dModel]);
  for (const name of ['1', '2']) parts.list.add('feed-forward', `encoder.convolution_${name}.bias`, [dModel]);
  for (const [side, name, usual] of [
    ['encoder', 'max_source_positions', 1500],
    ['decoder', 'max_target_positions', 448],
  ] as const) {
    parts.list.add('positions', `${side}.positions`, [fields.sizeOr(usual, name), dModel]);
    parts.norm(`${side}.final_norm`, dModel);
  }
  fields.assume('Only the decoder reads and writes tokens: counted as one stack, with the encoder among its tensors.');
  return { family: 'listed', vocabSize, dModel, nLayers, tensors: parts.list.tensors() } satisfies Architecture;
};

/** T5's fields. Each layer has its own table of distances, or only the first (Switch); some layers have experts. */
function t5Like(distancesInEach: boolean, usualFeedForward: string): Reader {
  return (fields) => {
    const dModel = fields.size('d_model');
    const kind = fields.value('feed_forward_proj') ?? usualFeedForward;
    if (typeof kind !== 'string') throw fields.wrong('feed_forward_proj', "'relu', 'gated-gelu' or another activation");
    const nEncoderLayers = fields.count('num_layers', 'num_hidden_layers');
    const nLayers = fields.countOr(nEncoderLayers, 'num_decoder_layers');
    const nHeads = fields.size('num_heads', 'num_attention_heads');
    const parts = new Parts(false);
    for (const [name, layers] of [
      ['encoder', nEncoderLayers],
      ['decoder', nLayers],
    ] as const) {
      parts.stack({
        ...{
          name: `${name}.layers`,
          dModel,
          hidden: fields.size('d_ff'),
          layers,
          queries: nHeads * fields.size('d_kv'),
        },
        ...{ crosses: name === 'decoder', biases: [], hiddenBias: false, gated: kind.startsWith('gated-') },
      });
      const copies = distancesInEach ? layers : Math.min(layers, 1);
      parts.list.add(
        ...(['positions', `${name}.layers.*.distances`] as const),
        [fields.sizeOr(32, 'relative_attention_num_buckets'), nHeads],
        { copies, active: copies },
      );
      parts.norm(`${name}.final_norm`, dModel);
    }
    return listed({ dModel, nLayers, nEncoderLayers, vocabSize: fields.size('vocab_size') }, parts);
  };
}

export const ENCODER_READERS: Readonly<Record<string, Reader>> = {
  // Several layers share one, or few groups do.
  albert: encoder({
    table: { name: 'embedding_size', usual: 128, always: true, bias: true },
    stored: (fields, nLayers) =>
      nLayers === 0 ? 0 : fields.sizeOr(1, 'num_hidden_groups') * fields.sizeOr(1, 'inner_group_num'),
  }),
  electra: encoder({ table: { name: 'embedding_size', usual: 128, always: false, bias: true } }),
  deberta,
  'deberta-v2': debertaV2,
  longformer,
  mpnet: encoder({ segments: 0, more: bucketTable }),
  'roberta-prelayernorm': encoder({ more: (_, parts, { dModel }) => parts.norm('final_norm', dModel) }),
  roformer: encoder({
    positions: false,
    table: { name: 'embedding_size', always: false, bias: true },
  }),
  nomic_bert: encoder({
    positions: false,
    biases: [],
    gated: true,
    hiddenBias: (fields) => fields.flag('mlp_bias', false),
    queries: (fields, dModel, nHeads) => nHeads * fields.sizeOr(dModel / nHeads, 'head_dim'),
  }),
  modernbert,
  'modernbert-decoder': modernbert,
  xlnet,
  led,
  pegasus_x: pegasusX,
  whisper,
  umt5: t5Like(true, 'gated-gelu'),
};
