/**
 * Configurations in the form of Hugging Face's config.json, one or more per `model_type`, written for these tests from
 * public sizes. Fields that do not matter here are left out.
 */
export interface Sample {
  config: Record<string, unknown>;
  /** The known model, or the total number of parameters. */
  is: string | number;
}

const llamaLike = (
  type: string,
  [vocab, width, hidden, layers, heads, keyValueHeads]: readonly number[],
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  model_type: type,
  vocab_size: vocab,
  hidden_size: width,
  intermediate_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  num_key_value_heads: keyValueHeads,
  ...more,
});

const gpt2 = (width: number, layers: number, heads: number): Record<string, unknown> => ({
  model_type: 'gpt2',
  vocab_size: 50_257,
  n_embd: width,
  n_layer: layers,
  n_head: heads,
  n_positions: 1024,
  n_inner: null,
});

const bert = (type: string, vocab: number, more: Record<string, unknown>): Record<string, unknown> => ({
  model_type: type,
  vocab_size: vocab,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  ...more,
});

const t5 = (type: string, more: Record<string, unknown>): Record<string, unknown> => ({
  model_type: type,
  vocab_size: 32_128,
  d_model: 768,
  d_kv: 64,
  d_ff: 3072,
  num_layers: 12,
  num_heads: 12,
  relative_attention_num_buckets: 32,
  ...more,
});

const neox = (width: number, layers: number, heads: number): Record<string, unknown> => ({
  model_type: 'gpt_neox',
  vocab_size: 50_304,
  hidden_size: width,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  intermediate_size: 4 * width,
  tie_word_embeddings: false,
});

/** 60 layers of (128 + 2 x 8) heads of 64, their output map, a feed-forward part of 4 d and two norms; table and last norm. */
const FALCON_40B = 60 * (8192 * 144 * 64 + 8192 ** 2 + 8 * 8192 ** 2 + 4 * 8192) + 65_024 * 8192 + 2 * 8192;

const UNTIED = { tie_word_embeddings: false };
const TIED = { tie_word_embeddings: true };

export const SAMPLES: readonly Sample[] = [
  { config: gpt2(768, 12, 12), is: 'gpt2' },
  { config: gpt2(1600, 48, 25), is: 'gpt2-xl' },
  {
    config: {
      model_type: 'gpt_neo',
      vocab_size: 50_257,
      hidden_size: 2560,
      num_layers: 32,
      num_heads: 20,
      intermediate_size: null,
      max_position_embeddings: 2048,
    },
    is: 'gpt-neo-2.7b',
  },
  { config: neox(512, 6, 8), is: 'pythia-70m' },
  { config: neox(2560, 32, 32), is: 'pythia-2.8b' },
  {
    config: {
      model_type: 'opt',
      vocab_size: 50_272,
      hidden_size: 768,
      word_embed_proj_dim: 768,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      ffn_dim: 3072,
      max_position_embeddings: 2048,
      do_layer_norm_before: true,
    },
    is: 'opt-125m',
  },
  {
    config: { model_type: 'bloom', vocab_size: 250_880, hidden_size: 1024, n_layer: 24, n_head: 16, n_inner: null },
    is: 'bloom-560m',
  },
  // Falcon RW 1B: ALiBi, biases and one more norm; total as counted by Keras.
  {
    config: {
      model_type: 'falcon',
      vocab_size: 50_304,
      hidden_size: 2048,
      num_hidden_layers: 24,
      num_attention_heads: 32,
      alibi: true,
      bias: true,
      multi_query: false,
      parallel_attn: false,
    },
    is: 1_311_625_216,
  },
  // Falcon 40B: the newer form, with groups of keys and values and two norms side by side.
  {
    config: {
      model_type: 'falcon',
      vocab_size: 65_024,
      hidden_size: 8192,
      num_hidden_layers: 60,
      num_attention_heads: 128,
      num_kv_heads: 8,
      new_decoder_architecture: true,
    },
    is: FALCON_40B,
  },
  {
    config: {
      model_type: 'phi',
      vocab_size: 51_200,
      hidden_size: 2560,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 32,
      intermediate_size: 10_240,
      ...UNTIED,
    },
    is: 'phi-2',
  },
  { config: bert('bert', 30_522, { max_position_embeddings: 512, type_vocab_size: 2 }), is: 'bert-base' },
  { config: bert('roberta', 50_265, { max_position_embeddings: 514, type_vocab_size: 1 }), is: 'roberta-base' },
  // XLM-R base with its head for masked tokens.
  { config: bert('xlm-roberta', 250_002, { max_position_embeddings: 514, type_vocab_size: 1 }), is: 278_295_186 },
  // DistilBERT with its head for masked tokens.
  {
    config: {
      model_type: 'distilbert',
      vocab_size: 30_522,
      dim: 768,
      n_layers: 6,
      n_heads: 12,
      hidden_dim: 3072,
      max_position_embeddings: 512,
    },
    is: 66_985_530,
  },
  { config: t5('t5', { feed_forward_proj: 'relu' }), is: 't5-base' },
  { config: t5('t5', { d_ff: 2048, feed_forward_proj: 'gated-gelu', ...UNTIED }), is: 't5-v1.1-base' },
  {
    config: t5('mt5', {
      vocab_size: 250_112,
      d_model: 512,
      d_ff: 1024,
      num_layers: 8,
      num_decoder_layers: 8,
      num_heads: 6,
      feed_forward_proj: 'gated-gelu',
      ...UNTIED,
    }),
    is: 'mt5-small',
  },
  { config: llamaLike('llama', [32_000, 4096, 11_008, 32, 32, 32], UNTIED), is: 'llama-2-7b' },
  { config: llamaLike('llama', [128_256, 2048, 8192, 16, 32, 8], { head_dim: 64, ...TIED }), is: 'llama-3.2-1b' },
  { config: llamaLike('llama', [49_152, 576, 1536, 30, 9, 3], TIED), is: 'smollm2-135m' },
  { config: llamaLike('mistral', [32_768, 4096, 14_336, 32, 32, 8], UNTIED), is: 'mistral-7b' },
  {
    config: {
      model_type: 'mistral3',
      vision_config: { model_type: 'pixtral', hidden_size: 1024 },
      text_config: llamaLike('ministral3', [131_072, 3072, 9216, 26, 32, 8], { head_dim: 128, ...TIED }),
    },
    is: 'ministral-3-3b',
  },
  { config: llamaLike('qwen2', [151_936, 896, 4864, 24, 14, 2], TIED), is: 'qwen2-0.5b' },
  { config: llamaLike('qwen2', [152_064, 3584, 18_944, 28, 28, 4], UNTIED), is: 'qwen2-7b' },
  { config: llamaLike('qwen3', [151_936, 1024, 3072, 28, 16, 8], { head_dim: 128, ...TIED }), is: 'qwen3-0.6b' },
  {
    config: {
      model_type: 'qwen2_vl',
      ...TIED,
      text_config: llamaLike('qwen2_vl_text', [151_936, 1536, 8960, 28, 12, 2], TIED),
      vision_config: {},
    },
    is: 'qwen2-1.5b',
  },
  {
    config: {
      model_type: 'qwen2_5_vl',
      ...TIED,
      text_config: llamaLike('qwen2_5_vl_text', [151_936, 2048, 11_008, 36, 16, 2], TIED),
      vision_config: {},
    },
    is: 'qwen2.5-3b',
  },
  {
    config: {
      model_type: 'qwen3_vl',
      ...TIED,
      text_config: llamaLike('qwen3_vl_text', [151_936, 2560, 9728, 36, 32, 8], { head_dim: 128, ...TIED }),
      vision_config: {},
    },
    is: 'qwen3-4b',
  },
  { config: llamaLike('olmo', [50_304, 2048, 8192, 16, 16, 16], TIED), is: 'olmo-1b' },
  { config: llamaLike('olmo2', [100_352, 4096, 11_008, 32, 32, 32], UNTIED), is: 'olmo-2-7b' },
  // OLMo 3 has the shape of OLMo 2.
  { config: llamaLike('olmo3', [100_352, 4096, 11_008, 32, 32, 32], UNTIED), is: 'olmo-2-7b' },
  { config: llamaLike('phi3', [32_064, 3072, 8192, 32, 32, 32], UNTIED), is: 'phi-3.5-mini' },
  { config: llamaLike('phi3', [200_064, 3072, 8192, 32, 24, 8], TIED), is: 'phi-4-mini' },
  // Granite 3.1 2B.
  { config: llamaLike('granite', [49_155, 2048, 8192, 40, 32, 8], TIED), is: 2_533_531_648 },
  { config: llamaLike('smollm3', [128_256, 2048, 11_008, 36, 16, 4]), is: 'smollm3-3b' },
  {
    config: llamaLike('stablelm', [50_304, 2560, 6912, 32, 32, 32], { use_qkv_bias: false, ...UNTIED }),
    is: 'stablelm-3b',
  },
  { config: llamaLike('gemma', [256_000, 2048, 16_384, 18, 8, 1], { head_dim: 256 }), is: 'gemma-2b' },
  { config: llamaLike('gemma2', [256_000, 3584, 14_336, 42, 16, 8], { head_dim: 256 }), is: 'gemma-2-9b' },
  { config: llamaLike('gemma3_text', [262_144, 1152, 6912, 26, 4, 1], { head_dim: 256 }), is: 'gemma-3-1b' },
  // Gemma 3 4B lists only the fields of its language model that differ from the class's defaults.
  {
    config: {
      model_type: 'gemma3',
      text_config: { model_type: 'gemma3_text', hidden_size: 2560, intermediate_size: 10_240, num_hidden_layers: 34 },
    },
    is: 3_880_263_168,
  },
  {
    config: llamaLike('mixtral', [32_000, 4096, 14_336, 32, 32, 8], {
      num_local_experts: 8,
      num_experts_per_tok: 2,
      ...UNTIED,
    }),
    is: 'mixtral-8x7b',
  },
  {
    config: llamaLike('olmoe', [50_304, 2048, 1024, 16, 16, 16], {
      num_experts: 64,
      num_experts_per_tok: 8,
      ...UNTIED,
    }),
    is: 'olmoe-1b-7b',
  },
  {
    config: llamaLike('qwen2_moe', [151_936, 2048, 5632, 24, 16, 16], {
      num_experts: 60,
      num_experts_per_tok: 4,
      moe_intermediate_size: 1408,
      shared_expert_intermediate_size: 5632,
      decoder_sparse_step: 1,
      ...UNTIED,
    }),
    is: 'qwen1.5-moe-a2.7b',
  },
  {
    config: llamaLike('qwen3_moe', [151_936, 2048, 6144, 48, 32, 4], {
      head_dim: 128,
      num_experts: 128,
      num_experts_per_tok: 8,
      moe_intermediate_size: 768,
      mlp_only_layers: [],
      ...UNTIED,
    }),
    is: 'qwen3-30b-a3b',
  },
];
