/**
 * Reads the `config.json` of a Hugging Face model. Field names and default sizes follow the configuration classes of
 * huggingface/transformers 4; tying follows versions 4 and 5 (`import-config/tying-flag.ts`).
 */
import type { ImportedModel, TableTying } from './types.js';
import { completeArchitecture } from './architecture-options.js';
import { copyData } from '../runtime/copy-data.js';
import { describeValue, invalidArgument, TiedError } from '../runtime/errors.js';
import { BERT_T5_READERS } from './import-config/bert-t5.js';
import { badFile, Fields, unsupported } from './import-config/fields.js';
import { ENCODER_READERS } from './import-config/encoder-families.js';
import { GPT_READERS } from './import-config/gpt.js';
import { LISTED_READERS } from './import-config/listed-families.js';
import { CLASS_SIZES, LLAMA_READERS } from './import-config/llama.js';
import type { Reader } from './import-config/readers.js';
import { FORCED, WRAPPERS } from './import-config/tying-defaults.js';
import { levelsOf, saidTying, type Level, type Levels } from './import-config/tying-flag.js';
import { isRecord } from '../runtime/validate.js';

const READERS: Readonly<Record<string, Reader>> = {
  ...GPT_READERS,
  ...BERT_T5_READERS,
  ...ENCODER_READERS,
  ...LISTED_READERS,
  // After those that are listed only if these cannot describe them.
  ...LLAMA_READERS,
};

/** Every supported `model_type` of a language model, which may be nested. */
export const MODEL_TYPES: readonly string[] = Object.keys(READERS).sort();

/** A configuration has a few thousand characters; the largest, with a label per class, about 100,000. */
const LONGEST_TEXT = 1_000_000;
const LONGEST_NAME = 200;

/**
 * The architecture and tying in the file; what the file leaves open is listed in `assumptions`.
 *
 * Errors: 'bad-file' if the text is not a configuration, or its sizes are invalid; 'unsupported' if the kind of model
 * is unknown; 'invalid-argument' if `config` is neither text nor an object.
 */
export function importConfig(config: string | object): ImportedModel {
  const file = typeof config === 'string' ? parse(config) : copyData(config);
  if (Array.isArray(file)) throw badFile(`it holds ${describeValue(file)}; expected an object with model_type`);
  if (!isRecord(file)) throw invalidArgument('config', file, 'the text of a config.json, or the object in it');
  const levels = levelsOf(file);
  const { fields, type } = languageModelIn(levels);
  const architecture = READERS[type]!(fields);
  check(architecture, type);
  const other = classWithoutHead(levels.outer);
  if (other !== null) fields.assume(`Counted as a model that predicts tokens, which ${other} does not.`);
  const tying = tyingIn(file, levels, fields, architecture.family === 't5' || FORCED.has(type));
  return { name: nameIn(file), architecture, tying, assumptions: fields.assumptions };
}

function parse(text: string): unknown {
  if (text.length > LONGEST_TEXT) {
    throw badFile(`it has ${text.length} characters; expected at most ${LONGEST_TEXT}. Is this a file of weights?`);
  }
  let value: unknown;
  try {
    // Trimming also removes a byte order mark.
    value = JSON.parse(text.trim());
  } catch (cause) {
    const what = text.trim() === '' ? 'it is empty' : 'it is not JSON, or only a part of it';
    throw new TiedError('bad-file', `config.json: ${what}; expected the whole file, from { to }`, { cause });
  }
  if (typeof value !== 'object' || value === null) {
    throw badFile(`it holds ${describeValue(value)}; expected an object with model_type`);
  }
  return value;
}

interface LanguageModel {
  readonly fields: Fields;
  readonly type: string;
}

/** Multimodal models have the language model's configuration in a field of their own, or its fields among theirs. */
function languageModelIn({ outer, inner }: Levels): LanguageModel {
  // A decoder that reads another model's states has parameters that a model of its kind does not have.
  const part = inner === null || inner.path.endsWith('decoder.') ? null : inner;
  if (part !== null && isKnown(part.type)) {
    const fields = new Fields(part.values, part.path, CLASS_SIZES[part.type] ?? {});
    fields.assume(`Only the language model in ${nameOf(part)} is counted.`);
    return { fields, type: part.type };
  }
  const fields = new Fields(outer.values, outer.path);
  if (isKnown(outer.type)) return { fields, type: outer.type };
  const flat = WRAPPERS.get(outer.type)?.inner;
  if (part === null && isKnown(flat) && fields.value('hidden_size') !== null) {
    fields.assume('Only the language model is counted.');
    return { fields, type: flat };
  }
  throw notCounted(outer, part, fields);
}

function notCounted(outer: Level, part: Level | null, fields: Fields): TiedError {
  const known = `known are ${MODEL_TYPES.join(', ')}`;
  const type = fields.value('model_type');
  if (type === null && part === null) {
    return badFile(`model_type is missing; ${known}. Is this the config.json beside the weights of a model?`);
  }
  if (type !== null && typeof type !== 'string') return fields.wrong('model_type', `a name; ${known}`);
  if (part === null && isKnown(WRAPPERS.get(outer.type)?.inner)) {
    return unsupported(`model_type is ${describeValue(type)}, but text_config, with the language model, is missing`);
  }
  const its =
    part === null
      ? ''
      : ` The language model in ${nameOf(part)} cannot be passed on its own either: ${part.type === '' ? 'it names no model_type' : `its model_type is ${describeValue(part.type)}`}.`;
  return unsupported(
    `${outer.path}model_type is ${describeValue(type)}; ${known}, alone or in text_config, llm_config, language_config or thinker_config.${its}`,
  );
}

/** A class, named in the file, that has another head or none: of a known kind the class without a head is called like the kind. */
function classWithoutHead({ values, type }: Level): string | null {
  const listed = Object.hasOwn(values, 'architectures') ? values['architectures'] : null;
  const [name] = Array.isArray(listed) ? (listed as unknown[]) : [];
  if (typeof name !== 'string' || name.length > LONGEST_NAME) return null;
  const isBare = isKnown(type) && name.toLowerCase() === `${type.replaceAll(/[-_]/g, '')}model`;
  const isOther = /(?:For\w*(?:Classification|QuestionAnswering|Reward\w*)|RewardModel|EncoderModel)$/.test(name);
  return isBare || isOther ? name : null;
}

const nameOf = ({ path }: Level): string => path.slice(0, -1);

function isKnown(type: unknown): type is string {
  return typeof type === 'string' && Object.hasOwn(READERS, type);
}

/** The input tables of an encoder-decoder are one in any case. */
function tyingIn(
  file: Record<string, unknown>,
  { outer, inner }: Levels,
  fields: Fields,
  isT5: boolean,
): TableTying | null {
  for (const { values, path } of [outer, ...(inner === null ? [] : [inner])]) {
    new Fields(values, path).flag('tie_word_embeddings', false);
  }
  const { tied, disagreement, assumption } = saidTying(file);
  const note = disagreement ?? assumption;
  if (note !== null) fields.assume(note);
  if (tied === null) return null;
  if (tied) return 'tied';
  return isT5 ? 'tied-inputs' : 'untied';
}

/** Fields that are valid individually can still contradict each other, such as more active experts than experts. */
function check(architecture: ImportedModel['architecture'], type: string): void {
  try {
    completeArchitecture(architecture);
  } catch (cause) {
    if (!(cause instanceof TiedError)) throw cause;
    throw new TiedError('bad-file', `config.json: its sizes are invalid for a ${type} model: ${cause.message}`, {
      cause,
    });
  }
}

/** A name as on the Hub: 'gpt2', 'someone/some-model'. Local paths do not count. */
function nameIn(file: object): string | null {
  const name = new Fields(file).value('_name_or_path');
  return typeof name === 'string' && name.length <= LONGEST_NAME && /^\w[\w.-]*(\/\w[\w.-]*)?$/.test(name)
    ? name
    : null;
}
