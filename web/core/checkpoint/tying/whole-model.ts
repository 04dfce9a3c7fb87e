/** Whether a file with one table is a whole language model, so that the other table is missing because it is the same. */
import {
  isGeneric,
  isInLayer,
  isOf,
  isOfAPart,
  isOfOtherPart,
  mayBeATable,
  partsOf,
  placeOf,
  type Place,
} from '../tables/families.js';
import { isLanguageModel } from './gguf-architectures.js';
import { classesIn, kindOfModel, predictsTokens } from './kind-of-model.js';
import { layersOf } from '../tables/layers.js';
import { otherHead, type FileFacts } from './other-model.js';
import { fieldsOf } from '../formats/safetensors-index.js';
import type { StoredTensor } from '../tensors.js';

/**
 * `whole`: says so itself, or has the names of one, or a format with a fixed list of tensors. `other`: what the file is instead. `unsure`: what is missing for it to
 * count as whole.
 */
export type Wholeness =
  | { readonly is: 'whole'; readonly by: 'itself' | 'names' | 'format' }
  | { readonly is: 'other'; readonly what: string }
  | { readonly is: 'unsure'; readonly why: string };

const WHOLE: Wholeness = { is: 'whole', by: 'itself' };
const WHOLE_BY_NAME: Wholeness = { is: 'whole', by: 'names' };
const WHOLE_BY_FORMAT: Wholeness = { is: 'whole', by: 'format' };
const other = (what: string): Wholeness => ({ is: 'other', what });
const unsure = (why: string): Wholeness => ({ is: 'unsure', why });

/** Parts of the head of a masked model or a translator: it predicts tokens. */
const HEAD_PARTS =
  /(?:^|\.)(?:cls\.predictions\.|predictions\.(?:bias|dense|LayerNorm)|lm_head\.(?:bias|dense|layer_norm)|final_logits_bias$|vocab_transform\.|generator_(?:predictions|lm_head)\.|lm_predictions\.|pred_layer\.|lm_loss\.|decoder\.bias$|decoder_ff_logit_out_b$)/;

const FINAL_NORM =
  /(?:^|[./])(?:final_norm|rms_final_weight|output_norm|norm|ln_f|final_layer_?norm|norm_f|ln_out|final_ln|ln_final|ln|layer_norm|rms_norm|norm_final|out_norm|decoder_norm|(?:language_)?model[./]embedding_norm)(?:[./](?:weight|scale|gamma|w))?$/;

/** In GGUF, LFM2's final norm has the name of another one. */
const LFM2_NORM = 'token_embd_norm.weight';

/**
 * `there`: the table that was found. A whole language model says so by its class, its architecture, its format or a part of its head; or
 * it has the names of one, from the first layer to what comes after the last one. And nothing in it says that it is something else.
 */
export function wholenessOf(facts: FileFacts, there: StoredTensor, missing: 'input' | 'output'): Wholeness {
  const { directory, distinct: names, configuration } = facts;
  const { format, metadata, values } = directory;
  const layers = layersOf(facts.names);
  if (layers?.gap === true) return other(`it has some of the layers only, ${layers.from} to ${layers.to}`);
  const ofLfm2 = /^lfm2/.test(String(values.get('general.architecture'))) ? LFM2_NORM : null;
  const hasNorm = names.some(
    (name) => name === ofLfm2 || (FINAL_NORM.test(name) && !isInLayer(name) && !isOfOtherPart(name)),
  );
  const said = layersSaid(facts);
  const where = format === 'gguf' ? 'block_count' : 'config.json';
  if (layers !== null && layers.to + 1 < said) {
    const few = `it has ${layers.to + 1} of the ${said} layers that ${where} says it has`;
    return hasNorm ? unsure(few) : other(`${few}, and no final norm`);
  }
  const odd = otherHead(names);
  if (odd !== null) return other(`'${odd}' belongs to a head that predicts something other than tokens`);
  if (isEncoderAlone(names, there)) return other('it has the layers of an encoder, and none of a decoder');
  if (format === 'llama2c' || format === 'rwkv.cpp') return WHOLE_BY_FORMAT;
  if (isOwn(metadata.get('config')) || values.has('tied-embeddings.config')) return WHOLE;
  const hasHeadParts =
    names.some((name) => name !== there.name && HEAD_PARTS.test(name)) ||
    (missing === 'output' && hasBiasAlone(directory.tensors, there));
  const isCounted = layers !== null && layers.to + 1 === said && !names.some((name) => IN_LAYER_NORM.test(name));
  const hasEnd = hasNorm || isCounted || names.some((name) => AFTER_LAST.test(name));
  const kind = kindOfModel(configuration);
  // A class beside a table alone says what the table was taken from, and one beside the first layers, what they were taken from.
  if (predictsTokens(kind) === true && (hasHeadParts || (layers !== null && (hasEnd || isNormless(configuration)))))
    return WHOLE;
  // Its last stage has the head, and numbers its layers from 0 in some programs.
  if (missing === 'input' && placeOf(there.name, 'output')?.role === 'output_layer')
    return unsure('it may be the last stage of a model that was trained in stages');
  // A head alone is no model.
  if (missing === 'input' && layers === null) return unsure('the file has no layers, so it may be a table on its own');
  const stranger = kind === 'unknown' ? classesIn(configuration).find((name) => !SAYS_NOTHING.test(name)) : undefined;
  if (stranger !== undefined && !hasHeadParts)
    return unsure(`whether its class, ${stranger.slice(0, 80)}, has a head is not known`);
  if (hasHeadParts) return WHOLE;
  if (layers === null) return unsure('the file has no layers, so it may be a table on its own');
  if (format === 'gguf') return ofArchitecture(values.get('general.architecture'), hasNorm);
  // A class with a head is not saved without it.
  if (predictsTokens(kind) !== true && isSavedByBase(there.name))
    return unsure('its names are those of a model that was saved without its head; config.json would name its class');
  return byNames(names, there, missing, hasEnd);
}

/** A bias for each token of an output whose matrix was left out, as GIT has. */
function hasBiasAlone(tensors: FileFacts['directory']['tensors'], there: StoredTensor): boolean {
  const tokens = there.shape[there.turned === true ? 1 : 0];
  return [...tensors.values()].some(({ name, shape }) => {
    const place = shape.length === 1 && shape[0] === tokens && !isOfAPart(name) ? placeOf(name, 'output') : null;
    const isBias = place !== null && place.rest.length === 1 && place.rest[0] === 'bias';
    return isBias && ![...tensors.keys()].some((one) => one !== name && one.startsWith(name.slice(0, -'bias'.length)));
  });
}

const ofArchitecture = (architecture: unknown, hasNorm: boolean): Wholeness => {
  if (typeof architecture !== 'string') return unsure('the file has no general.architecture');
  if (isLanguageModel(architecture)) return hasNorm || architecture === 'olmo' ? WHOLE : unsure(NO_END);
  return unsure(
    `its general.architecture is '${architecture.slice(0, 80)}', which is not known to be a language model`,
  );
};

/**
 * What names can tell. They are those under which a class with a head saves its model, and other heads leave tensors of their own. But a
 * part of a model has the names of the whole, so the end of the model has to be there.
 */
function byNames(
  names: readonly string[],
  there: StoredTensor,
  missing: 'input' | 'output',
  hasEnd: boolean,
): Wholeness {
  const place = placeOf(there.name, missing === 'input' ? 'output' : 'input');
  const stranger = strangeModule(place, names);
  if (stranger !== null)
    return unsure(
      `'${there.name.slice(0, 120)}' is in '${stranger.slice(0, 80)}', which is not known to be a language model`,
    );
  if (hasEnd) return WHOLE_BY_NAME;
  return unsure(NO_END);
}

const NO_END =
  'the file has no final norm, nor anything else that marks the end of a model, so it may be a part of one; the number of layers in config.json would tell';

/** Families whose layers end with a norm, or have norms without weights. */
const isNormless = (configuration: FileFacts['configuration']): boolean =>
  classesIn(configuration).every((name) =>
    /^(?:OLMoFor|OlmoFor|OpenAIGPT|GitFor|XLNet|XLM(?!R)|Flaubert|\w*Bert|M?Bart|FSMT)/.test(name),
  );

/** Classes that people write for all kinds of models: the tensors say more. */
const SAYS_NOTHING =
  /^(?:(?:nano|mini|micro|tiny|small|simple|my|char|toy|bigram)_?)*(?:gpt\d?|llama\d?|transformer|decoder_?only|language_?model)(?:_?(?:decoder|transformer|language_?model|lm|model))*$/i;

/** Layers with norms have one after them, too. */
const IN_LAYER_NORM = /(?:norm|ln)\w*[./](?:weight|scale)$|layer_?norm/i;

/** OPT-350M's map after its last layer. */
const AFTER_LAST = /(?:^|\.)project_out\./;

/** Modules that hold a language model in published files, and those around an input table. */
const MODULES =
  /^(?:(?:\w+_)?(?:model|lm|llm|language|text|network|transformer|decoder|backbone|trunk|core)|\w*net|(?:gpt|llama|mistral|qwen|gemma|phi|olmo|mamba|rwkv|opt|bloom|falcon|biogpt|xglm|ctrl|mpt)\w*|thinker|params|embeddings?|embd|embed|(?:\w+_)?embedder|token_emb|cls|predictions|head|lm_head|src_embed|tgt_embed|\d+)$/;

/** A module around the table that may hold anything; null if there is none. An encoder beside its decoder is a part of one model. */
export function strangeModule(place: Place | null, names: readonly string[]): string | null {
  for (const part of place?.before ?? []) {
    // In Flax, tables are called `wte.embedding`.
    if (
      !MODULES.test(part) &&
      !mayBeATable(part) &&
      !(/encoder$/.test(part) && names.some((name) => isOf('decoder', name)))
    )
      return part;
  }
  return null;
}

/** How many layers `config.json` or the header says that there are. */
function layersSaid({ configuration, directory: { values } }: FileFacts): number {
  const blocks = values.get(`${String(values.get('general.architecture'))}.block_count`);
  if (typeof blocks === 'number') return blocks;
  const inside = INNER.map((name) => fieldsOf(configuration?.get(name)));
  const counts = LAYER_COUNTS.flatMap((name) => [configuration, ...inside].map((fields) => fields?.get(name)));
  const said = counts.find((value) => typeof value === 'number');
  return typeof said === 'number' && !/albert/.test(String(configuration?.get('model_type'))) ? said : 0;
}

const INNER = ['text_config', 'llm_config', 'language_config', 'thinker_config', 'decoder'];
const LAYER_COUNTS = ['num_hidden_layers', 'n_layer', 'n_layers', 'num_layers', 'decoder_layers', 'num_decoder_layers'];

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
/** T5's and BART's encoders, as models for images use them. */
function isEncoderAlone(names: readonly string[], there: StoredTensor): boolean {
  const stem = partsOf(there.name).stem;
  if (!/(?:^|\.)(?:shared|encoder\.embed_tokens|token_embd)$/.test(stem)) return false;
  const has = (part: RegExp): boolean => names.some((name) => part.test(name));
  return has(/(?:^|\.)enc(?:oder)?\./) && !has(/(?:^|\.)dec(?:oder)?\./);
}
