/** The names that model families give their tensors, as their authors' programs save them. */

export interface Family {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  /** A matrix of layer #. */
  readonly layer: string;
  readonly norm?: string;
  /** Other matrices and vectors: [rows, columns] or [length], in V (tokens), d (width) or numbers. */
  readonly others?: Readonly<Record<string, readonly ('V' | 'd' | number)[]>>;
  /** Parts of its head, without which a file of one table is none of this family. */
  readonly head?: Readonly<Record<string, readonly ('V' | 'd' | number)[]>>;
  /** Whether files may have one table only: some families are never tied. */
  readonly single?: false;
  /** Whether nothing comes after its last layer, so that its first layers alone have the names of the whole. */
  readonly endless?: true;
  /** Whether the output table has one column per token. */
  readonly turned?: true;
  /** Without `.weight`. */
  readonly bare?: true;
}

const vision = {
  'model.visual.patch_embed.proj.weight': ['d', 3, 2, 2],
  'model.visual.blocks.0.attn.qkv.weight': ['d', 'd'],
} as const;

export const FAMILIES: readonly Family[] = [
  {
    name: 'Llama',
    input: 'model.embed_tokens',
    output: 'lm_head',
    layer: 'model.layers.#.self_attn.q_proj',
    norm: 'model.norm',
  },
  {
    name: 'GPT-2',
    input: 'wte',
    output: 'lm_head',
    layer: 'h.#.attn.c_proj',
    norm: 'ln_f',
    others: { 'wpe.weight': [24, 'd'] },
  },
  {
    name: 'nanoGPT',
    input: 'transformer.wte',
    output: 'lm_head',
    layer: 'transformer.h.#.attn.c_proj',
    norm: 'transformer.ln_f',
    others: { 'transformer.wpe.weight': [24, 'd'] },
  },
  {
    name: 'nanochat',
    input: 'transformer.wte',
    output: 'lm_head',
    layer: 'transformer.h.#.attn.c_q',
    others: { 'value_embeds.1.weight': ['V', 'd'] },
    endless: true,
  },
  {
    name: 'Pythia',
    input: 'gpt_neox.embed_in',
    output: 'embed_out',
    layer: 'gpt_neox.layers.#.attention.dense',
    norm: 'gpt_neox.final_layer_norm',
  },
  {
    name: 'BLOOM',
    input: 'word_embeddings',
    output: 'lm_head',
    layer: 'h.#.self_attention.dense',
    norm: 'ln_f',
    others: { 'word_embeddings_layernorm.weight': ['d'] },
  },
  {
    name: 'Falcon',
    input: 'transformer.word_embeddings',
    output: 'lm_head',
    layer: 'transformer.h.#.mlp.dense_h_to_4h',
    norm: 'transformer.ln_f',
  },
  {
    name: 'OPT',
    input: 'model.decoder.embed_tokens',
    output: 'lm_head',
    layer: 'model.decoder.layers.#.fc1',
    norm: 'model.decoder.final_layer_norm',
    others: { 'model.decoder.embed_positions.weight': [26, 'd'] },
  },
  { name: 'Llama’s own', input: 'tok_embeddings', output: 'output', layer: 'layers.#.attention.wq', norm: 'norm' },
  {
    name: 'InternLM2',
    input: 'model.tok_embeddings',
    output: 'output',
    layer: 'model.layers.#.attention.wqkv',
    norm: 'model.norm',
  },
  {
    name: 'OLMo',
    input: 'model.transformer.wte',
    output: 'model.transformer.ff_out',
    layer: 'model.transformer.blocks.#.att_proj',
    endless: true,
  },
  {
    name: 'Mamba',
    input: 'backbone.embeddings',
    output: 'lm_head',
    layer: 'backbone.layers.#.mixer.in_proj',
    norm: 'backbone.norm_f',
  },
  {
    name: 'RWKV',
    input: 'rwkv.embeddings',
    output: 'head',
    layer: 'rwkv.blocks.#.attention.key',
    norm: 'rwkv.ln_out',
    single: false,
  },
  {
    name: 'ChatGLM',
    input: 'transformer.embedding.word_embeddings',
    output: 'transformer.output_layer',
    layer: 'transformer.encoder.layers.#.mlp.dense_h_to_4h',
    norm: 'transformer.encoder.final_layernorm',
  },
  { name: 'DeepSeek’s own', input: 'embed', output: 'head', layer: 'layers.#.attn.wq_a', norm: 'norm', single: false },
  {
    name: 'Phi’s own',
    input: 'transformer.embd.wte',
    output: 'lm_head.linear',
    layer: 'transformer.h.#.mlp.fc1',
    others: { 'lm_head.ln.weight': ['d'], 'lm_head.linear.bias': ['V'] },
    single: false,
  },
  {
    name: 'a book',
    input: 'tok_emb',
    output: 'out_head',
    layer: 'trf_blocks.#.att.W_query',
    norm: 'final_norm',
    others: { 'pos_emb.weight': [24, 'd'] },
  },
  {
    name: 'a lecture',
    input: 'token_embedding_table',
    output: 'lm_head',
    layer: 'blocks.#.sa.proj',
    norm: 'ln_f',
    others: { 'position_embedding_table.weight': [24, 'd'], 'lm_head.bias': ['V'] },
  },
  {
    name: 'TransformerLens',
    input: 'embed.W_E',
    output: 'unembed.W_U',
    layer: 'blocks.#.attn.W_Q',
    norm: 'ln_final.w',
    others: { 'unembed.b_U': ['V'], 'pos_embed.W_pos': [24, 'd'] },
    single: false,
    turned: true,
    bare: true,
  },
  {
    name: 'Gemma 3',
    input: 'language_model.model.embed_tokens',
    output: 'language_model.lm_head',
    layer: 'language_model.model.layers.#.mlp.up_proj',
    norm: 'language_model.model.norm',
    others: {
      'vision_tower.vision_model.embeddings.position_embedding.weight': [9, 'd'],
      'multi_modal_projector.mm_input_projection_weight': [6, 'd'],
    },
  },
  {
    name: 'Gemma 3n',
    input: 'model.language_model.embed_tokens',
    output: 'lm_head',
    layer: 'model.language_model.layers.#.mlp.up_proj',
    norm: 'model.language_model.norm',
    others: {
      'model.language_model.embed_tokens_per_layer.weight': ['V', 30],
      'model.embed_vision.embedding.weight': [4, 'd'],
      'model.embed_audio.embedding.weight': [4, 'd'],
      'model.language_model.per_layer_model_projection.weight': [30, 'd'],
    },
  },
  {
    name: 'Qwen-VL',
    input: 'model.language_model.embed_tokens',
    output: 'lm_head',
    layer: 'model.language_model.layers.#.mlp.up_proj',
    norm: 'model.language_model.norm',
    others: vision,
  },
  {
    name: 'InternVL',
    input: 'language_model.model.embed_tokens',
    output: 'language_model.lm_head',
    layer: 'language_model.model.layers.#.mlp.up_proj',
    norm: 'language_model.model.norm',
    others: {
      'vision_model.embeddings.class_embedding': [1, 1, 'd'],
      'mlp1.1.weight': ['d', 32],
      'mlp1.3.weight': ['d', 'd'],
    },
  },
  {
    name: 'DeepSeek on the Hub',
    input: 'model.embed_tokens',
    output: 'lm_head',
    layer: 'model.layers.#.mlp.up_proj',
    norm: 'model.norm',
    others: {
      'model.layers.2.embed_tokens.weight': ['V', 'd'],
      'model.layers.2.shared_head.head.weight': ['V', 'd'],
      'model.layers.2.eh_proj.weight': ['d', 'd'],
    },
    single: false,
  },
  {
    name: 'BERT',
    input: 'bert.embeddings.word_embeddings',
    output: 'cls.predictions.decoder',
    layer: 'bert.encoder.layer.#.attention.self.query',
    others: {
      'bert.embeddings.position_embeddings.weight': [24, 'd'],
      'bert.embeddings.token_type_embeddings.weight': [2, 'd'],
      'bert.embeddings.LayerNorm.weight': ['d'],
    },
    head: { 'cls.predictions.bias': ['V'], 'cls.predictions.transform.dense.weight': ['d', 'd'] },
  },
  {
    name: 'RoBERTa',
    input: 'roberta.embeddings.word_embeddings',
    output: 'lm_head.decoder',
    layer: 'roberta.encoder.layer.#.attention.self.query',
    others: {
      'roberta.embeddings.position_embeddings.weight': [24, 'd'],
      'roberta.embeddings.token_type_embeddings.weight': [1, 'd'],
    },
    head: { 'lm_head.bias': ['V'], 'lm_head.dense.weight': ['d', 'd'], 'lm_head.layer_norm.weight': ['d'] },
  },
  {
    name: 'ModernBERT',
    input: 'model.embeddings.tok_embeddings',
    output: 'decoder',
    layer: 'model.layers.#.attn.Wqkv',
    norm: 'model.final_norm',
    head: { 'decoder.bias': ['V'], 'head.dense.weight': ['d', 'd'], 'head.norm.weight': ['d'] },
  },
  {
    name: 'DistilBERT',
    input: 'distilbert.embeddings.word_embeddings',
    output: 'vocab_projector',
    layer: 'distilbert.transformer.layer.#.attention.q_lin',
    others: { 'distilbert.embeddings.position_embeddings.weight': [24, 'd'] },
    head: { 'vocab_transform.weight': ['d', 'd'], 'vocab_projector.bias': ['V'] },
  },
  {
    name: 'T5',
    input: 'shared',
    output: 'lm_head',
    layer: 'decoder.block.#.layer.0.SelfAttention.q',
    norm: 'decoder.final_layer_norm',
    others: { 'encoder.block.0.layer.0.SelfAttention.q.weight': ['d', 'd'], 'encoder.final_layer_norm.weight': ['d'] },
  },
  {
    name: 'BART',
    input: 'model.shared',
    output: 'lm_head',
    layer: 'model.decoder.layers.#.fc1',
    others: {
      'model.encoder.layers.0.fc1.weight': ['d', 'd'],
      'model.decoder.embed_positions.weight': [26, 'd'],
      'model.encoder.embed_positions.weight': [26, 'd'],
    },
    head: { final_logits_bias: [1, 'V'] },
  },
  {
    name: 'Whisper',
    input: 'model.decoder.embed_tokens',
    output: 'proj_out',
    layer: 'model.decoder.layers.#.fc1',
    norm: 'model.decoder.layer_norm',
    others: {
      'model.encoder.conv1.weight': ['d', 6, 3],
      'model.encoder.layers.0.fc1.weight': ['d', 'd'],
      'model.decoder.embed_positions.weight': [26, 'd'],
    },
  },
  {
    name: 'BERT after BERT',
    input: 'decoder.bert.embeddings.word_embeddings',
    output: 'decoder.cls.predictions.decoder',
    layer: 'decoder.bert.encoder.layer.#.attention.self.query',
    others: {
      'encoder.embeddings.word_embeddings.weight': ['V', 'd'],
      'encoder.encoder.layer.0.attention.self.query.weight': ['d', 'd'],
    },
    head: { 'decoder.cls.predictions.bias': ['V'], 'decoder.cls.predictions.transform.dense.weight': ['d', 'd'] },
  },
];
