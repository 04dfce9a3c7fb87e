/** Files whose tying is proved, either way. */
import { tinyModel } from '../../browser/llama2c-files.js';
import { fileOf, joined, npy, ramp, uint } from './checkpoint-files.js';
import { dict, floatStorage, stateDict, tensor, torchOld, torchZip } from './pytorch-files.js';
import {
  bert,
  bool,
  bytes,
  causal,
  changed,
  D,
  embed,
  firstPhi,
  ggufVector,
  half,
  head,
  images,
  llama,
  luke,
  marian,
  matrix,
  ofGguf,
  one,
  outputNorm,
  packedHead,
  packedIn,
  table,
  thirds,
  transposed,
  turned,
  V,
  vector,
  type VerdictCase,
} from './verdict-files.js';

const storage = floatStorage('0', V * D);
const ofPyTorch = tensor(storage, [V, D]);

export const PROVED: Readonly<Record<string, readonly VerdictCase[]>> = {
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
    // Pictures and drafts beside them change nothing.
    one({ ...embed, ...head(1), ...llama(), 'visual_projection.0.weight': matrix(D, 12) }),
    one({ ...embed, ...head(1), ...llama(), 'medusa_head.0.0.linear.weight': matrix(D, D) }),
    one({ ...embed, ...head(1), ...llama() }),
    one({ 'word_emb.weight': table(), 'out.weight': table(1), 'gru.weight_ih_l0': matrix(3 * D, D) }),
    one({ encoder_Wemb: table(2), decoder_Wemb: table(), decoder_ff_logit_out_W: matrix(D, V, 1), ...marian() }),
    one({
      'embed.weight': table(),
      'head.weight': table(1),
      'layers.0.attn.wq.weight': matrix(D, D),
      'norm.weight': vector(D),
    }),
    one({ 'transformer.wte.weight': table(), 'lm_head.weight': table(1), 'value_embeds.1.weight': table(2) }),
    one({ 'tok_emb.weight': table(), 'out_head.weight': table(1) }),
    one({
      'encoder.weight': table(),
      'rnn.weight_ih_l0': matrix(4 * D, D),
      'decoder.weight': table(1),
      'decoder.bias': vector(V),
    }),
    one({
      '0.encoder.weight': table(),
      '0.rnns.0.module.weight_ih_l0': matrix(4 * D, D),
      '1.decoder.weight': table(1),
    }),
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
  'two names of one storage, in a file of PyTorch': [
    {
      source: fileOf(
        'model.pt',
        torchZip(stateDict({ 'encoder.weight': ofPyTorch, 'decoder.weight': ofPyTorch }), [storage]),
      ),
      says: ["'encoder.weight' and 'decoder.weight' are two names of one storage"],
    },
    {
      source: torchZip(stateDict({ 'wte.weight': ofPyTorch, 'lm_head.weight': ofPyTorch }), [storage]),
      says: ["'wte.weight' and 'lm_head.weight' are two names of one storage"],
    },
    // The transpose, for a map with a column per token; and the older form, within what training needs.
    {
      source: torchZip(
        stateDict({ 'embed.W_E': ofPyTorch, 'unembed.W_U': tensor(storage, [D, V], { strides: [1, D] }) }),
        [storage],
      ),
    },
    {
      source: torchOld(dict({ model: stateDict({ wte: ofPyTorch, lm_head: ofPyTorch }), optimizer: null }), [storage]),
    },
  ],
  'a whole language model without an output table': [
    one({ ...embed, ...llama() }),
    // What is kept of a module without its table.
    one({ ...embed, ...llama(), 'lm_head._extra_state': bytes('U8', [5], 1) }),
    one({ ...embed, ...llama(), 'decoder.relpos_bias.rel_embedding': matrix(2, 32) }),
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
    // In GGUF, its final norm has the name of another one.
    ofGguf('lfm2moe', {}, { 'token_embd_norm.weight': ggufVector }),
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
    // Feed-forward parts with as many inner numbers as tokens, and twice as many under names that nobody has seen; and a width as large.
    ...(
      [
        ['mlp.up_proj', 'mlp.down_proj', V],
        ['net.fc1', 'net.fc2', 2 * V],
      ] as const
    ).map(([up, down, inner]) =>
      one({
        ...embed,
        ...llama(),
        ...Object.fromEntries(
          [0, 1].flatMap((layer) => [
            [`model.layers.${layer}.${up}.weight`, matrix(inner, D)],
            [`model.layers.${layer}.${down}.weight`, matrix(D, inner)],
          ]),
        ),
      }),
    ),
    one({
      'model.embed_tokens.weight': matrix(D, D),
      ...llama(),
      'model.layers.0.self_attn.k_proj.weight': matrix(D, D),
      'model.layers.1.self_attn.k_proj.weight': matrix(D, D),
      'model.layers.0.mlp.gate_up_proj.weight': matrix(6 * D, D),
      'model.layers.1.mlp.gate_up_proj.weight': matrix(6 * D, D),
      'model.layers.0.mlp.down_proj.weight': matrix(D, 3 * D),
      'model.layers.1.mlp.down_proj.weight': matrix(D, 3 * D),
    }),
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
    // Molmo's rows for further tokens, Florence-2's positions, LUKE's second vocabulary, and the map of Granite Speech's encoder to letters.
    one({
      'model.transformer.wte.embedding': table(),
      'model.transformer.wte.new_embedding': matrix(3, D),
      ...llama(2, 'model.transformer.'),
    }),
    one({
      ...embed,
      ...llama(),
      ...images,
      'image_pos_embed.row_embeddings.weight': matrix(16, D / 2),
      'image_pos_embed.column_embeddings.weight': matrix(16, D / 2),
    }),
    one(luke, { architectures: ['LukeForMaskedLM'] }),
    one({
      'language_model.model.embed_tokens.weight': table(),
      ...llama(2, 'language_model.model.'),
      ...llama(2, 'encoder.'),
      'encoder.input_linear.weight': matrix(D, 5),
      'encoder.out.weight': matrix(7, D),
    }),
    // Maps within layers have numbers of their own.
    one({
      'tok_emb.weight': table(),
      'layers_list.0.ff.layers.0.weight': matrix(D, D),
      'layers_list.0.ff.layers.2.weight': matrix(D, D),
      'final_norm.weight': vector(D),
    }),
    ...['GPT', 'GPTLanguageModel', 'Transformer', 'TinyGPT'].map((name) =>
      one({ ...embed, ...llama() }, { architectures: [name] }),
    ),
    one(
      {
        'git.embeddings.word_embeddings.weight': table(),
        'git.encoder.layer.0.attention.self.query.weight': matrix(D, D),
      },
      { architectures: ['GitForCausalLM'], tie_word_embeddings: true },
    ),
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
    { ...one({ Wemb: table(), ...marian() }), adds: ['decoder_ff_logit_out_b'] },
    one({ encoder_Wemb: matrix(V + 5, D), decoder_Wemb: table(), Wpos: matrix(60, D), ...marian() }),
    // GIT, whose output keeps its bias.
    one({
      'git.embeddings.word_embeddings.weight': table(),
      'git.encoder.layer.0.attention.self.query.weight': matrix(D, D),
      'output.bias': vector(V),
    }),
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
  'a whole language model with one packed table': [
    one({ ...packedIn('U32', 1), ...llama() }),
    one({ 'model.embed_tokens._weight_qdata': bytes('I8', [V, D], 1), ...llama() }),
  ],
  'two packed tables with equal parts': [one({ ...packedIn('U32', 1), ...packedIn('U32', 1, 'lm_head'), ...llama() })],
  'two tables packed by MLX, with numbers that have no original in common': [
    one({ ...packedIn('U32', 1, undefined, 0x77), ...packedIn('U32', 1, 'lm_head', 0x33), ...llama() }),
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
  'two tables of the first Phi, numbered as layers': [
    one({ ...firstPhi, 'layers.3.linear.bias': vector(V) }),
    one(firstPhi, { architectures: ['MixFormerSequentialForCausalLM'], model_type: 'mixformer-sequential' }),
  ],
};
