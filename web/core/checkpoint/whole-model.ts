/** Whether a file is a whole language model, a part of one, or a model that predicts no tokens. */
import { isGeneric, isInLayer, mayBeATable, plainParts, isOfOtherPart, partsOf, placeOf } from './families.js';
import type { GgufValue } from './gguf-values.js';
import { classesIn, kindOfModel, predictsTokens, type KindOfModel } from './kind-of-model.js';
import { fieldsOf } from './safetensors-index.js';
import type { StoredTensor, TensorDirectory } from './tensors.js';

/** `other`: what the file is instead. `unsure`: what is missing for it to count as whole. */
export type Wholeness =
  | { readonly is: 'whole' }
  | { readonly is: 'other'; readonly what: string }
  | { readonly is: 'unsure'; readonly why: string };

export interface FileFacts {
  readonly directory: TensorDirectory;
  /** Names of all tensors of the model, also of those in files that were not opened. */
  readonly names: readonly string[];
  readonly configuration: ReadonlyMap<string, unknown> | null;
  /** Whether `adapter_config.json` is beside the file. */
  readonly isAdapter: boolean;
}

const WHOLE = { is: 'whole' } as const;
const other = (what: string): Wholeness => ({ is: 'other', what });
const unsure = (why: string): Wholeness => ({ is: 'unsure', why });

/** Architectures of GGUF that predict no tokens. Names from gguf-py/gguf/constants.py of llama.cpp. */
const ENCODERS =
  /^(?:bert|modern-bert|nomic-bert|nomic-bert-moe|neo-bert|jina-bert-v[23]|eurobert|t5encoder|gemma-embedding|llama-embed)$/;
const NO_TEXT =
  /^(?:clip|wavtokenizer-dec|flux|sd[123x]\w*|aura|ltxv|hyvid|wan|cosmos|hidream|lumina2|qwen_image|mochi|pig|mmproj|controlvector|\w+[-_]?tts|kokoro|dia|csm|bark|encodec|mimi|vits?)$/;
const DRAFTS = /eagle|medusa|_mtp$|dflash|-assistant$/;
/** Language models that attend in both directions: they fill in masked tokens. */
const DIFFUSION = /^(?:dream|llada|llada-moe|rnd1)$/;

/** What a GGUF file says of itself. */
function saidByGguf(values: ReadonlyMap<string, GgufValue>, names: readonly string[]): string | null {
  const type = values.get('general.type');
  if (typeof type === 'string' && type !== 'model') return `general.type is ${type}`;
  const architecture = values.get('general.architecture');
  if (typeof architecture !== 'string') return null;
  if (ENCODERS.test(architecture)) return `general.architecture is ${architecture}, an encoder`;
  if (DRAFTS.test(architecture)) return `general.architecture is ${architecture}, a draft model`;
  if (NO_TEXT.test(architecture)) return `general.architecture is ${architecture}, which predicts no tokens`;
  const pooling = values.get(`${architecture}.pooling_type`);
  if (typeof pooling === 'number' && pooling > 0)
    return `${architecture}.pooling_type is ${pooling}: it sums up a text instead of predicting tokens`;
  if (values.get(`${architecture}.attention.causal`) === false && !DIFFUSION.test(architecture))
    return `${architecture}.attention.causal is false: it is an encoder`;
  const head = names.find((name) => /^(?:cls|dense_\d)(?:\.|$)/.test(name));
  return head === undefined ? null : `'${head}' belongs to a classifier or an encoder of texts`;
}

/** Tensors that only such files have, and what they are. */
const SIGNS: readonly (readonly [name: RegExp, what: string])[] = [
  [/(?:^|[._])(?:midlayer\.|d2t$|t2d$|medusa_head)/, 'it is a draft model, which has the tables of another one'],
  [/(?:^|\.)(?:wav2vec2|hubert|wavlm|unispeech\w*|sew\w*|data2vec_audio)\./, 'it is an audio model'],
  [/(?:^|\.)feature_(?:projection|extractor\.conv_layers)\./, 'it is an audio model'],
  [/(?:^|\.)text_model\.(?:embeddings|encoder|final_layer_norm)\./, 'it is the text encoder of a model for images'],
  [/(?:^|\.)(?:text|visual)_projection(?:\.|$)/, 'it compares texts with images'],
  [/(?:^|\.)auto_model\./, 'it is a model of sentence-transformers, which has no head for tokens'],
  [/(?:^|\.)blocks\.\d+\.pos_embedding\.embedding\./, 'it is an encoder, as T5 has'],
  [/(?:^|\.)discriminator_predictions\./, 'it judges tokens but predicts none'],
];

/** Heads of models that predict something other than tokens; some of them have a head for tokens too. */
const OTHER_HEAD =
  /(?:^|\.)(?:score|classifier|pre_classifier|classification_head|qa_outputs|v_head|value_head|reward_head|rank_head|regression_head|discriminator_predictions|cls_head|embedding_head|custom_text_proj)\b/;

/** Parts of the head of a masked model or a translator: it predicts tokens. */
const HEAD_PARTS =
  /(?:^|\.)(?:cls\.predictions\.|predictions\.(?:bias|dense|LayerNorm)|lm_head\.(?:bias|dense|layer_norm)|final_logits_bias$|vocab_transform\.|generator_(?:predictions|lm_head)\.|lm_predictions\.|pred_layer\.|lm_loss\.|decoder\.bias$)/;

const FINAL_NORM =
  /(?:^|[./])(?:final_norm|rms_final_weight|output_norm|norm|ln_f|final_layer_?norm|norm_f|ln_out|final_ln|ln_final|ln|layer_norm|rms_norm|norm_final|out_norm|(?:language_)?model[./]embedding_norm)(?:[./](?:weight|scale|gamma|w))?$/;

/**
 * `there`: the table that was found. A whole language model says so by its class, by its format, by a part of its head, or by its
 * layers and its final norm; and nothing in it says that it is something else.
 */
export function wholenessOf(facts: FileFacts, there: StoredTensor, missing: 'input' | 'output'): Wholeness {
  const { directory, names, configuration } = facts;
  const { format } = directory;
  const layers = layersOf(names);
  if (layers?.gap === true) return other(`it has some of the layers only, ${layers.from} to ${layers.to}`);
  const hasNorm = names.some((name) => FINAL_NORM.test(name) && !isInLayer(name) && !isOfOtherPart(name));
  const said = layersSaid(facts);
  if (layers !== null && !hasNorm && layers.to + 1 < said)
    return other(
      `it has ${layers.to + 1} of the ${said} layers that ${format === 'gguf' ? 'block_count' : 'config.json'} says it has, and no final norm`,
    );
  const odd = names.find((name) => OTHER_HEAD.test(name) && !/\.router\./.test(name));
  if (odd !== undefined) return other(`'${odd}' belongs to a head that predicts something other than tokens`);
  if (isEncoderAlone(names, there)) return other('it has the layers of an encoder, and none of a decoder');
  const { metadata, values } = directory;
  if (format === 'llama2c' || format === 'rwkv.cpp') return WHOLE;
  if (isOwn(metadata.get('config')) || values.has('tied-embeddings.config')) return WHOLE;
  const hasHeadParts = names.some((name) => name !== there.name && HEAD_PARTS.test(name));
  // A class beside a table alone says what the table was taken from.
  if (predictsTokens(kindOfModel(configuration)) === true && (layers !== null || hasHeadParts)) return WHOLE;
  const reader = missing === 'input' ? convolution(directory) : null;
  if (reader !== null) return unsure(`'${reader}' may read something other than tokens`);
  // Its last stage has the head, and numbers its layers from 0 in some programs.
  if (missing === 'input' && placeOf(there.name, 'output')?.role === 'output_layer')
    return unsure('it may be the last stage of a model that was trained in stages');
  // A head alone is no model.
  if (missing === 'input' && layers === null) return unsure('the file has no layers, so it may be a table on its own');
  if (hasHeadParts) return WHOLE;
  if (format === 'gguf' && typeof values.get('general.architecture') === 'string' && layers !== null) return WHOLE;
  const base = classesIn(configuration).find((name) => /(?:Model|Encoder)$/.test(name));
  if (base !== undefined) return unsure(`whether its class, ${base.slice(0, 80)}, has a head is not known`);
  if (isSavedByBase(there.name))
    return unsure('its names are those of a model that was saved without its head; config.json would name its class');
  if (hasNorm && layers !== null) return WHOLE;
  const role = placeOf(there.name, missing === 'input' ? 'output' : 'input')?.role ?? '';
  // Some models have no final norm, or none with weights: those whose layers end with a norm, or have none either.
  const endsEarly =
    names.some((name) => isInLayer(name) && IN_LAYER_NORM.test(name)) &&
    !names.some((name) => NO_FINAL_NORM.test(name));
  if (layers !== null && hasDepth(names) && !endsEarly && !isGeneric(role)) return WHOLE;
  return unsure(
    layers === null
      ? 'the file has no layers, so it may be a table on its own'
      : 'the file has no final norm, so it may be a part of a model',
  );
}

const IN_LAYER_NORM = /(?:norm|ln)\w*[./](?:weight|scale)$|layer_?norm/i;
/** OPT-350M, GPT. */
const NO_FINAL_NORM = /(?:^|\.)(?:project_out|tokens_embed)\./;

/** How many layers `config.json` or the header says that there are. */
function layersSaid({ configuration, directory: { values } }: FileFacts): number {
  const blocks = values.get(`${String(values.get('general.architecture'))}.block_count`);
  if (typeof blocks === 'number') return blocks;
  const inner = fieldsOf(configuration?.get('text_config'));
  const said = configuration?.get('num_hidden_layers') ?? inner.get('num_hidden_layers');
  return typeof said === 'number' ? said : 0;
}

/** Which of the two the file has, readable or not. */
export interface TablesThere {
  readonly hasInput: boolean;
  readonly hasOutput: boolean;
}

/** What the file, or what is beside it, says it is instead of a whole language model. */
export function otherThanAModel(facts: FileFacts, { hasInput, hasOutput }: TablesThere): string | null {
  const { directory, names, configuration, isAdapter } = facts;
  if (isAdapter) return 'adapter_config.json beside it says that it is an adapter, a part of a model';
  const factor = names.find((name) =>
    /(?:^|[._])(?:lora_\w+|hada_w\d\w*|lokr_w\d\w*|oft_\w+|ia3_\w+|vera_lambda_\w+|internal_xlora_\w+)(?:\.|$)/.test(
      name,
    ),
  );
  if (factor !== undefined)
    return names.some(isWrappedByAdapter) ? null : `'${factor.slice(0, 120)}' belongs to an adapter, a part of a model`;
  if (isAdapterAlone(directory))
    return 'it has the names of an adapter, a part of a model, and none of the matrices of the layers';
  const flat = names.find((name) => /(?:^|\.)_?flat_param(?:_\d+)?$/.test(name));
  if (flat !== undefined)
    return `'${flat.slice(0, 120)}' holds parameters that FSDP has joined, and their names are lost`;
  if (directory.format === 'gguf') {
    const said = saidByGguf(directory.values, names);
    if (said !== null) return said;
  }
  const kind = kindOfModel(configuration);
  const isPredicting = predictsTokens(kind);
  // A class without a head may be the inner part of a file with one.
  if (isPredicting === false && !(kind === 'encoder' && hasOutput)) {
    const [name] = classesIn(configuration);
    return name === undefined
      ? `config.json describes ${KINDS[kind]}`
      : `its class is ${name.slice(0, 80)}, ${KINDS[kind]}`;
  }
  if (isPredicting !== true)
    for (const [sign, what] of SIGNS) {
      const name = names.find((one) => sign.test(one));
      if (name !== undefined && !(hasInput && hasDecoder(names))) return `'${name.slice(0, 120)}': ${what}`;
    }
  const draft = draftMap(directory, names);
  if (draft !== null)
    return `'${draft}' reads several states side by side, those of another model: it is a draft model`;
  return onlyImages(directory, names);
}

const KINDS: Readonly<Record<KindOfModel, string>> = {
  'language-model': 'a language model',
  'masked-language-model': 'a masked language model',
  'encoder-decoder': 'an encoder-decoder',
  encoder: 'a model without a head',
  classifier: 'a classifier',
  ctc: 'a CTC model, which transcribes speech',
  discriminator: 'a discriminator, which predicts no tokens',
  draft: 'a draft model',
  vision: 'a vision model',
  speech: 'a speech model',
  unknown: 'a model of an unknown kind',
};

const hasDecoder = (names: readonly string[]): boolean =>
  names.some((name) => /(?:^|\.)(?:\w+_)?decoder\.(?:\w+\.)*(?:\w*attn|\w*[aA]ttention|embed_tokens)\./.test(name));

/** A tensor outside the layers with more than two dimensions, as convolutions over sound and pictures have. */
const convolution = ({ tensors }: TensorDirectory): string | null =>
  [...tensors.values()].find(({ name, shape }) => shape.length > 2 && !isInLayer(name) && !isOfOtherPart(name))?.name ??
  null;

/** Names as PEFT gives them, and no matrix in the layers that an adapter would change: of their factors, new kinds appear each year. */
function isAdapterAlone({ tensors }: TensorDirectory): boolean {
  const names = [...tensors.keys()];
  if (!names.some((name) => name.startsWith('base_model.')) || names.some(isWrappedByAdapter)) return false;
  return ![...tensors.values()].some(
    ({ name, shape }) => shape.length > 1 && isInLayer(name) && /[./](?:weight|kernel|w|W_\w+)$/.test(name),
  );
}

/** A base model whose modules an adapter has wrapped, and which is all there. */
export const isWrappedByAdapter = (name: string): boolean => /[./](?:base_layer|modules_to_save)[./]/.test(name);

/** Whether an adapter may change a table. Some models bring adapters for their layers, and have tables of their own. */
export const isOfUnmergedTable = (name: string): boolean =>
  isWrappedByAdapter(name) && (/^(?:[\w.]+\.)?base_model\./.test(name) || mayBeATable(plainParts(name).join('.')));

/** The map of EAGLE and DFlash to one width, from a token and a state, or from states of several layers, side by side. */
function draftMap({ tensors }: TensorDirectory, names: readonly string[]): string | null {
  const tensor = tensors.get('fc.weight') ?? tensors.get('model.fc.weight');
  const [rows = 0, cols = 0] = tensor?.shape ?? [];
  const isTurned = [...tensors.values()].some(
    ({ name, shape }) => placeOf(name, 'input') !== null && shape[0] === cols,
  );
  const isJoining = rows > 0 && cols > rows && cols % rows === 0 && cols <= MOST_JOINED * rows && !isTurned;
  return isJoining && (layersOf(names)?.to ?? 0) < MOST_JOINED ? tensor!.name : null;
}

const MOST_JOINED = 8;

/** Convolutions over pictures, and no part that could be a language model beside them. */
function onlyImages({ tensors }: TensorDirectory, names: readonly string[]): string | null {
  const patch = names.find(
    (name) => /(?:^|\.)(?:patch_embed\w*|cls_token|conv_stem|conv_proj)(?:\.|$)/.test(name) && !isOfOtherPart(name),
  );
  if (
    patch === undefined ||
    names.some((name) => placeOf(name, 'input') !== null && !isOfOtherPart(name) && !/patch|pos/.test(name))
  )
    return null;
  const tensor = tensors.get(patch);
  return tensor === undefined || tensor.shape.length >= 3 ? `'${patch}' reads images` : null;
}

/** Our own files describe their model. */
const isOwn = (config: string | undefined): boolean =>
  config !== undefined && /"kind":"(?:direct-path|transformer|encoder-decoder)"/.test(config);

/** Input tables at the root of a file, where models with a head have a module around them. */
function isSavedByBase(name: string): boolean {
  const place = placeOf(name, 'input');
  if (place === null) return false;
  const { role, before } = place;
  if (role === 'embed_tokens') return before.length === 0;
  // Encoders of BERT's kind predict tokens only with a head of several parts.
  const stem = [...before, role].join('.');
  return /(?:^|\.)embeddings\.(?:word|tok)_embeddings$/.test(stem) || (isGeneric(role) && /encoder/.test(stem));
}

interface Layers {
  readonly from: number;
  readonly to: number;
  readonly gap: boolean;
}

const NUMBERED = /^(.*?(?:layers?|blocks?|blk|cells?|encoder|decoder|transformer|stack|(?:^|[./])h))[./_]?(\d+)[./_]/;

/** The longest range of layers; of an encoder and a decoder, both are ranges of their own. Null: there are none. */
function layersOf(names: readonly string[]): Layers | null {
  const stacks = new Map<string, Set<number>>();
  for (const name of names) {
    if (!isInLayer(name) || isOfOtherPart(name)) continue;
    const [, stack, number] = NUMBERED.exec(name) ?? [];
    const key = stack ?? '';
    const numbers = stacks.get(key) ?? new Set<number>();
    numbers.add(Number(number ?? 0));
    stacks.set(key, numbers);
  }
  let longest: Set<number> | null = null;
  for (const numbers of stacks.values()) if (longest === null || numbers.size > longest.size) longest = numbers;
  if (longest === null) return null;
  const [from, to] = [Math.min(...longest), Math.max(...longest)];
  return { from, to, gap: from > 0 || to - from + 1 > longest.size };
}

/** Whether the layers have attention, a feed-forward part or a recurrence. */
const hasDepth = (names: readonly string[]): boolean =>
  names.some(
    (name) =>
      isInLayer(name) &&
      /att|mlp|ffn|ff\b|feed_forward|fc|dense|proj|mixer|ssm|conv|lstm|gru|rnn|kernel|w[123qkvo]\b/i.test(name),
  );

/** T5's and BART's encoders, as models for images use them. */
function isEncoderAlone(names: readonly string[], there: StoredTensor): boolean {
  const stem = partsOf(there.name).stem;
  if (!/(?:^|\.)(?:shared|encoder\.embed_tokens|token_embd)$/.test(stem)) return false;
  const has = (part: RegExp): boolean => names.some((name) => part.test(name));
  return has(/(?:^|\.)enc(?:oder)?\./) && !has(/(?:^|\.)dec(?:oder)?\./);
}
