/** Small files of every kind in docs/verdicts.md, each made so that the right verdict is known. */
import { tinyModel } from '../../browser/llama2c-files.js';
import { fileOf, floats, gguf, joined, npy, ramp, safetensors, uint, utf8 } from './checkpoint-files.js';
import {
  bert,
  bool,
  block,
  bytes,
  causal,
  changed,
  D,
  embed,
  empty,
  firstPhi,
  ggufTable,
  ggufVector,
  half,
  head,
  llama,
  lora,
  matrix,
  ofGguf,
  one,
  outputNorm,
  packedHead,
  table,
  transposed,
  turned,
  V,
  vector,
  type VerdictCase,
} from './verdict-files.js';

const thirds = changed(table(), (x) => x / 3);
const numbers = (last: number): number[] => Array.from({ length: 32 }, (_, i) => (i === 31 ? last : 4 * i - 60));

/** By the words in the first column of the table in docs/verdicts.md. */
export const CASES: Readonly<Record<string, readonly VerdictCase[]>> = {
  'two tables with equal bytes': [
    one({ ...embed, ...head(0), ...llama() }),
    one({ '_orig_mod.transformer.wte.weight': table(), '_orig_mod.lm_head.weight': table() }),
    one({
      'roberta.embeddings.word_embeddings.weight': table(),
      'lm_head.decoder.weight': table(),
      'lm_head.dense.weight': matrix(D, D),
    }),
    one({
      'model.embeddings.tok_embeddings.weight': table(),
      'decoder.weight': table(),
      'head.dense.weight': matrix(D, D),
    }),
    one({ 'model.decoder.embed_tokens.weight': table(), 'proj_out.weight': table() }),
    one({ 'tok_emb.weight': table(), 'out_head.weight': table() }),
  ],
  'two tables with equal values and other bytes': [
    {
      ...one({ 'model.embed_tokens.weight': thirds, 'lm_head.weight': half(thirds) }),
      says: ['could be one number, rounded to the nearest in F32 and cut off in BF16'],
    },
    {
      ...one({ ...embed, 'lm_head.weight': half(table(), () => true) }),
      says: ['could be one number, rounded to the nearest in F32 and in BF16'],
    },
    { ...one({ 'embed.W_E': table(), 'unembed.W_U': turned() }), says: ['one of them with a column per token'] },
    // A row of zeros with another sign, as after a product with -1, and NaN with other bits.
    {
      ...one({ ...embed, 'lm_head.weight': changed(table(), (x) => (x === 0 ? -0 : x)) }),
      says: ['some zeros have another sign'],
    },
    one({
      'model.embed_tokens.weight': changed(table(), (x, i) => (i < D ? NaN : x)),
      'lm_head.weight': {
        ...table(),
        data: joined(...Array(D).fill(uint(0xff80_0001n, 4)), table().data.slice(4 * D)),
      },
    }),
    // As long as wide: the name tells that a token is a column.
    one({ 'embed.W_E': matrix(D, D), 'unembed.W_U': transposed(matrix(D, D)) }),
    one({ 'params/embed/embedding': matrix(D, D), 'params/lm_head/kernel': transposed(matrix(D, D)) }),
  ],
  'two tables that differ': [
    one({ ...embed, ...head(1), ...llama() }),
    one({
      'embed.weight': table(),
      'head.weight': table(1),
      'layers.0.attn.wq.weight': matrix(D, D),
      'norm.weight': vector(D),
    }),
    one({ 'transformer.wte.weight': table(), 'lm_head.weight': table(1), 'value_embeds.1.weight': table(2) }),
    one({ 'tok_emb.weight': table(), 'out_head.weight': table(1) }),
    one({ 'token_embedding_table.weight': table(), 'lm_head.weight': table(1) }),
    one({ 'embed.W_E': table(), 'unembed.W_U': turned(1) }),
    one({
      ...embed,
      ...head(1),
      'model.layers.2.embed_tokens.weight': table(),
      'model.layers.2.shared_head.head.weight': table(),
    }),
    one({
      'model.encoder.embed_tokens.weight': table(),
      'model.decoder.embed_tokens.weight': table(),
      'lm_head.out_proj.weight': table(1),
    }),
  ],
  'two tables for different numbers of tokens': [
    one({ 'language_model.model.embed_tokens.weight': matrix(V + 8, D), 'language_model.lm_head.weight': table(1) }),
  ],
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
  'one table, listed under the output’s name too': [
    one({ ...embed }, undefined, { metadata: { format: 'pt', 'lm_head.weight': 'model.embed_tokens.weight' } }),
    one({ embedding: table() }, undefined, { metadata: { unembedding: 'embedding' } }),
  ],
  'one table, named by the caller for both roles': [
    {
      source: fileOf('a.npy', npy(`{'descr': '<f4', 'fortran_order': False, 'shape': (${V}, ${D}), }`, ramp(V * D))),
      options: { tables: { input: 'a.npy', output: 'a.npy' } },
    },
  ],
  'a whole language model without an output table': [
    one({ ...embed, ...llama() }),
    one({
      'wte.weight': table(),
      'h.0.attn.c_attn.weight': matrix(D, 3 * D),
      'h.1.attn.c_attn.weight': matrix(D, 3 * D),
      'ln_f.weight': vector(D),
      'wpe.weight': matrix(16, D),
    }),
    one({
      'word_embeddings.weight': table(),
      'h.0.self_attention.dense.weight': matrix(D, D),
      'ln_f.weight': vector(D),
    }),
    one({
      ...embed,
      'model.embed_vision.embedding.weight': matrix(4, 12),
      'model.embed_audio.embedding.weight': matrix(4, 12),
      'model.embed_tokens_per_layer.weight': matrix(V, 30),
      ...llama(),
    }),
    one({ 'embed_tokens.weight': table(), ...llama(2, '') }, { ...causal, tie_word_embeddings: true }),
    one({
      'model.language_model.embed_tokens.weight': table(),
      ...llama(2, 'model.language_model.'),
      'model.visual.patch_embed.proj.weight': bytes('F32', [D, 3, 2, 2], 4),
    }),
    // What joins a part for images to the model is no head.
    one({ ...embed, ...llama(), 'visual.blocks.0.qkv.weight': matrix(D, D), 'projector.0.weight': matrix(5, D) }),
    // Layers that end without a norm, all of which are there.
    one(
      {
        ...embed,
        'model.layers.0.mlp.up_proj.weight': matrix(D, D),
        'model.layers.1.mlp.up_proj.weight': matrix(D, D),
      },
      { model_type: 'olmo', num_hidden_layers: 2, tie_word_embeddings: true },
    ),
    one(
      { ...embed, 'model.layers.0.mlp.up_proj.weight': matrix(D, D) },
      { architectures: ['OlmoForCausalLM'], tie_word_embeddings: true },
    ),
    // LFM2's final norm, xLSTM's, and Whisper's own.
    one({
      ...embed,
      'model.layers.0.operator_norm.weight': vector(D),
      'model.layers.0.conv.in_proj.weight': matrix(3 * D, D),
      'model.embedding_norm.weight': vector(D),
    }),
    one({
      'backbone.embeddings.weight': table(),
      'backbone.blocks.0.norm_ffn.weight': vector(D),
      'backbone.blocks.0.ffn.proj_up.weight': matrix(D, D),
      'backbone.out_norm.weight': vector(D),
    }),
    one({
      'decoder.token_embedding.weight': table(),
      'encoder.blocks.0.attn.query.weight': matrix(D, D),
      'decoder.blocks.0.attn.query.weight': matrix(D, D),
      'decoder.blocks.0.attn_ln.weight': vector(D),
      'decoder.ln.weight': vector(D),
    }),
    // A router's classifier chooses experts.
    one({
      'shared.weight': table(),
      'encoder.block.1.layer.1.mlp.router.classifier.weight': matrix(2, D),
      'encoder.block.0.layer.0.SelfAttention.q.weight': matrix(D, D),
      'decoder.block.0.layer.0.SelfAttention.q.weight': matrix(D, D),
      'decoder.block.1.layer.0.SelfAttention.q.weight': matrix(D, D),
      'decoder.final_layer_norm.weight': vector(D),
    }),
    one({ 'embedder.weight': table(), ...llama() }),
    one({ 'decoder.embed_tokens.weight': table(), 'decoder.version': vector(1), ...llama(2, 'decoder.') }),
    // What training keeps of the table.
    one({ ...embed, ...llama(), 'exp_avg.model.embed_tokens.weight': table(1) }),
    { ...ofGguf('qwen3', {}, outputNorm) },
    { ...ofGguf('llada', { 'llada.attention.causal': bool(false) }, outputNorm) },
    { source: tinyModel({ tied: true }) },
    // An adapter that the model brings for its layers.
    one({
      ...embed,
      ...llama(),
      'model.layers.0.mlp.up.base_layer.weight': matrix(D, D),
      'model.layers.0.mlp.up.lora_A.speech.weight': matrix(2, D),
    }),
    one({
      'model.decoder.embed_tokens.weight': table(),
      'model.decoder.project_in.weight': matrix(16, D),
      'model.decoder.project_out.weight': matrix(D, 16),
      'model.decoder.layers.0.final_layer_norm.weight': vector(16),
      'model.decoder.layers.0.fc1.weight': matrix(16, 16),
    }),
    one({
      'embedding.weight': table(),
      'rnn.weight_ih_l0': matrix(4 * D, D),
      'rnn.weight_hh_l0': matrix(4 * D, D),
      'decoder.bias': vector(V),
    }),
  ],
  'a masked model or a translator without an output table': [
    {
      ...one({
        ...bert,
        'bert.embeddings.word_embeddings.weight': table(),
        'cls.predictions.bias': vector(V),
        'cls.predictions.transform.dense.weight': matrix(D, D),
      }),
      adds: ['cls.predictions.bias', 'cls.predictions.transform.dense.weight'],
    },
    {
      ...one({
        'roberta.embeddings.word_embeddings.weight': table(),
        'lm_head.bias': vector(V),
        'lm_head.dense.weight': matrix(D, D),
      }),
      adds: ['lm_head.bias', 'lm_head.dense.weight'],
    },
    {
      ...one({
        'model.embeddings.tok_embeddings.weight': table(),
        'decoder.bias': vector(V),
        'head.dense.weight': matrix(D, D),
      }),
      adds: ['decoder.bias', 'head.dense.weight'],
    },
    {
      ...one(
        {
          'model.shared.weight': table(),
          'model.encoder.layers.0.fc1.weight': matrix(D, D),
          'model.decoder.layers.0.fc1.weight': matrix(D, D),
          final_logits_bias: matrix(1, V),
        },
        { architectures: ['MarianMTModel'], model_type: 'marian' },
      ),
      adds: ['final_logits_bias'],
    },
    one({
      'shared.weight': table(),
      'encoder.block.0.layer.0.SelfAttention.q.weight': matrix(D, D),
      'decoder.block.0.layer.0.SelfAttention.q.weight': matrix(D, D),
      'decoder.final_layer_norm.weight': vector(D),
    }),
    one({
      'albert.embeddings.word_embeddings.weight': table(),
      'albert.encoder.embedding_hidden_mapping_in.weight': matrix(16, D),
      'predictions.dense.weight': matrix(D, 16),
      'predictions.bias': vector(V),
    }),
    one({
      'electra.embeddings.word_embeddings.weight': table(),
      'electra.embeddings_project.weight': matrix(16, D),
      'generator_predictions.dense.weight': matrix(D, 16),
      'generator_lm_head.bias': vector(V),
    }),
    one({
      ...bert,
      'bert.embeddings.word_embeddings.weight': table(),
      'cls.predictions.bias': vector(V),
      'cls.seq_relationship.weight': matrix(2, D),
    }),
    one({
      'transformer.embeddings.weight': table(),
      'transformer.attentions.0.q_lin.weight': matrix(D, D),
      'transformer.ffns.0.lin1.weight': matrix(16, D),
      'pred_layer.proj.bias': vector(V),
    }),
    one({
      ...bert,
      'esm.embeddings.word_embeddings.weight': table(),
      'esm.contact_head.regression.weight': matrix(1, 2 * D),
      'lm_head.bias': vector(V),
    }),
  ],
  'a whole language model without an input table': [
    one({ ...head(0), ...llama() }),
    one({
      ...head(0),
      'model.encoder.layers.0.fc1.weight': matrix(D, D),
      'model.decoder.layers.0.fc1.weight': matrix(D, D),
      'model.decoder.layer_norm.weight': vector(D),
    }),
  ],
  'a packed output table': [
    packedHead({
      'lm_head.trellis': bytes('I16', [1, 4, 96], 2),
      'lm_head.suh': bytes('F16', [D], 2),
      'lm_head.svh': bytes('F16', [V], 2),
    }),
    packedHead({
      'lm_head.q_weight': bytes('I32', [1, V], 4),
      'lm_head.q_scale': bytes('I32', [1, 6], 4),
      'lm_head.q_groups': bytes('I16', [2], 2),
    }),
    packedHead({
      'lm_head.W_q': bytes('U8', [V / 2, D], 1),
      'lm_head.scale': matrix(V, 1),
      'lm_head.zero': matrix(V, 1),
    }),
    packedHead({ 'lm_head.weight._data': bytes('I8', [V, D], 1), 'lm_head.weight._scale': matrix(V, 1) }),
    packedHead({ 'lm_head.codes': bytes('I16', [V, 2, 1], 2), 'lm_head.codebooks': bytes('F16', [1, 256, 1, 4], 2) }),
    packedHead({
      'lm_head.weight': bytes('U8', [(V * D) / 2, 1], 1),
      'lm_head.weight.absmax': vector(6),
      'lm_head.weight.quant_state.bitsandbytes__nf4': bytes('U8', [20], 1),
    }),
    packedHead({ 'lm_head.qweight': bytes('I32', [1, V], 4), 'lm_head.scales': bytes('F16', [1, V], 2) }),
    packedHead({ 'lm_head.weight': bytes('F8_E4M3', [V, D], 1), 'lm_head.weight_scale': vector(1) }),
    packedHead({ 'lm_head.weight': bytes('I8', [V, D], 1) }),
    packedHead({ 'lm_head.bits_of_tomorrow': bytes('U8', [V * D], 1) }),
  ],
  'a packed input table beside an output table': [
    one({
      'model.embed_tokens.weight': bytes('U32', [V, 1], 4),
      'model.embed_tokens.scales': bytes('F16', [V, 1], 2),
      ...head(0),
      ...llama(),
    }),
  ],
  'one table, and another tensor that could be the missing one': [
    {
      ...one({ ...embed, ...llama(), 'predict.weight': table(1) }),
      candidates: ['predict.weight'],
      says: ["output table may be 'predict.weight'", 'tables: { output }'],
    },
    { ...one({ ...embed, ...llama(), 'predict.kernel': turned(1) }), candidates: ['predict.kernel'] },
    { ...one({ ...embed, ...llama(), 'predict.packed': bytes('U8', [V, D / 2], 1) }), candidates: ['predict.packed'] },
    { ...one({ ...embed, ...llama(), 'lm_head.proj.weight': matrix(4, D) }), candidates: ['lm_head.proj.weight'] },
    {
      ...one({ ...head(0), ...llama(), 'vocabulary.weight': table(1) }),
      candidates: ['vocabulary.weight'],
      says: ["input table may be 'vocabulary.weight'", 'tables: { input }'],
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
      candidates: ['lm_head.weight_mask'],
    },
    { ...one({ ...embed, ...llama(), 'lm_head.weight_scale': vector(V) }), candidates: ['lm_head.weight_scale'] },
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
  'an adapter': [
    { ...one({ 'base_model.model.lm_head.weight': table(), ...lora }), says: ['belongs to an adapter'] },
    one({
      'base_model.model.model.embed_tokens.weight': table(),
      'base_model.model.lm_head.weight': table(1),
      ...lora,
    }),
    {
      ...one({ 'lm_head.weight': table(), ...llama() }, undefined, {
        name: 'adapter_model.safetensors',
        beside: { 'adapter_config.json': { peft_type: 'LORA' } },
      }),
      says: ['adapter_config.json'],
    },
    // Kinds of adapters without a factor of a listed name.
    {
      ...one({
        'base_model.model.model.embed_tokens.weight': table(),
        'base_model.model.model.layers.0.self_attn.q_proj.fourierft_spectrum': vector(D),
      }),
      says: ['names of an adapter'],
    },
    one({
      'base_model.model.lm_head.weight': table(),
      'base_model.model.model.layers.0.input_layernorm.weight': vector(D),
      'base_model.model.model.norm.weight': vector(D),
    }),
    one({
      'base_model.model.lm_head.weight': table(),
      'base_model.model.model.layers.0.self_attn.q_proj.bone_block': matrix(D, D),
    }),
  ],
  'a model with an unmerged adapter and two tables that differ': [
    one({
      'base_model.model.model.embed_tokens.base_layer.weight': table(),
      'base_model.model.model.embed_tokens.lora_embedding_A.default': matrix(2, V),
      'base_model.model.lm_head.weight': table(1),
    }),
    one({
      'base_model.model.model.embed_tokens.weight': table(),
      'base_model.model.lm_head.original_module.weight': table(),
      'base_model.model.lm_head.modules_to_save.default.weight': table(1),
    }),
  ],
  'a model with an unmerged adapter and one table': [
    one(
      {
        'base_model.model.model.embed_tokens.base_layer.weight': table(),
        'base_model.model.model.embed_tokens.lora_embedding_A.default': matrix(2, V),
        ...llama(2, 'base_model.model.model.'),
      },
      undefined,
      { metadata: { 'base_model.model.lm_head.weight': 'base_model.model.model.embed_tokens.base_layer.weight' } },
    ),
    {
      ...one({
        'base_model.model.model.embed_tokens.base_layer.weight': table(),
        'base_model.model.model.embed_tokens.lora_embedding_A.default': matrix(2, V),
        ...llama(2, 'base_model.model.model.'),
      }),
      says: ['merge it first'],
    },
  ],
  'a model with an unmerged adapter and equal tables': [
    one({
      'base_model.model.model.embed_tokens.base_layer.weight': table(),
      'base_model.model.model.embed_tokens.lora_embedding_A.default': matrix(2, V),
      'base_model.model.lm_head.weight': table(),
    }),
  ],
  'a draft model': [
    one({
      'embed_tokens.weight': table(),
      'fc.weight': matrix(D, 2 * D),
      'layers.0.self_attn.q_proj.weight': matrix(D, D),
    }),
    one({ ...embed, ...head(1), ...llama(1) }, { architectures: ['LlamaForCausalLMEagle3'] }),
    one({
      ...head(0),
      'midlayer.self_attn.q_proj.weight': matrix(D, 2 * D),
      'norm.weight': vector(D),
      d2t: bytes('I64', [V], 8),
    }),
    one({ 'embed_tokens.weight': table(), ...head(1), 'fc.weight': matrix(D, 5 * D), ...llama(2, '') }),
    one({ ...embed, 'model.fc.weight': matrix(D, 2 * D), ...llama() }),
    ...['dflash', 'gemma4-assistant', 'eagle3'].map((name) => ofGguf(name, {}, outputNorm)),
  ],
  'one part of a model in several files, without the index': [
    one({ ...embed, ...llama() }, undefined, { name: 'model-00001-of-00002.safetensors' }),
    one({
      ...embed,
      'model.layers.3.mlp.up.weight': matrix(D, D),
      'model.layers.4.mlp.up.weight': matrix(D, D),
      'model.norm.weight': vector(D),
    }),
    ofGguf('llama', { 'llama.block_count': { u32: 4 } }, {}),
    one({ ...embed, ...llama(), 'model.layers.0.flat_param': vector(64) }),
    one(
      { ...embed, 'model.layers.0.mlp.up.weight': matrix(D, D), 'model.layers.1.mlp.up.weight': matrix(D, D) },
      { ...causal, num_hidden_layers: 4, tie_word_embeddings: true },
    ),
  ],
  'an encoder': [
    one({ ...embed, ...llama() }, { architectures: ['Qwen3Model'] }),
    one(
      { 'shared.weight': table(), 'encoder.block.0.layer.0.SelfAttention.q.weight': matrix(D, D) },
      { architectures: ['T5EncoderModel'], tie_word_embeddings: false },
      { metadata: { 'encoder.embed_tokens.weight': 'shared.weight' } },
    ),
    one({
      'shared.weight': table(),
      'encoder.block.0.layer.0.SelfAttention.q.weight': matrix(D, D),
      'encoder.final_layer_norm.weight': vector(D),
    }),
    one({
      'text_model.embeddings.token_embedding.weight': table(),
      'text_model.encoder.layers.0.self_attn.q_proj.weight': matrix(D, D),
      'text_model.final_layer_norm.weight': vector(D),
    }),
    one({ '0_Transformer.auto_model.embed_tokens.weight': table(), ...llama(2, '0_Transformer.auto_model.') }),
    one({
      'token_embedding.weight': table(),
      'blocks.0.attn.q.weight': matrix(D, D),
      'blocks.0.pos_embedding.embedding.weight': matrix(4, 2),
      'norm.weight': vector(D),
    }),
    one({
      'cond_stage_model.transformer.text_model.embeddings.token_embedding.weight': table(),
      'cond_stage_model.transformer.text_model.encoder.layers.0.self_attn.q_proj.weight': matrix(D, D),
      'cond_stage_model.transformer.text_model.final_layer_norm.weight': vector(D),
      'first_stage_model.decoder.conv_in.weight': bytes('F32', [D, 3, 2, 2], 4),
    }),
    ...[undefined, causal].map((config) => ({
      ...one({ ...embed, ...llama() }, config, {
        beside: {
          'modules.json': [
            { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
            { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
          ],
        },
      }),
      says: ['modules.json beside it lists sentence_transformers.models.Pooling'],
    })),
    ofGguf('nomic-bert', { 'nomic-bert.pooling_type': { u32: 1 } }, outputNorm),
    ofGguf('t5encoder', {}, { 'enc.output_norm.weight': ggufVector }),
    ofGguf('gemma-embedding', {}, { ...outputNorm, 'dense_2.weight': ggufTable(D) }),
    ofGguf('qwen3', { 'qwen3.pooling_type': { u32: 3 } }, outputNorm),
    ofGguf('qwen2', { 'qwen2.attention.causal': bool(false) }, outputNorm),
  ],
  'a classifier or a reranker': [
    one({ ...embed, ...llama(), 'score.weight': matrix(2, D) }),
    one({ ...embed, ...llama() }, { architectures: ['Qwen3ForSequenceClassification'] }),
    one({ ...embed, ...llama(), 'v_head.summary.weight': matrix(1, D) }),
    ofGguf('qwen3', { 'qwen3.pooling_type': { u32: 4 } }, { ...outputNorm, 'cls.output.weight': ggufTable(2) }),
    ofGguf('qwen3', {}, { ...outputNorm, 'cls.output.weight': ggufTable(2) }),
  ],
  'a discriminator, an audio model or a vision model': [
    one(
      { 'electra.embeddings.word_embeddings.weight': table(), 'discriminator_predictions.dense.weight': matrix(D, D) },
      { architectures: ['ElectraForPreTraining'] },
    ),
    one({
      'electra.embeddings.word_embeddings.weight': table(),
      'discriminator_predictions.dense.weight': matrix(D, D),
    }),
    one(
      { 'wav2vec2.feature_projection.projection.weight': matrix(D, 4), 'lm_head.weight': table() },
      { architectures: ['Wav2Vec2ForCTC'] },
    ),
    one({
      'wav2vec2.feature_projection.projection.weight': matrix(D, 4),
      'wav2vec2.encoder.layers.0.attention.k_proj.weight': matrix(D, D),
      'lm_head.weight': table(),
    }),
    one({
      'head.weight': table(),
      'patch_embed.proj.weight': bytes('F32', [D, 3, 2, 2], 4),
      'blocks.0.attn.qkv.weight': matrix(3 * D, D),
      'norm.weight': vector(D),
    }),
    ofGguf('clip', {}, {}),
    ...['qwen3tts', 'pockettts', 'parler-tts'].map((name) => ofGguf(name, {}, outputNorm)),
    one({ ...embed, ...llama(), ...head(1) }, { architectures: ['CsmForConditionalGeneration'] }),
    one({
      'token_embedding.weight': table(),
      'transformer.resblocks.0.attn.in_proj_weight': matrix(3 * D, D),
      'ln_final.weight': vector(D),
      text_projection: matrix(D, D),
    }),
  ],
  'an encoder and a decoder, whose decoder has two equal tables': [
    one({
      'encoder.embeddings.word_embeddings.weight': table(),
      'decoder.bert.embeddings.word_embeddings.weight': table(1),
      'decoder.cls.predictions.decoder.weight': table(1),
    }),
    one({
      'text_encoder.embeddings.word_embeddings.weight': table(),
      'text_decoder.bert.embeddings.word_embeddings.weight': table(1),
      'text_decoder.cls.predictions.decoder.weight': table(1),
    }),
  ],
  'a model of this package': [
    one({ embedding: table() }, undefined, {
      metadata: { config: '{"kind":"direct-path","vocabSize":48,"dModel":8,"tying":"tied"}' },
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
  'a model of this package with an output table for frequent tokens and others for rare ones': [
    {
      ...one(
        { embedding: table(), unembedding: matrix(8, D), 'tails.0.map': matrix(4, D), 'tails.0.table': matrix(40, 4) },
        undefined,
        {
          metadata: {
            config: '{"kind":"transformer","vocabSize":48,"dModel":8,"tying":"untied","head":{"kind":"adaptive"}}',
          },
        },
      ),
      says: ["'unembedding', 'tails.0.table'"],
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
      candidates: ['subsampling.weight'],
      says: ["'subsampling.weight' may be what reads something other than tokens"],
    },
    ...['input_proj', 'audio_proj', 'frame_embed'].map((name) => ({
      ...one({ ...head(0), ...llama(), [`${name}.weight`]: matrix(D, 12) }, causal),
      candidates: [`${name}.weight`],
    })),
  ],
  'two tables of the first Phi, numbered as layers': [
    one({ ...firstPhi, 'layers.3.linear.bias': vector(V) }),
    one(firstPhi, { architectures: ['MixFormerSequentialForCausalLM'], model_type: 'mixformer-sequential' }),
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
    ].map(([name, rows, cols]) => ({
      ...one({ ...embed, ...llama(), [`${String(name)}.weight`]: matrix(Number(rows), Number(cols)) }),
      candidates: [`${String(name)}.weight`],
    })),
  ],
  'one table in a module of an unknown kind': [
    {
      ...one({ 'text_encoder.embed_tokens.weight': table(), ...llama(2, 'text_encoder.') }),
      says: ["is in 'text_encoder', which is not known to be a language model"],
    },
    one({ 'retriever.embed_tokens.weight': table(), ...llama(2, 'retriever.') }),
  ],
  'one table, and a class that is not known': ['LlamaForRegression', 'NVEmbed', 'BiQwen2_5'].map((name) => ({
    ...one({ ...embed, ...llama() }, { architectures: [name] }),
    says: [`whether its class, ${name}, has a head`.replace('w', 'W')],
  })),
  'one table, and an unknown general.architecture': ['xlm-roberta', 'newest'].map((name) => ({
    ...ofGguf(name, {}, outputNorm),
    says: [`general.architecture is '${name}'`],
  })),
};
