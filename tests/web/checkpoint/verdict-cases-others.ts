/** Files that are no whole language models. */
import {
  bool,
  bytes,
  causal,
  D,
  embed,
  ggufTable,
  ggufVector,
  head,
  llama,
  lora,
  matrix,
  ofGguf,
  one,
  outputNorm,
  table,
  V,
  vector,
  type VerdictCase,
} from './verdict-files.js';

export const OTHERS: Readonly<Record<string, readonly VerdictCase[]>> = {
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
  'a model with an unmerged adapter and one table': [
    // Rows for some tokens.
    one({ ...embed, 'model.embed_tokens.trainable_tokens_delta': matrix(3, D), ...llama() }),
    one({
      'base_model.model.model.embed_tokens.token_adapter.base_layer.weight': table(),
      'base_model.model.model.embed_tokens.token_adapter.trainable_tokens_delta': matrix(3, D),
      ...llama(2, 'base_model.model.model.'),
    }),
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
  'some parts of a model in several files, without the index': [
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
};
