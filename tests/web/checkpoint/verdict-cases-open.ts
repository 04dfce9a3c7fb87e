/** Files that leave their tying open. */
import { fileOf, floats, gguf, safetensors, utf8 } from './checkpoint-files.js';
import {
  bert,
  block,
  bytes,
  causal,
  changed,
  D,
  embed,
  empty,
  ggufTable,
  half,
  halves,
  head,
  llama,
  matrix,
  ofGguf,
  one,
  outputNorm,
  packedIn,
  table,
  thirds,
  transposed,
  turned,
  V,
  vector,
  type VerdictCase,
} from './verdict-files.js';

const numbers = (last: number): number[] => Array.from({ length: 32 }, (_, i) => (i === 31 ? last : 4 * i - 60));

export const OPEN: Readonly<Record<string, readonly VerdictCase[]>> = {
  'two tables for different numbers of tokens, equal for all that both have': [
    {
      ...one({ ...embed, 'lm_head.weight': matrix(V + 8, D) }),
      says: ["For the first 48 tokens, 'model.embed_tokens.weight' and 'lm_head.weight' are equal, and 'lm_head"],
    },
    {
      ...one({ 'model.embed_tokens.weight': matrix(V + 1, D), 'lm_head.weight': half(table()) }),
      says: ["'model.embed_tokens.weight' has 1 token more, so it may be the same table, padded or resized"],
    },
    // The first token of the input is none of the output's.
    {
      ...one({ 'model.embed_tokens.weight': matrix(V + 1, D), 'lm_head.weight': table(D / 4) }),
      says: ['For the last 48 tokens'],
    },
    one({ 'model.embed_tokens.weight': matrix(V - 3, D), 'lm_head.kernel': turned() }),
  ],
  'two tables whose rows have other names': [
    {
      source: [fileOf('a.csv', utf8('cat,1,2\ndog,3,4\n')), fileOf('b.csv', utf8('dog,3,4\ncow,1,2\n'))],
      options: { tables: { input: 'a.csv', output: 'b.csv' } },
      says: ['1 name is in both, once in each, whose rows are equal'],
    },
  ],
  'two tables as long as wide, equal only if one of them is turned': [
    {
      ...one({ 'model.embed_tokens.weight': matrix(D, D), 'lm_head.weight': transposed(matrix(D, D)) }),
      says: ['only if it has a column for each token, and a matrix of its name has a row for each'],
    },
    {
      ...one({ 'embed.W_E': matrix(D, D), 'unembed.W_U': matrix(D, D) }),
      says: ['only if it has a row for each token, and a matrix of its name has a column for each'],
    },
    {
      ...one({ wte: matrix(D, D), lm_head: transposed(matrix(D, D)) }),
      says: ['only if it has a column for each token, and its name does not say whether it does'],
    },
  ],
  'two tables, of which one is a multiple of the other': [
    {
      ...one({ ...embed, 'lm_head.weight': changed(table(), (x) => 11.3125 * x) }),
      says: ["'lm_head.weight' is 'model.embed_tokens.weight' times 11.31, up to rounding"],
    },
    { ...one({ ...embed, 'lm_head.weight': changed(table(), (x) => -0.7 * x) }), says: ['times -0.7'] },
  ],
  'two tables whose types blur nearly all of their numbers': [
    {
      // A quarter of the least number of 8 bits, and then zero.
      ...one({
        'model.embed_tokens.weight': changed(table(), (_, i) => 2 ** -11 * Math.sin(i)),
        'lm_head.weight': { shape: [V, D], dtype: 'F8_E4M3', data: new Uint8Array(V * D) },
      }),
      says: ['could be one table up to rounding, but so could others'],
    },
    // Nothing but zeros, of other signs: tiny numbers of two tables, perhaps.
    one({
      'model.embed_tokens.weight': { shape: [V, D], dtype: 'F16', data: new Uint8Array(2 * V * D) },
      'lm_head.weight': {
        ...{ shape: [V, D], dtype: 'F16' },
        data: Uint8Array.from({ length: 2 * V * D }, (_, i) => (i % 4 === 1 ? 0x80 : 0)),
      },
    }),
  ],
  'two tables of few bits, beside tensors that may scale them': ['scale', 'scale_weight', 'weight.scale'].map(
    (name) => ({
      ...one({
        'model.embed_tokens.weight': bytes('F8_E4M3', [V, D], 1),
        [`model.embed_tokens.${name}`]: matrix(1, 1, 1),
        'lm_head.weight': bytes('F8_E4M3', [V, D], 1),
        [`lm_head.${name}`]: matrix(1, 1, 2),
      }),
      says: [`'model.embed_tokens.${name}' may scale its table`],
    }),
  ),
  'an output table for far fewer or far more tokens than the input table': [
    {
      ...one({ 'bert.embeddings.word_embeddings.weight': table(), 'output_layer.weight': matrix(9, D), ...bert }),
      candidates: ['output_layer.weight'],
      says: ['has 9 rows for the 48 tokens of'],
    },
    {
      ...one({ ...embed, ...llama(), 'lm_head.weight': matrix(V / 2 - 1, D) }),
      candidates: ['lm_head.weight'],
      says: ['predict something other than tokens'],
    },
    // A model for time series.
    {
      ...one({ 'shared.weight': matrix(2, D), 'output_layer.weight': matrix(16, D), ...llama() }),
      candidates: ['output_layer.weight'],
    },
  ],
  'one table, and another tensor that could be the missing one': [
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
    { ...one({ ...embed, ...llama(), 'logits_dense.kernel': matrix(D, V - 1) }), candidates: ['logits_dense.kernel'] },
    {
      ...ofGguf('llama', {}, { ...outputNorm, 'blk.0.lm_head.weight': ggufTable(V) }),
      candidates: ['blk.0.lm_head.weight'],
    },
    // What pruning and weight norm make of a matrix is no packed table.
    {
      ...one({ ...embed, ...llama(), 'lm_head.weight_mask': bytes('BOOL', [V, D], 1) }),
      says: ["may be 'lm_head.weight_mask'; naming 'model"],
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
        'src_embed.0.lut.weight': table(),
        'tgt_embed.0.lut.weight': table(1),
        'generator.proj.weight': table(1),
        ...llama(),
      }),
      candidates: ['src_embed.0.lut.weight', 'tgt_embed.0.lut.weight'],
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
  'a table without elements': [
    { ...one({ ...embed, 'lm_head.weight': empty, ...llama() }), says: ['ZeRO-3; gather the weights first'] },
    {
      ...one({ 'model.embed_tokens.weight': empty, ...head(0), ...llama() }),
      says: ['ZeRO-3; gather the weights first'],
    },
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
  'two tables, one of a type that cannot be decoded': [
    {
      source: gguf({
        tensors: {
          'token_embd.weight': { dimensions: [256, 2], type: 10, data: new Uint8Array(168).fill(1) },
          'output.weight': { dimensions: [256, 2], type: 14, data: new Uint8Array(420) },
        },
      }),
      says: ['Q2_K cannot be decoded'],
    },
  ],
  'two packed tables with other parts': [
    {
      ...one({ ...packedIn('I32', 1, undefined, 0x77), ...packedIn('I32', 1, 'lm_head', 0x33), ...llama() }),
      says: ['with other bytes, which does not tell'],
    },
  ],
  'one packed table that does not show its shape': [
    { ...one({ ...packedIn('I32', 3), ...llama() }), says: ["has 'model.embed_tokens' alone, which is packed"] },
  ],
  'two tables, where rounding may or may not explain the difference': [
    {
      // 1 in 16 bits, and a number three quarters of its last bit away: not the nearest, but the next.
      source: safetensors({
        'model.embed_tokens.weight': {
          shape: [V, D],
          dtype: 'F16',
          data: Uint8Array.from({ length: 2 * V * D }, (_, i) => (i % 2) * 0x3c),
        },
        'lm_head.weight': { shape: [V, D], data: floats(Array<number>(V * D).fill(1 + 0.75 * 2 ** -10)) },
        ...llama(1, 'model.'),
      }),
      says: ['too far apart to be called equal, and too coarsely stored to be called different'],
    },
    // Some programs turn what is below the least normal number of 16 bits into zero.
    one({
      'model.embed_tokens.weight': changed(table(), (x) => x * 2 ** -22),
      'lm_head.weight': { shape: [V, D], dtype: 'F16', data: new Uint8Array(2 * V * D) },
    }),
    // One rounds half of the numbers to the nearest, and drops bits of the others.
    one({ 'model.embed_tokens.weight': thirds, 'lm_head.weight': half(thirds, (i) => i % 2 === 0) }),
    {
      // One number differs by a step of its block: its original may lie between the two.
      source: gguf({
        tensors: {
          'token_embd.weight': { dimensions: [32, 1], type: 8, data: block(numbers(7)) },
          'output.weight': { dimensions: [32, 1], type: 8, data: block(numbers(8)) },
        },
      }),
      says: ["'token_embd.weight' (Q8_0) and 'output.weight' (Q8_0) are too far apart"],
    },
  ],
  // NaN, the largest number, and what is left of bits that were not checked.
  'two tables that differ where one type cannot hold a number': [0x7e00, 0x7bff, 0x1234].map((stored) => ({
    ...one({
      'model.embed_tokens.weight': changed(table(), (x, i) => (i === 7 ? 70_000 : x)),
      'lm_head.weight': halves(table(), 7, stored),
    }),
    says: ["numbers that are too large for the other one's type"],
  })),
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
  'a model with an unmerged adapter and equal tables': [
    one({
      'base_model.model.model.embed_tokens.base_layer.weight': table(),
      'base_model.model.model.embed_tokens.lora_embedding_A.default': matrix(2, V),
      'base_model.model.lm_head.weight': table(),
    }),
  ],
  'a model of this package with a map between the two roles of its one table': [
    {
      ...one({ embedding: table(), between: matrix(D, D) }, undefined, {
        metadata: {
          config: '{"kind":"direct-path","vocabSize":48,"dModel":8,"tying":"tied-linear"}',
          unembedding: 'embedding',
        },
      }),
      says: ['one table, with a map', 'neither plain tying nor two tables'],
    },
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
  'two tables, and the head of a classifier': [
    {
      ...one({ ...embed, ...llama(), ...head(1), 'score.weight': matrix(1, D) }),
      candidates: ['lm_head.weight'],
      says: ["'score.weight' belongs to a head that predicts something other than tokens"],
    },
    { ...one({ ...embed, ...llama(), ...head(0), 'classifier.weight': matrix(3, D) }), candidates: ['lm_head.weight'] },
  ],
  'the input table of one model and the output table of another': [
    {
      ...one({
        'student.model.embed_tokens.weight': table(),
        'teacher.lm_head.weight': table(1),
        ...llama(2, 'student.model.'),
        ...llama(2, 'teacher.model.'),
      }),
      candidates: ['teacher.lm_head.weight'],
      says: ["belong to two models, 'student' and 'teacher'"],
    },
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
