/**
 * Reads the `config.json` of a Hugging Face model. Field names and defaults follow the configuration classes of
 * huggingface/transformers 4.
 */
import type { ImportedModel } from './accounting-types.js';
import { completeArchitecture } from './architecture-options.js';
import { copyData } from './copy-data.js';
import { describeValue, invalidArgument, TiedError } from './errors.js';
import { BERT_T5_READERS } from './import-config/bert-t5.js';
import { badFile, Fields, unsupported } from './import-config/fields.js';
import { GPT_READERS } from './import-config/gpt.js';
import { CLASS_SIZES, LLAMA_READERS } from './import-config/llama.js';
import type { Reader } from './import-config/readers.js';
import { isRecord } from './validate.js';

const READERS: Readonly<Record<string, Reader>> = { ...GPT_READERS, ...BERT_T5_READERS, ...LLAMA_READERS };

/** Every supported `model_type`. */
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
  const { fields, reader, type } = readerOf(file);
  const { architecture, tying } = reader(fields);
  check(architecture, type);
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

/** Multimodal models have the language model's configuration in `text_config`. */
function readerOf(file: object): { fields: Fields; reader: Reader; type: string } {
  const outer = new Fields(file);
  const nested = outer.value('text_config');
  if (typeof nested === 'object' && nested !== null) {
    const inner = new Fields(nested).value('model_type');
    if (isKnown(inner)) {
      const fields = new Fields(withTying(nested, outer), 'text_config.', CLASS_SIZES[inner] ?? {});
      fields.assume('Only the language model in text_config is counted.');
      return { fields, reader: READERS[inner]!, type: inner };
    }
  }
  const type = outer.value('model_type');
  if (isKnown(type)) return { fields: outer, reader: READERS[type]!, type };
  const known = `known are ${MODEL_TYPES.join(', ')}`;
  if (type === null) {
    throw badFile(`model_type is missing; ${known}. Is this the config.json beside the weights of a model?`);
  }
  if (typeof type !== 'string') throw outer.wrong('model_type', `a name; ${known}`);
  throw unsupported(`model_type is ${describeValue(type)}; ${known}`);
}

function isKnown(type: unknown): type is string {
  return typeof type === 'string' && Object.hasOwn(READERS, type);
}

/** The tying flag may be in the outer object. */
function withTying(nested: object, outer: Fields): object {
  const flag = outer.value('tie_word_embeddings');
  return flag === null || Object.hasOwn(nested, 'tie_word_embeddings')
    ? nested
    : { ...nested, tie_word_embeddings: flag };
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
