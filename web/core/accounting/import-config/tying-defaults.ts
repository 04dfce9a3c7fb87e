/**
 * What huggingface/transformers makes of a configuration that does not say whether the model is tied, by `model_type` and major version
 * (docs/tying-flags.md, which says where it is from).
 */

export type Major = 4 | 5;

/** Whether a configuration of this class is tied by default. */
export interface Defaults {
  readonly 4: boolean;
  readonly 5: boolean;
}

const always = (tied: boolean, types: readonly string[]): [string, Defaults][] =>
  types.map((type) => [type, { 4: tied, 5: tied }]);

export const DEFAULTS: ReadonlyMap<string, Defaults> = new Map([
  ...always(true, [
    ...['gpt2', 'gpt_neo', 'opt', 'bloom', 'falcon', 'bert', 'roberta', 'xlm-roberta', 'distilbert', 't5'],
    ...['gemma', 'gemma2', 'gemma3_text', 'smollm3', 'lfm2', 'marian'],
  ]),
  ...always(false, [
    ...['gpt_neox', 'phi', 'llama', 'mistral', 'ministral3', 'qwen2', 'qwen3', 'olmo', 'olmo2', 'olmo3', 'phi3'],
    ...['granite', 'stablelm', 'mixtral', 'olmoe', 'qwen2_moe', 'qwen3_moe', 'qwen2_vl_text', 'qwen2_5_vl_text'],
    ...['qwen3_vl_text'],
  ]),
  ['mt5', { 4: false, 5: true }],
  ['umt5', { 4: false, 5: true }],
]);

/** Version 5 sets the flag of these to true when it opens a file: it always ties the inputs, and a new model's output too. */
export const FORCED: ReadonlySet<string> = new Set(['t5', 'mt5', 'umt5']);

/** A configuration around that of a language model. */
export interface Wrapper {
  /** `model_type` of the language model where the nested configuration names none. */
  readonly inner: string;
  /**
   * What decides in version 5. 'outer': its own flag. 'either': its own flag if true, otherwise the nested one. 'lifted': its own flag if
   * there is one, otherwise the nested one. 'never': the class ties nothing. In version 4 the nested configuration decides.
   */
  readonly rule: 'outer' | 'either' | 'lifted' | 'never';
  /** Default of its own flag in version 5. */
  readonly tied: boolean;
}

const outer = (inner: string, tied: boolean): Wrapper => ({ inner, rule: 'outer', tied });

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ['gemma3', outer('gemma3_text', true)],
  ['paligemma', outer('gemma', true)],
  ['mistral3', outer('mistral', true)],
  ['internvl', outer('qwen2', true)],
  ['granite_speech', outer('granite', true)],
  ['idefics3', outer('llama', false)],
  ['smolvlm', outer('llama', false)],
  ['qwen3_vl', outer('qwen3_vl_text', false)],
  ['qwen2_5_omni_thinker', outer('qwen2_5_omni_text', false)],
  ['llava', { inner: 'llama', rule: 'either', tied: false }],
  ['llava_onevision', { inner: 'qwen2', rule: 'either', tied: false }],
  ['qwen2_vl', { inner: 'qwen2_vl_text', rule: 'lifted', tied: false }],
  ['qwen2_5_vl', { inner: 'qwen2_5_vl_text', rule: 'lifted', tied: false }],
  ['voxtral', { inner: 'llama', rule: 'never', tied: false }],
  ['qwen2_audio', { inner: 'qwen2', rule: 'never', tied: false }],
]);
