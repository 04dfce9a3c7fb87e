/** Files of one table, or of none, that leave their tying open. */
import { fileOf, ramp, safetensors, utf8, type TensorParts } from './checkpoint-files.js';
import {
  bert,
  bytes,
  causal,
  D,
  embed,
  gated,
  ggufTable,
  ggufVector,
  head,
  llama,
  matrix,
  ofGguf,
  one,
  outputNorm,
  table,
  turned,
  V,
  vector,
  type VerdictCase,
} from './verdict-files.js';

const both = (name: string, stored: TensorParts) =>
  Object.fromEntries([0, 1].map((i) => [`model.layers.${i}.${name}.weight`, stored]));

export const ONE_OPEN: Readonly<Record<string, readonly VerdictCase[]>> = {
  'one table, and another tensor that could be the missing one': [
    // PyTorch computes the head from these each time the model runs.
    ...(
      [
        [['weight_orig', 'weight_mask'], 'prune.remove'],
        [['weight_g', 'weight_v'], 'remove_weight_norm'],
        [['weight_orig', 'weight_u', 'weight_v'], 'remove_spectral_norm'],
        [['parametrizations.weight.original', 'parametrizations.weight.0.base'], 'parametrize.remove_parametrizations'],
      ] as const
    ).map(([parts, undo]) => ({
      ...one({
        ...embed,
        ...llama(),
        ...Object.fromEntries(
          parts.map((part) => [
            `lm_head.${part}`,
            /_u$/.test(part) ? vector(V) : /_[gv]$/.test(part) && parts.length > 2 ? vector(D) : table(1),
          ]),
        ),
      }),
      says: [
        `output table, 'lm_head.weight', is computed from ${parts.map((part) => `'lm_head.${part}'`).join(', ')} when the model runs, and is not in the file; save the model after torch.nn.utils.${undo}`,
      ],
    })),
    {
      ...one({ ...embed, ...llama(), 'predict.weight': table(1) }),
      candidates: ['predict.weight'],
      says: [
        "output table may be 'predict.weight'; naming both with tables: { input, output } settles it, or 'model.embed_tokens.weight' for both if that one has both roles",
      ],
    },
    { ...one({ ...embed, ...llama(), 'predict.kernel': turned(1) }), candidates: ['predict.kernel'] },
    {
      ...one({ ...embed, ...llama(), 'predict.packed': bytes('U8', [V, D / 2], 1) }),
      says: ["may be 'predict.packed'; naming 'model"],
    },
    { ...one({ ...embed, ...llama(), 'lm_head.proj.weight': matrix(4, D) }), candidates: ['lm_head.proj.weight'] },
    {
      ...one({ ...head(0), ...llama(), 'vocabulary.weight': table(1) }),
      candidates: ['vocabulary.weight'],
      says: ["input table may be 'vocabulary.weight'; naming both"],
    },
    {
      ...one({ ...embed, ...llama(), 'linear.weight': matrix(3, D) }),
      candidates: ['linear.weight'],
      says: ['predicts something other than tokens'],
    },
    { ...one({ ...embed, ...llama(), 'lm_head.proj.weight': matrix(D, D) }), candidates: ['lm_head.proj.weight'] },
    { ...one({ ...embed, ...llama(), 'projector.0.weight': matrix(5, D) }), candidates: ['projector.0.weight'] },
    { ...one({ ...embed, ...llama(), 'fc.0.weight': matrix(3, 4 * D) }), candidates: ['fc.0.weight'] },
    { ...one({ ...embed, ...llama(), 'out_layers.0.weight': table(1) }), candidates: ['out_layers.0.weight'] },
    // Heads that are called layers, and heads of parts; stored either way.
    ...[
      'lm_head.layers.0',
      'output_layer.layer',
      'head.blocks.0',
      'prediction_layer1',
      'token_decoder.0.proj',
      'image_lm_head',
      'mtp_head',
      'mask_classifier',
      'pos_head',
    ].flatMap((name) =>
      [table(1), turned(1)].map((stored) => ({
        ...one({ ...embed, ...llama(), [`${name}.weight`]: stored }),
        candidates: [`${name}.weight`],
      })),
    ),
    // A head for more or fewer tokens, as Flax stores it.
    { ...one({ ...embed, ...llama(), 'scores_dense.kernel': matrix(D, V - 1) }), candidates: ['scores_dense.kernel'] },
    {
      ...ofGguf('llama', {}, { ...outputNorm, 'blk.0.lm_head.weight': ggufTable(V) }),
      candidates: ['blk.0.lm_head.weight'],
    },
    // What pruning and weight norm make of a matrix is no packed table.
    {
      ...one({ ...embed, ...llama(), 'lm_head.weight_mask': bytes('BOOL', [V, D], 1) }),
      says: ["is computed from 'lm_head.weight_mask' when the model runs"],
    },
    {
      ...one({ ...embed, ...llama(), 'lm_head.weight_scale': vector(V) }),
      says: ["may be 'lm_head.weight_scale'; naming 'model"],
    },
    // Heads in each layer, or in one, whatever else is in their names. Integers can be no table that is named.
    ...['output.weight', 'lm_head.kernel', 'logits', 'attn.head.weight', 'image.readout.weight'].flatMap((name) =>
      [table(1), turned(1), matrix(V - 1, D), matrix(D, V + 8), bytes('U8', [V, D / 2], 1)].map((stored) => {
        const names = [0, 1].map((layer) => `model.layers.${layer}.${name}`);
        return {
          ...one({ ...embed, ...llama(), ...Object.fromEntries(names.map((each) => [each, stored])) }),
          says: [`output table may be '${names.join("', '")}'`],
          candidates: stored.dtype === 'U8' ? [] : names,
        };
      }),
    ),
    ...[
      'experts',
      'value.W',
      'embed.weight',
      'shared.weight',
      'mlp.value.weight',
      'ff_norm.weight',
      'value_embed',
      'wpe.weight',
    ].flatMap((name) =>
      [table(1), turned(1)].map((stored) => ({
        ...one({ ...embed, ...llama(), [`model.layers.1.${name}`]: stored }),
        candidates: [`model.layers.1.${name}`],
      })),
    ),
    // It begins as a table does, whatever follows.
    {
      ...one({ 'model.embed_tokens.weight': matrix(D, D), ...llama(), 'unembedding.nextn.kernel': matrix(D, D, 1) }),
      candidates: ['unembedding.nextn.kernel'],
    },
    // A table in two pieces, each too small for one.
    {
      ...one({ ...embed, ...llama(), 'voices.0.embedding': matrix(V / 4, D), 'voices.1.embedding': matrix(V / 2, D) }),
      candidates: ['voices.0.embedding', 'voices.1.embedding'],
    },
    // As long as the inner size of a feed-forward part, beside it.
    ...['logits.weight', 'value.weight', 'readout.kernel'].map((name) => ({
      ...one({
        ...embed,
        ...llama(),
        'model.layers.0.mlp.up_proj.weight': matrix(V, D),
        'model.layers.1.mlp.up_proj.weight': matrix(V, D),
        'model.layers.0.mlp.down_proj.weight': matrix(D, V),
        'model.layers.1.mlp.down_proj.weight': matrix(D, V),
        [`model.layers.0.${name}`]: table(1),
        [`model.layers.1.${name}`]: table(1),
      }),
      candidates: [`model.layers.0.${name}`, `model.layers.1.${name}`],
    })),
    // Beside parts of a published name, in a model whose number of tokens is about that of a size within its layers.
    ...[
      ['mlp.value', { shape: [1, V - 6, D], data: ramp((V - 6) * D) }],
      ['mlp.experts', table(1)],
      ['self_attn.head', turned(1)],
    ].map(([name, stored]) => ({
      ...one({
        ...embed,
        ...gated(V - 6),
        ...both(String(name), stored as TensorParts),
      }),
      says: [`output table may be 'model.layers.0.${String(name)}.weight', 'model.layers.1.`],
      ...(name === 'mlp.value' ? {} : { candidates: [0, 1].map((i) => `model.layers.${i}.${String(name)}.weight`) }),
    })),
    // A part of a single layer; and a map back from scores, as models have that go on from what they would say.
    {
      ...one({ ...embed, ...gated(2 * D), 'model.layers.1.mlp.experts.up_proj.weight': table(1) }),
      candidates: ['model.layers.1.mlp.experts.up_proj.weight'],
    },
    {
      ...one({
        ...embed,
        ...llama(1),
        'model.layers.0.thinking.widen.weight': table(1),
        'model.layers.0.thinking.narrow.weight': turned(1),
      }),
      candidates: ['model.layers.0.thinking.widen.weight', 'model.layers.0.thinking.narrow.weight'],
    },
    // A layer of its own with a published name.
    ...['attn.proj', 'mlp.fc1', 'intermediate.dense'].map((name) => ({
      ...one({ ...embed, ...gated(2 * D), [`emit.layers.1.${name}.weight`]: table(1) }),
      candidates: [`emit.layers.1.${name}.weight`],
    })),
    // A part of a published name without the others of its module.
    {
      ...one({ ...embed, ...gated(2 * D), ...both('attn.out_proj', table(1)) }),
      candidates: [0, 1].map((i) => `model.layers.${i}.attn.out_proj.weight`),
    },
    // As many tokens as the model is wide.
    ...['self_attn.7.kernel', 'mixer.hidden_out.W', 'experts.0.readout.weight'].map((name) => ({
      ...one({ 'model.embed_tokens.weight': matrix(D, D), ...llama(1), [`model.layers.0.${name}`]: matrix(D, D, 1) }),
      candidates: [`model.layers.0.${name}`],
    })),
    // Nothing else predicts further tokens.
    {
      ...one({ ...embed, ...llama(), 'nextn_out.dict.embedding': table(1) }),
      candidates: ['nextn_out.dict.embedding'],
    },
    // As wide as states within the layers: a head for two thirds of the tokens, and pieces of one.
    { ...one({ ...embed, ...gated(4 * D), 'exit.w': matrix(D, 4 * D) }, causal), candidates: ['exit.w'] },
    {
      ...one(
        {
          ...embed,
          ...llama(),
          'model.layers.0.self_attn.qkv_proj.weight': matrix(V / 2, D),
          'model.layers.1.self_attn.qkv_proj.weight': matrix(V / 2, D),
          'emit.0.data': matrix(V / 2, D),
          'emit.1.data': matrix(V / 2, D, 1),
        },
        causal,
      ),
      candidates: ['emit.0.data', 'emit.1.data'],
    },
    // The map of a head, in a model that is as wide as it has tokens, may be all of the head.
    {
      ...one({ 'model.embed_tokens.weight': matrix(D, D), ...llama(), 'lm_head.dense.weight': matrix(D, D, 1) }),
      candidates: ['lm_head.dense.weight'],
    },
    // An alias of another module proves nothing.
    ...['model.layers.1.shared_head.head.weight', 'vision.head.weight', 'medusa_heads.0.lm_head.weight'].map(
      (name) => ({
        ...one({ ...embed, ...llama(), 'vocab_out.weight': table(1) }, undefined, {
          metadata: { [name]: 'model.embed_tokens.weight' },
        }),
        candidates: ['vocab_out.weight'],
      }),
    ),
    {
      ...one({
        'tok_emb.weight': table(),
        'decoder.0.weight': matrix(D, D),
        'decoder.3.weight': table(1),
        'norm.weight': vector(D),
      }),
      candidates: ['decoder.3.weight'],
    },
    {
      ...one({
        'src_words.0.rows.weight': table(),
        'tgt_words.0.rows.weight': table(1),
        'generator.proj.weight': table(1),
        ...llama(),
      }),
      candidates: ['src_words.0.rows.weight', 'tgt_words.0.rows.weight'],
    },
  ],
  'one table and nothing else': [
    { ...one(embed), says: ['no layers'] },
    { source: fileOf('words.csv', utf8('a,1,2\nb,3,4\n')), says: ['one table without a name'] },
    { ...one(embed, causal), says: ['no layers'] },
    one({ ...embed, 'model.norm.weight': vector(D) }),
    { ...one({ ...embed, 'model.norm.weight': vector(D) }, causal), says: ['no layers'] },
    // Under a name that other modules have, of a recommender or a graph, layers alone are no proof, and neither is a norm.
    one({
      'embedding.weight': table(),
      'layers.0.message.fc.weight': matrix(D, D),
      'layers.1.fc.weight': matrix(D, D),
    }),
    one({ 'emb.weight': table(), 'convs.0.lin.weight': matrix(D, D), 'norm.weight': vector(D) }),
  ],
  'one table of a model saved without its head': [
    { ...one({ 'embed_tokens.weight': table(), ...llama(2, '') }), says: ['saved without its head'] },
    // A model for pictures and texts that has no head, nor a part that compares the two.
    one({ ...bert, 'git.embeddings.word_embeddings.weight': table(), 'git.visual_projection.0.weight': matrix(D, D) }),
    one({ ...bert, 'bert.embeddings.word_embeddings.weight': table(), 'bert.pooler.dense.weight': matrix(D, D) }),
    one({ ...embed, ...llama() }, { architectures: ['TheirOwnModel'] }),
  ],
  'one table beside a config.json that says untied': [
    {
      ...one({ ...embed, ...llama() }, { ...causal, tie_word_embeddings: false }),
      conflict: /tie_word_embeddings: false, but the file has no output table/,
    },
    {
      ...one({ ...head(0), ...llama() }, { ...causal, tie_word_embeddings: false }),
      conflict: /tie_word_embeddings: false, but the file has no input table/,
    },
  ],
  'one table, and a file of the model that cannot be opened': [
    {
      source: [
        fileOf('model-1.safetensors', safetensors({ ...embed, 'model.norm.weight': vector(D) })),
        fileOf(
          'model.safetensors.index.json',
          utf8(
            JSON.stringify({
              weight_map: {
                ...{ 'model.embed_tokens.weight': 'model-1.safetensors', 'model.norm.weight': 'model-1.safetensors' },
                'model.layers.0.self_attn.q_proj.weight': 'model-2.safetensors',
              },
            }),
          ),
        ),
      ],
      says: [
        "output table may be in a file that could not be opened (model.safetensors.index.json: it names 'model-2.",
      ],
    },
  ],
  'one table, and a tensor with the prefix of an adapter': [
    { ...one({ ...embed, ...llama(), 'base_model.steps': vector(3) }), says: ["'base_model.steps'", 'may change'] },
  ],
  'layers without a final norm': [
    {
      ...one({
        ...embed,
        'model.layers.0.mlp.up.weight': matrix(D, D),
        'model.layers.0.input_layernorm.weight': vector(D),
      }),
      says: ['no final norm'],
    },
    // Stages of models whose layers have no norms either; and what a class says is what the layers were taken from.
    one({
      ...embed,
      'model.layers.0.mlp.up_proj.weight': matrix(D, D),
      'model.layers.1.mlp.up_proj.weight': matrix(D, D),
    }),
    one({ ...embed, 'model.layers.0.mlp.up_proj.weight': matrix(D, D) }, causal),
    ofGguf('llama', {}, {}),
    ofGguf('bloom', {}, { 'token_embd_norm.weight': ggufVector }),
  ],
  'an output table with the names of a model’s last stage': [
    {
      ...one({
        'output_layer.weight': table(),
        'decoder.layers.0.self_attention.linear_qkv.weight': matrix(3 * D, D),
        'decoder.final_layernorm.weight': vector(D),
      }),
      says: ['last stage'],
    },
  ],
  'an output table, and an input that may not be tokens': [
    {
      ...one({ ...head(0), ...llama(), 'subsampling.weight': bytes('F32', [D, 1, 3, 3], 4) }),
      says: ["'subsampling.weight' may be what reads something other than tokens"],
    },
    ...['input_proj', 'audio_proj', 'frame_embed'].map((name) => ({
      ...one({ ...head(0), ...llama(), [`${name}.weight`]: matrix(D, 12) }, causal),
      candidates: [`${name}.weight`],
    })),
  ],
  'fewer layers than config.json says': [
    {
      ...one({ ...embed, ...llama() }, { ...causal, num_hidden_layers: 12, tie_word_embeddings: true }),
      says: ['2 of the 12 layers'],
    },
    ofGguf('llama', { 'llama.block_count': { u32: 4 } }, outputNorm),
  ],
  'one table, and a matrix that nobody accounts for': [
    // An encoder's map after its last layer, a classifier's heads, and what they are called to look like something else.
    ...[
      ['linear', D, D],
      ['fc', D, 3],
      ['score_layer.0', 1, D],
      ['reward.layers.0', 1, D],
      ['pos_tagger', 5, D],
      ['norm_head', 5, D],
      ['image_classifier', 5, D],
      ['pooler.dense', 5, D],
      // Without layers, an encoder is one matrix; and nothing but LUKE's class says what else predicts.
      ['encoder.out', 5, D],
      ['entity_predictions.transform.dense', 5, D],
    ].map(([name, rows, cols]) => ({
      ...one({ ...embed, ...llama(), [`${String(name)}.weight`]: matrix(Number(rows), Number(cols)) }),
      candidates: [`${String(name)}.weight`],
    })),
    // What reads the states of a language model is an encoder of them.
    {
      ...one({ ...embed, ...llama(), ...llama(2, 'cross_encoder.'), 'cross_encoder.out.weight': matrix(1, D) }),
      candidates: ['cross_encoder.out.weight'],
    },
    // Numbers of maps within a layer are no layers.
    {
      ...one({
        'tok_emb.weight': table(),
        'parts.0.ff.layers.0.weight': matrix(D, D),
        'parts.0.ff.layers.2.weight': matrix(D, D),
        'final_norm.weight': vector(D),
      }),
      candidates: ['parts.0.ff.layers.0.weight', 'parts.0.ff.layers.2.weight'],
    },
  ],
  'one table in a module of an unknown kind': [
    {
      ...one({ 'text_encoder.embed_tokens.weight': table(), ...llama(2, 'text_encoder.') }),
      says: ["is in 'text_encoder', which is not known to be a language model"],
    },
    one({ 'retriever.embed_tokens.weight': table(), ...llama(2, 'retriever.') }),
  ],
  'one table, and a class that is not known': ['LlamaForRegression', 'NVEmbed', 'BiQwen2_5', 'GPTForScoring'].map(
    (name) => ({
      ...one({ ...embed, ...llama() }, { architectures: [name] }),
      says: [`whether its class, ${name}, has a head`.replace('w', 'W')],
    }),
  ),
  'one table, and an unknown general.architecture': ['xlm-roberta', 'newest'].map((name) => ({
    ...ofGguf(name, {}, outputNorm),
    says: [`general.architecture is '${name}'`],
  })),
};
