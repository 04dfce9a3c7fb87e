/** What says that a file is no whole language model: its companions, its header, its class, or tensors that only such files have. */
import { mayBeATable, plainParts, isInLayer, isOfOtherPart, placeOf } from '../tables/families.js';
import { otherArchitecture, readsBothWays } from './gguf-architectures.js';
import type { GgufValue } from '../formats/gguf-values.js';
import { classesIn, kindOfModel, predictsTokens, type KindOfModel } from './kind-of-model.js';
import { layersOf } from '../tables/layers.js';
import type { TensorDirectory } from '../tensors.js';

export interface FileFacts {
  readonly directory: TensorDirectory;
  /** Names of all tensors of the model, also of those in files that were not opened. */
  readonly names: readonly string[];
  /** Without those that differ by numbers only. */
  readonly distinct: readonly string[];
  readonly configuration: ReadonlyMap<string, unknown> | null;
  /** Whether `adapter_config.json` is beside the file. */
  readonly isAdapter: boolean;
  /** Why some of its files could not be opened, in words; null if none was tried. */
  readonly unopened: string | null;
  /** What `modules.json` beside the file makes of it, in words; null if it is no model for vectors of texts. */
  readonly embeds: () => Promise<string | null>;
}

const TASKS =
  /^(?:sentence-similarity|sentence-transformers|feature-extraction|text-(?:ranking|classification)|token-classification|reranker)$/;

/** What a GGUF file says of itself. */
function saidByGguf(values: ReadonlyMap<string, GgufValue>, names: readonly string[]): string | null {
  const type = values.get('general.type');
  if (typeof type === 'string' && type !== 'model') return `general.type is ${type}`;
  const architecture = values.get('general.architecture');
  if (typeof architecture !== 'string') return null;
  const other = otherArchitecture(architecture);
  if (other !== null) return `general.architecture is ${architecture}, ${other}`;
  const pooling = values.get(`${architecture}.pooling_type`);
  if (typeof pooling === 'number' && pooling > 0)
    return `${architecture}.pooling_type is ${pooling}: it sums up a text instead of predicting tokens`;
  if (values.get(`${architecture}.attention.causal`) === false && !readsBothWays(architecture))
    return `${architecture}.attention.causal is false: it is an encoder`;
  const tags = values.get('general.tags');
  const tag = Array.isArray(tags) ? tags.find((one) => TASKS.test(String(one))) : undefined;
  if (tag !== undefined) return `general.tags has ${String(tag)}, a task for vectors or scores of texts`;
  if (values.has(`${architecture}.classifier.output_labels`))
    return `${architecture}.classifier.output_labels are those of a classifier`;
  const head = names.find((name) => /^(?:cls|dense_\d)(?:\.|$)/.test(name));
  return head === undefined ? null : `'${head}' belongs to a classifier or an encoder of texts`;
}

/** Heads that draft tokens, alone or in the model for which they do. */
const DRAFTING = /(?:^|[._])medusa_head/;
/** Tensors that only such files have, and what they are. */
const SIGNS: readonly (readonly [name: RegExp, what: string])[] = [
  [/(?:^|[._])(?:midlayer\.|d2t$|t2d$)/, 'it is a draft model, which has the tables of another one'],
  [DRAFTING, 'it is a draft model, which has the tables of another one'],
  [/(?:^|\.)(?:wav2vec2|hubert|wavlm|unispeech\w*|sew\w*|data2vec_audio)\./, 'it is an audio model'],
  [/(?:^|\.)feature_(?:projection|extractor\.conv_layers)\./, 'it is an audio model'],
  [/(?:^|\.)text_model\.(?:embeddings|encoder|final_layer_norm)\./, 'it is the text encoder of a model for images'],
  [/(?:^|\.)text_projection(?:\.|$)/, 'it compares texts with images'],
  [/(?:^|\.)auto_model\./, 'it is a model of sentence-transformers, which has no head for tokens'],
  [/(?:^|\.)blocks\.\d+\.pos_embedding\.embedding\./, 'it is an encoder, as T5 has'],
  [/(?:^|\.)discriminator_predictions\./, 'it judges tokens but predicts none'],
];
/** Heads of models that predict something other than tokens; some of them have a head for tokens too. */
const OTHER_HEAD =
  /(?:^|\.)(?:score|classifier|pre_classifier|classification_head|qa_outputs|v_head|value_head|reward_head|rank_head|regression_head|discriminator_predictions|cls_head|embedding_head|custom_text_proj)\b/;

/** The name of a tensor of such a head. A router's classifier chooses experts; ALBERT was also trained on the order of sentences. */
export const otherHead = (names: readonly string[]): string | null =>
  names.find((name) => OTHER_HEAD.test(name) && !/\.router\.|(?:^|\.)sop_classifier\./.test(name)) ?? null;

/** Which of the two the file has, readable or not. */
export interface TablesThere {
  readonly hasInput: boolean;
  readonly hasOutput: boolean;
}

/** What the file, or what is beside it, says it is instead of a whole language model. */
export function otherThanAModel(facts: FileFacts, { hasInput, hasOutput }: TablesThere): string | null {
  const { directory, names: all, distinct: names, configuration, isAdapter } = facts;
  if (isAdapter) return 'adapter_config.json beside it says that it is an adapter, a part of a model';
  const factor = names.find((name) =>
    /(?:^|[._])(?:lora_\w+|hada_w\d\w*|lokr_w\d\w*|oft_\w+|ia3_\w+|vera_lambda_\w+|internal_xlora_\w+|trainable_tokens_\w+|prompt_embeddings)(?:\.|$)/.test(
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
      if (name === undefined) continue;
      const isWhole = hasInput && (hasDecoder(names) || (DRAFTING.test(name) && layersOf(all) !== null));
      if (!isWhole) return `'${name.slice(0, 120)}': ${what}`;
    }
  const draft = draftMap(directory, all);
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

/** Names as PEFT gives them, and no matrix in the layers that an adapter would change: of their factors, new kinds appear each year. */
function isAdapterAlone({ tensors }: TensorDirectory): boolean {
  const names = [...tensors.keys()];
  if (!names.some((name) => name.startsWith('base_model.')) || names.some(isWrappedByAdapter)) return false;
  return ![...tensors.values()].some(
    ({ name, shape }) => shape.length > 1 && isInLayer(name) && /[./](?:weight|kernel|w|W_\w+)$/.test(name),
  );
}

/** A base model whose modules an adapter has wrapped, and which is all there. */
const isWrappedByAdapter = (name: string): boolean => /[./](?:base_layer|modules_to_save)[./]/.test(name);

/** The name of a tensor with the prefix that adapters are saved with, beside a table without it; null if there is none. */
export const besidePrefixOfAdapter = (names: readonly string[], table: string): string | null =>
  PREFIX.test(table) ? null : (names.find((name) => PREFIX.test(name)) ?? null);

const PREFIX = /^(?:[\w.]+\.)?base_model\./;

/** Whether an adapter may change a table. Some models bring adapters for their layers, and have tables of their own. */
export const isOfUnmergedTable = (name: string): boolean =>
  isWrappedByAdapter(name) && (PREFIX.test(name) || mayBeATable(plainParts(name).join('.')));

/** The map of EAGLE and DFlash to one width, from a token and a state, or from states of several layers, side by side. */
function draftMap({ tensors }: TensorDirectory, names: readonly string[]): string | null {
  const tensor = tensors.get('fc.weight') ?? tensors.get('model.fc.weight');
  if (tensor === undefined) return null;
  const [rows = 0, cols = 0] = tensor.shape;
  const isTurned = [...tensors.values()].some(
    ({ name, shape }) => placeOf(name, 'input') !== null && shape[0] === cols,
  );
  const isJoining = rows > 0 && cols > rows && cols % rows === 0 && cols <= MOST_JOINED * rows && !isTurned;
  return isJoining && (layersOf(names)?.to ?? 0) < MOST_JOINED ? tensor.name : null;
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
