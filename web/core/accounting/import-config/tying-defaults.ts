/**
 * What huggingface/transformers makes of a configuration that does not say whether the model is tied, by `model_type` and version
 * (docs/tying-flags.md; tests/reference/tying_flags.py says how it was found).
 */

export type Major = 4 | 5;

/** Minor releases of version 5: the last that was read before a change, and the first after it. */
export type Change = readonly [until: number, from: number];

/** Whether a configuration of this class is tied by default. */
export interface Default {
  /** Null: version 4 does not have the class. */
  readonly 4: boolean | null;
  readonly 5: boolean;
  /** Releases of version 5 before this have the opposite. */
  readonly changed?: Change;
}

const each = (types: string, tied: Default): [string, Default][] => types.split(' ').map((type) => [type, tied]);

export const DEFAULTS: ReadonlyMap<string, Default> = new Map([
  ...each(
    'albert bart bert bert-generation big_bird biogpt blenderbot blenderbot-small bloom cohere cohere2 convbert ctrl ' +
      'data2vec-text deberta deberta-v2 distilbert electra ernie ernie4_5 ernie4_5_moe esm falcon flaubert funnel gemma gemma2 ' +
      'gemma3_text gemma3n_text gpt2 gpt_bigcode gpt_neo gpt_neox_japanese jetmoe led lfm2 longformer longt5 m2m_100 marian mbart ' +
      'megatron-bert mobilebert modernbert modernbert-decoder mpnet mpt mra mvp nllb-moe nystromformer openai-gpt opt pegasus ' +
      'pegasus_x plbart prophetnet recurrent_gemma roberta roberta-prelayernorm roc_bert roformer smollm3 squeezebert starcoder2 ' +
      'switch_transformers t5 t5_gemma_module trocr umt5 vaultgemma whisper xglm xlm xlm-roberta xlm-roberta-xl xlnet xmod yoso ' +
      'zamba zamba2',
    { 4: true, 5: true },
  ),
  ...each(
    'apertus arcee aria_text bamba bitnet blt codegen deepseek_v2 deepseek_v3 diffllama doge dots1 emu3_text_model exaone4 ' +
      'falcon_h1 flex_olmo glm glm4 glm4_moe glm4v_moe_text glm4v_text gpt_neox gpt_oss gptj granite granitemoe granitemoehybrid granitemoeshared ' +
      'helium hunyuan_v1_dense hunyuan_v1_moe jamba llama llama4_text longcat_flash mamba2 minimax ministral mistral mixtral ' +
      'mllama_text_model nemotron olmo olmo2 olmo3 olmoe persimmon phi phi3 phi4_multimodal phimoe qwen2 qwen2_5_vl_text qwen2_moe ' +
      'qwen2_vl_text qwen3 qwen3_moe qwen3_next qwen3_omni_moe_talker_text qwen3_omni_moe_text qwen3_vl_text rembert rwkv ' +
      'seed_oss stablelm',
    { 4: false, 5: false },
  ),
  ...each(
    'cohere2_moe cohere_compass_text diffusion_gemma_text gemma4_assistant gemma4_text gemma4_unified_assistant ' +
      'gemma4_unified_text granite_swa hunyuan_vl_text jina_embeddings_v3 lfm2_moe minicpm3 nomic_bert paddleocr_vl_text youtu zaya',
    { 4: null, 5: true },
  ),
  ...each(
    'afmoe axk1 axk2 cosmos3_edge_text cwm deepseek_ocr2_text deepseek_v32 deepseek_v4 eurobert exaone_moe glm4_moe_lite ' +
      'glm_image_text glm_moe_dsa glm_ocr_text granite4_vision_text granitemoe_swa hy_v3 hyperclovax inkling_text ' +
      'jais2 laguna mellum mimo_v2_flash minimax_m2 minimax_m3_vl_text ministral3 muse_glimmer_text nanochat nemotron_h ' +
      'olmo_hybrid qwen3_5_moe_text qwen3_5_text solar_open step3p5',
    { 4: null, 5: false },
  ),
  ...each('mt5', { 4: false, 5: true }),
  ...each('mamba falcon_mamba', { 4: true, 5: true, changed: [0, 1] }),
  ...each('camembert', { 4: true, 5: true, changed: [2, 4] }),
  ...each('ibert kosmos_2_text_model kosmos_2_5_text_model', { 4: true, 5: true, changed: [5, 6] }),
  ...each('qwen2_5_omni_text', { 4: false, 5: true, changed: [1, 2] }),
  ...each('qwen3_vl_moe_text', { 4: false, 5: true, changed: [2, 4] }),
  ...each('ernie4_5_vl_moe_text t5gemma2_decoder t5gemma2_text', { 4: null, 5: true, changed: [2, 4] }),
]);

/** Version 5 sets the flag of these to true when it opens a file: it always ties the inputs, and a new model's output too. */
export const FORCED: ReadonlySet<string> = new Set(['t5', 'mt5', 'umt5']);

/** What decides in version 5 whether a model with a nested configuration is tied. */
export interface Rule {
  /**
   * 'outer': its own flag. 'either': its own flag if true, otherwise the nested one. 'lifted': its own flag if there is one, otherwise the
   * nested one. 'inner': the nested flag. 'never': the class ties nothing.
   */
  readonly rule: 'outer' | 'either' | 'lifted' | 'inner' | 'never';
  /** Default of its own flag, where that decides. */
  readonly tied: boolean;
}

/** A configuration around that of a language model. In version 4 the nested configuration decides. */
export interface Wrapper extends Rule {
  /** `model_type` of the language model where the nested configuration names none. */
  readonly inner: string;
  /** Version 4 does not have the class. */
  readonly isNew: boolean;
  /** What decided in earlier releases of version 5. */
  readonly earlier?: Rule & { readonly changed: Change };
}

const rule = (name: Rule['rule'], tied = false): Rule => ({ rule: name, tied });
/** `pairs`: 'kind:nested kind'; a kind that version 4 lacks begins with '+'. */
const around = (pairs: string, now: Rule, earlier?: Wrapper['earlier']): [string, Wrapper][] =>
  pairs.split(' ').map((pair) => {
    const [type, inner] = pair.replace('+', '').split(':') as [string, string];
    return [type, { inner, isNew: pair.startsWith('+'), ...now, ...(earlier && { earlier }) }];
  });
const before = (changed: Change, was: Rule): Wrapper['earlier'] => ({ ...was, changed });

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...around(
    'aya_vision:cohere2 gemma3:gemma3_text gemma3n:gemma3n_text paligemma:gemma mistral3:mistral t5gemma:t5_gemma_module ' +
      '+diffusion_gemma:diffusion_gemma_text +ernie4_5_vl_moe:ernie4_5_vl_moe_text +gemma4:gemma4_text ' +
      '+gemma4_unified:gemma4_unified_text +kimi_k25:deepseek_v3 +lighton_ocr:qwen3 +paddleocr_vl:paddleocr_vl_text ' +
      '+pp_chart2table:qwen2 +qwen3_asr:qwen3 +t5gemma2:t5gemma2_decoder',
    rule('outer', true),
  ),
  ...around(
    'aria:aria_text emu3:emu3_text_model fuyu:persimmon glm4v:glm4v_text glm4v_moe:glm4v_moe_text idefics2:mistral idefics3:llama ' +
      'llava_next:llama qwen2_vl:qwen2_vl_text qwen2_5_vl:qwen2_5_vl_text qwen3_vl:qwen3_vl_text qwen3_vl_moe:qwen3_vl_moe_text ' +
      'qwen2_5_omni_thinker:qwen2_5_omni_text qwen3_omni_moe_thinker:qwen3_omni_moe_text smolvlm:llama video_llava:llama ' +
      'vipllava:llama +cohere_compass:cohere_compass_text +deepseek_ocr2:deepseek_ocr2_text +exaone4_5:exaone4 ' +
      '+glm46v:glm4v_text +glm_ocr:glm_ocr_text +glmga:glm4v_text +granite4_vision:llama +minicpmv4_6:qwen3_5_text ' +
      '+muse_glimmer:muse_glimmer_text +qianfan_ocr:qwen3 +qwen3_5:qwen3_5_text +qwen3_5_moe:qwen3_5_moe_text +step3p7:step3p5',
    rule('outer'),
  ),
  ...around(
    'cohere2_vision:cohere2 deepseek_vl:llama deepseek_vl_hybrid:llama florence2:bart got_ocr2:qwen2 internvl:qwen2 ' +
      'ovis2:qwen2 +lfm2_vl:lfm2',
    rule('outer', true),
    before([0, 1], rule('outer')),
  ),
  ...around('janus:llama', rule('outer', true), before([5, 6], rule('outer'))),
  ...around(
    'granite_speech:granite +granite_speech_plus:granite +glmasr:llama',
    rule('outer', true),
    before([9, 10], rule('inner')),
  ),
  ...around('llava:llama +minimax_m3_vl:minimax_m3_vl_text', rule('either')),
  ...around('kosmos-2:kosmos_2_text_model', rule('either', true)),
  ...around(
    'llava_next_video:llama llava_onevision:qwen2 +fast_vlm:qwen2',
    rule('either'),
    before([0, 1], rule('outer')),
  ),
  ...around('+video_llama_3:qwen2', rule('either'), before([6, 7], rule('outer'))),
  ...around('perception_lm:llama', rule('lifted'), before([5, 6], rule('outer'))),
  ...around('shieldgemma2:gemma3_text', rule('lifted', true), before([2, 4], rule('outer'))),
  ...around(
    'blip-2:opt instructblip:opt instructblipvideo:opt llama4:llama4_text kosmos-2.5:kosmos_2_5_text_model ' +
      '+hunyuan_vl:hunyuan_vl_text',
    rule('inner'),
  ),
  ...around('mllama:mllama_text_model', rule('never')),
  ...around(
    'qwen2_audio:qwen2 voxtral:llama +audioflamingo3:qwen2 +musicflamingo:qwen2 +vibevoice_asr:qwen2',
    rule('never'),
    before([9, 10], rule('inner')),
  ),
]);
