/** The index of a model in several safetensors files: which file holds which tensor. */
import { JsonProblem, parseInSlices, shortly, type PlainValue } from './exact-json.js';
import { inSlices, pause } from '../../runtime/pause.js';
import { badFile, isPlainName, type ByteSource } from '../bytes/source.js';

const AT_ONCE = 10_000;

/** The shard of each tensor. `metadata.total_parameters` in such files may be wrong and is not read. */
export async function readIndex(source: ByteSource, text: string): Promise<ReadonlyMap<string, string>> {
  let index: PlainValue;
  try {
    // Unlike JSON.parse, refuses a tensor that is listed twice.
    index = await parseInSlices(text);
  } catch (error) {
    if (error instanceof JsonProblem)
      throw badFile(source.name, `it cannot be parsed (${error.message}); expected JSON`);
    throw error;
  }
  const shards = index instanceof Map ? index.get('weight_map') : undefined;
  if (!(shards instanceof Map) || shards.size === 0)
    throw badFile(source.name, 'it has no weight_map; expected the list of tensors and files');
  // Few files have all tensors.
  const files = new Map<string, string>();
  const isDue = inSlices(AT_ONCE);
  for (const [tensor, file] of shards) {
    if (isDue()) await pause();
    const known = typeof file === 'string' ? files.get(file) : undefined;
    if (known !== undefined) {
      shards.set(tensor, known);
      continue;
    }
    if (typeof file !== 'string' || !isPlainName(file))
      throw badFile(
        source.name,
        `weight_map has ${typeof file === 'string' ? `'${file.slice(0, 80)}'` : shortly(file)} for '${tensor.slice(0, 80)}'; expected a plain file name`,
      );
    files.set(file, file);
  }
  return shards as ReadonlyMap<string, string>;
}

/** Reads any JSON file, such as a configuration or a vocabulary. */
export async function readJson(source: ByteSource, most: number, signal?: AbortSignal): Promise<unknown> {
  const text = await readText(source, most, signal);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unparsed(source, error);
  }
}

/** Reads a text, whose size is checked first. */
export async function readText(source: ByteSource, most: number, signal?: AbortSignal): Promise<string> {
  const { size } = source;
  if (size === null || size > most)
    throw badFile(source.name, `it has ${size ?? 'an unknown number of'} bytes; expected at most ${most}`);
  const bytes = await source.read(0, size, signal);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unparsed(source, error);
  }
}

const unparsed = (source: ByteSource, error: unknown): Error =>
  error instanceof SyntaxError || error instanceof TypeError
    ? badFile(source.name, `it cannot be parsed (${error.message.slice(0, 120)}); expected JSON in UTF-8`)
    : (error as Error);

/** The own fields of a JSON object; none for any other value. */
export const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
