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

const bart = (
  type: string,
  vocab: number,
  width: number,
  layers: number,
  heads: number,
  hidden: number,
  positions: number,
): Record<string, unknown> => ({
  ...{ model_type: type, vocab_size: vocab, d_model: width, encoder_layers: layers, decoder_layers: layers },
  ...{
    encoder_attention_heads: heads,
    decoder_attention_heads: heads,
    encoder_ffn_dim: hidden,
    decoder_ffn_dim: hidden,
  },
  max_position_embeddings: positions,
});

/** Table, layers with biases and norms, and what else there is: positions and norms outside of layers. */
const encoderDecoder = (
  [vocab, d, hidden]: readonly [number, number, number],
  [encoders, decoders]: readonly [number, number],
  more: number,
): number =>
  vocab * d +
  encoders * (4 * d ** 2 + 2 * d * hidden + 9 * d + hidden) +
  decoders * (8 * d ** 2 + 2 * d * hidden + 15 * d + hidden) +
  more;

/** 60 layers of (128 + 2 x 8) heads of 64, their output map, a feed-forward part of 4 d and two norms; table and last norm. */
const FALCON_40B = 60 * (8192 * 144 * 64 + 8192 ** 2 + 8 * 8192 ** 2 + 4 * 8192) + 65_024 * 8192 + 2 * 8192;

const DEEPSEEK_V3 = {
  ...{ model_type: 'deepseek_v3', vocab_size: 129_280, hidden_size: 7168, intermediate_size: 18_432 },
  ...{ num_hidden_layers: 61, num_attention_heads: 128, q_lora_rank: 1536, kv_lora_rank: 512, qk_rope_head_dim: 64 },
  ...{
    qk_nope_head_dim: 128,
    v_head_dim: 128,
    n_routed_experts: 256,
    n_shared_experts: 1,
    moe_intermediate_size: 2048,
  },
  ...{ first_k_dense_replace: 3, moe_layer_freq: 1, num_experts_per_tok: 8, tie_word_embeddings: false },
};

const LFM2_350M = {
  ...{ model_type: 'lfm2', vocab_size: 65_536, hidden_size: 1024, intermediate_size: 6656, num_hidden_layers: 16 },
  ...{ num_attention_heads: 16, num_key_value_heads: 8, full_attn_idxs: [2, 5, 8, 10, 12, 14], conv_L_cache: 3 },
  ...{ block_multiple_of: 256, block_ffn_dim_multiplier: 1, tie_embedding: true },
};

const mamba = (width: number, layers: number): Record<string, unknown> => ({
  ...{
    model_type: 'mamba',
    vocab_size: 50_280,
    hidden_size: width,
    num_hidden_layers: layers,
    state_size: 16,
    expand: 2,
  },
  ...{ conv_kernel: 4, time_step_rank: width / 16, intermediate_size: 2 * width, tie_word_embeddings: true },
});

const UNTIED = { tie_word_embeddings: false };
const TIED = { tie_word_embeddings: true };

const small = (type: string, more: Record<string, unknown> = {}): Record<string, unknown> =>
  llamaLike(type, [1000, 64, 96, 2, 8, 2], { tie_word_embeddings: false, ...more });
const TABLES = 2 * 1000 * 64;
const ATTENTION = 2 * 64 * 64 + 2 * 16 * 64;
const GATED = 3 * 64 * 96;

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
  // OPT-350m, with tables half as wide as its layers; total as published.
  {
    config: {
      ...{ model_type: 'opt', vocab_size: 50_272, hidden_size: 1024, word_embed_proj_dim: 512, num_hidden_layers: 24 },
      ...{ num_attention_heads: 16, ffn_dim: 4096, max_position_embeddings: 2048, do_layer_norm_before: false },
    },
    is: 331_196_416,
  },
  // Whisper tiny; total as published, with the positions of its encoder.
  {
    config: {
      ...{ model_type: 'whisper', vocab_size: 51_865, d_model: 384, encoder_layers: 4, decoder_layers: 4 },
      ...{ encoder_attention_heads: 6, decoder_attention_heads: 6, encoder_ffn_dim: 1536, decoder_ffn_dim: 1536 },
      ...{ num_mel_bins: 80, max_source_positions: 1500, max_target_positions: 448 },
    },
    is: 37_760_640,
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
    is: 14_315_784_192,
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
  // Models whose layers the fields describe. Totals written as a number are those of a known model, with its source, or as the comment says; the
  // others are arithmetic.
  {
    config: {
      model_type: 'mpt',
      vocab_size: 50_432,
      d_model: 4096,
      n_layers: 32,
      n_heads: 32,
      expansion_ratio: 4,
      no_bias: true,
    },
    is: 32 * (12 * 4096 ** 2 + 2 * 4096) + 50_432 * 4096 + 4096,
  },
  {
    config: { model_type: 'codegen', vocab_size: 51_200, n_embd: 1024, n_layer: 20, n_head: 16, n_inner: null },
    is: 20 * (12 * 1024 ** 2 + 7 * 1024) + 51_200 * (2 * 1024 + 1) + 2 * 1024,
  },
  {
    config: { model_type: 'gptj', vocab_size: 50_400, n_embd: 4096, n_layer: 28, n_head: 16, n_inner: null },
    is: 6_050_882_784,
  },
  // StarCoder.
  {
    config: {
      ...{ model_type: 'gpt_bigcode', vocab_size: 49_152, n_embd: 6144, n_layer: 40, n_head: 48, n_inner: 24_576 },
      ...{ n_positions: 8192, multi_query: true },
    },
    is: 15_517_456_384,
  },
  // As several programs count the loaded model.
  { config: { ...gpt2(768, 12, 12), model_type: 'openai-gpt', vocab_size: 40_478, n_positions: 512 }, is: 116_534_784 },
  {
    config: {
      ...{
        model_type: 'biogpt',
        vocab_size: 42_384,
        hidden_size: 1024,
        num_hidden_layers: 24,
        num_attention_heads: 16,
      },
      ...{ intermediate_size: 4096, max_position_embeddings: 1024 },
    },
    is: 24 * (12 * 1024 ** 2 + 13 * 1024) + (42_384 + 1026 + 2) * 1024,
  },
  {
    config: {
      model_type: 'xglm',
      vocab_size: 256_008,
      d_model: 1024,
      num_layers: 24,
      attention_heads: 16,
      ffn_dim: 4096,
    },
    is: 24 * (12 * 1024 ** 2 + 13 * 1024) + (256_008 + 2) * 1024,
  },
  // As several programs count the loaded model.
  { config: bart('bart', 50_265, 768, 6, 12, 3072, 1024), is: 139_420_416 },
  {
    config: bart('mbart', 250_027, 1024, 12, 16, 4096, 1024),
    is: encoderDecoder([250_027, 1024, 4096], [12, 12], (2 * 1026 + 8) * 1024),
  },
  {
    config: bart('m2m_100', 128_112, 1024, 12, 16, 4096, 1024),
    is: encoderDecoder([128_112, 1024, 4096], [12, 12], 4 * 1024),
  },
  {
    config: bart('pegasus', 96_103, 1024, 16, 16, 4096, 1024),
    is: encoderDecoder([96_103, 1024, 4096], [16, 16], 4 * 1024),
  },
  // OPUS-MT, English to German.
  { config: bart('marian', 58_101, 512, 6, 8, 2048, 512), is: encoderDecoder([58_101, 512, 2048], [6, 6], 0) },
  {
    config: bart('blenderbot-small', 54_944, 512, 8, 16, 2048, 512),
    is: encoderDecoder([54_944, 512, 2048], [8, 8], (2 * 512 + 4) * 512),
  },
  {
    config: { ...bart('blenderbot', 8008, 2560, 24, 32, 10_240, 128), encoder_layers: 2 },
    is: encoderDecoder([8008, 2560, 10_240], [2, 24], (2 * 128 + 4) * 2560),
  },
  {
    config: llamaLike('starcoder2', [49_152, 3072, 12_288, 30, 24, 2], { use_bias: true }),
    is: 30 * (2 * 3072 ** 2 + 2 * 3072 * (256 + 12_288) + 7 * 3072 + 2 * 256 + 12_288) + (49_152 + 2) * 3072,
  },
  // Command R.
  {
    config: llamaLike('cohere', [256_000, 8192, 22_528, 40, 64, 64], TIED),
    is: 40 * (4 * 8192 ** 2 + 3 * 8192 * 22_528 + 8192) + (256_000 + 1) * 8192,
  },
  // GLM-4 9B, 0414: two more norms in each layer than the chat model.
  {
    config: llamaLike('glm4', [151_552, 4096, 13_696, 40, 32, 2], { head_dim: 128, attention_bias: true, ...UNTIED }),
    is: 9_399_951_360 + 40 * 2 * 4096,
  },
  // GLM-4 9B chat.
  {
    config: llamaLike('glm', [151_552, 4096, 13_696, 40, 32, 2], { head_dim: 128, attention_bias: true, ...UNTIED }),
    is: 9_399_951_360,
  },
  // Known models whose layers are listed, and arithmetic.
  { config: DEEPSEEK_V3, is: 671_026_419_200 },
  {
    config: {
      ...DEEPSEEK_V3,
      ...{ model_type: 'deepseek_v2', vocab_size: 102_400, hidden_size: 2048, intermediate_size: 10_944 },
      ...{
        num_hidden_layers: 27,
        num_attention_heads: 16,
        q_lora_rank: null,
        n_routed_experts: 64,
        n_shared_experts: 2,
      },
      ...{ moe_intermediate_size: 1408, first_k_dense_replace: 1, num_experts_per_tok: 6 },
    },
    is: 15_706_484_224,
  },
  {
    config: llamaLike('gpt_oss', [201_088, 2880, 2880, 24, 64, 8], {
      ...{ head_dim: 64, num_local_experts: 32, num_experts_per_tok: 4, attention_bias: true, ...UNTIED },
    }),
    is: 20_914_757_184,
  },
  {
    config: llamaLike('gpt_oss', [201_088, 2880, 2880, 36, 64, 8], {
      ...{ head_dim: 64, num_local_experts: 128, num_experts_per_tok: 4, attention_bias: true, ...UNTIED },
    }),
    is: 116_829_156_672,
  },
  // Phi-3.5 MoE.
  {
    config: llamaLike('phimoe', [32_064, 4096, 6400, 32, 32, 8], {
      ...{ num_local_experts: 16, num_experts_per_tok: 2, attention_bias: true, lm_head_bias: true, ...UNTIED },
    }),
    is: 41_873_153_344,
  },
  { config: LFM2_350M, is: 354_483_968 },
  {
    config: { ...LFM2_350M, hidden_size: 2048, intermediate_size: 12_288, num_attention_heads: 32 },
    is: 1_170_340_608,
  },
  { config: mamba(768, 24), is: 129_135_360 },
  { config: mamba(2560, 64), is: 2_768_345_600 },
  {
    config: {
      model_type: 'rwkv',
      vocab_size: 50_277,
      hidden_size: 768,
      attention_hidden_size: 768,
      num_hidden_layers: 12,
      ...UNTIED,
    },
    is: 169_342_464,
  },
  // RecurrentGemma 2B.
  {
    config: {
      ...{ model_type: 'recurrent_gemma', vocab_size: 256_000, hidden_size: 2560, intermediate_size: 15_360 },
      ...{ num_hidden_layers: 26, num_attention_heads: 10, lru_width: 2560 },
    },
    is: 2_682_862_080,
  },
  // Qwen3-Next 80B A3B, without its head for several tokens.
  {
    config: llamaLike('qwen3_next', [151_936, 2048, 5120, 48, 16, 2], {
      ...{ head_dim: 256, linear_num_value_heads: 32, linear_num_key_heads: 16, linear_key_head_dim: 128 },
      ...{ linear_value_head_dim: 128, num_experts: 512, num_experts_per_tok: 10, moe_intermediate_size: 512 },
      ...{ shared_expert_intermediate_size: 512, ...UNTIED },
    }),
    is: 79_674_391_296,
  },
  // Jamba v0.1.
  {
    config: llamaLike('jamba', [65_536, 4096, 14_336, 32, 32, 8], {
      ...{ num_experts: 16, num_experts_per_tok: 2, mamba_dt_rank: 256, ...UNTIED },
    }),
    is: 51_570_323_328,
  },
  // As a program counts the loaded model.
  { config: bert('camembert', 32_005, { max_position_embeddings: 514, type_vocab_size: 1, ...TIED }), is: 110_655_493 },
  { config: bert('data2vec-text', 50_265, { max_position_embeddings: 514, type_vocab_size: 1 }), is: 'roberta-base' },
  {
    config: {
      ...{ model_type: 'falcon_mamba', vocab_size: 65_024, hidden_size: 4096, num_hidden_layers: 64, state_size: 16 },
      ...{ conv_kernel: 4, time_step_rank: 256, intermediate_size: 8192, ...UNTIED },
    },
    is: 64 * (4096 * (3 * 8192 + 1) + 8192 * (4 + 1 + 288 + 256 + 1 + 16 + 1)) + (2 * 65_024 + 1) * 4096,
  },
  // MiniMax-Text-01: softmax attention in every eighth layer.
  {
    config: llamaLike('minimax', [200_064, 6144, 9216, 80, 64, 8], {
      ...{ head_dim: 128, num_local_experts: 32, num_experts_per_tok: 2, ...UNTIED },
      attn_type_list: Array.from({ length: 80 }, (_, i) => Number(i % 8 === 7)),
    }),
    is: 456_089_655_296,
  },
  {
    config: {
      model_type: 'qwen3_vl_moe',
      ...UNTIED,
      text_config: llamaLike('qwen3_vl_moe_text', [151_936, 2048, 6144, 48, 32, 4], {
        ...{ head_dim: 128, num_experts: 128, num_experts_per_tok: 8, moe_intermediate_size: 768, ...UNTIED },
      }),
    },
    is: 'qwen3-30b-a3b',
  },
  // Arithmetic: two layers of width 64 with heads of 8, feed-forward parts of 96, and two tables of 1,000 rows.
  { config: small('arcee'), is: TABLES + 2 * (ATTENTION + 2 * 64 * 96 + 2 * 64) + 64 },
  { config: small('cwm'), is: TABLES + 2 * (ATTENTION + GATED + 2 * 64) + 64 },
  { config: small('vaultgemma', { head_dim: 8 }), is: TABLES + 2 * (ATTENTION + GATED + 2 * 64) + 64 },
  {
    config: small('persimmon', { qk_layernorm: true }),
    is: TABLES + 2 * (4 * 64 * 64 + 4 * 64 + 2 * 64 * 96 + 96 + 64 + 4 * 64 + 4 * 8) + 2 * 64,
  },
  {
    config: small('flex_olmo', { num_experts: 6, num_experts_per_tok: 2 }),
    is: TABLES + 2 * (ATTENTION + 64 + 16 + 6 * 64 + 6 * GATED + 2 * 64) + 64,
  },
  { config: small('bitnet'), is: TABLES + 2 * (ATTENTION + GATED + 3 * 64 + 96) + 64 },
  { config: small('diffllama'), is: TABLES + 2 * (ATTENTION + 4 * 8 + GATED + 2 * 64) + 64 },
  {
    config: small('granitemoeshared', { num_local_experts: 6, num_experts_per_tok: 2, shared_intermediate_size: 44 }),
    is: TABLES + 2 * (ATTENTION + 6 * 64 + 6 * GATED + 3 * 64 * 44 + 2 * 64) + 64,
  },
  // One layer of each kind: 6 heads of 8, 10 values of state, 2 groups and a kernel of 4.
  {
    config: small('bamba', {
      ...{
        mamba_n_heads: 6,
        mamba_d_head: 8,
        mamba_d_state: 10,
        mamba_n_groups: 2,
        mamba_d_conv: 4,
        attn_layer_indices: [1],
      },
    }),
    is: TABLES + ATTENTION + (64 * (48 + 88 + 6) + 88 * 4 + 88 + 3 * 6 + 48 + 48 * 64) + 2 * (GATED + 2 * 64) + 64,
  },
];
