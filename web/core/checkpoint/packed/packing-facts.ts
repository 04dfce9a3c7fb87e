/** What files say of how their tables are packed, beyond the shapes: read once, before the tables are found. */
import { mayBeATable } from '../tables/families.js';
import { fieldsOf } from '../formats/safetensors-index.js';
import type { PackingFacts, StoredTensor, TensorDirectory } from '../tensors.js';

export const NO_PACKING_FACTS: PackingFacts = { configuration: new Map(), states: new Map() };

/** The JSON that was seen has 200 bytes. */
const MOST_BYTES = 2 ** 16;
const OF_STATES = /\.quant_state\.bitsandbytes__\w+$|\.weight_format$|\.weight_shape$/;
/** Where GPTQ's and AWQ's own programs wrote what config.json says today. */
const OLD_FILES = ['quantize_config.json', 'quant_config.json'] as const;

/** `beside`: reads a JSON file beside the model; null if there is none that can be read. */
export async function packingFacts(
  tensors: TensorDirectory['tensors'],
  configuration: ReadonlyMap<string, unknown> | null,
  beside: (name: string) => Promise<ReadonlyMap<string, unknown> | null>,
  signal?: AbortSignal,
): Promise<PackingFacts> {
  const states = new Map<string, ReadonlyMap<string, unknown> | string>();
  let isOld = false;
  for (const tensor of tensors.values()) {
    if (OF_STATES.test(tensor.name) && mayBeATable(tensor.name)) states.set(tensor.name, await stateIn(tensor, signal));
    isOld ||= tensor.name.endsWith('.qweight') && mayBeATable(tensor.name);
  }
  let said = saidOf(configuration);
  for (const name of isOld && said.size === 0 ? OLD_FILES : [])
    if (said.size === 0) said = (await beside(name)) ?? said;
  return { configuration: said, states };
}

/** MLX writes both, GPTQ and AWQ the first. Of models with several parts, the whole or the text model has it. */
function saidOf(configuration: ReadonlyMap<string, unknown> | null): ReadonlyMap<string, unknown> {
  for (const fields of [configuration, fieldsOf(configuration?.get('text_config'))])
    for (const name of ['quantization_config', 'quantization']) {
      const found = fieldsOf(fields?.get(name));
      if (found.size > 0) return found;
    }
  return new Map();
}

async function stateIn(tensor: StoredTensor, signal?: AbortSignal): Promise<ReadonlyMap<string, unknown> | string> {
  const name = `'${tensor.name.slice(0, 120)}'`;
  if (tensor.name.endsWith('.weight_shape')) return shapeIn(tensor, signal);
  if (tensor.dtype !== 'U8' || tensor.bytes > MOST_BYTES || tensor.bytes === 0)
    return `${name} has ${tensor.bytes} bytes of ${tensor.dtype}; expected 1 to ${MOST_BYTES} of U8`;
  const bytes = await tensor.source.read(tensor.from, tensor.bytes, signal);
  if (tensor.name.endsWith('.weight_format'))
    return bytes.every((byte) => byte === 0)
      ? new Map()
      : `${name} is ${bytes[0]}; expected 0, rows, and not an order for a graphics card`;
  try {
    return fieldsOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return `${name} cannot be parsed; expected JSON`;
  }
}

/** Two integers, of 64 or 32 bits: how compressed-tensors stores a shape. */
async function shapeIn(
  { name, dtype, shape, source, from, bytes }: StoredTensor,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, unknown> | string> {
  const each = dtype === 'I64' ? 8 : 4;
  const called = `'${name.slice(0, 120)}'`;
  if (!['I64', 'I32'].includes(dtype) || shape.join() !== '2')
    return `${called} has the shape [${shape.join(', ')}] of ${dtype.slice(0, 40)}; expected two numbers of I64`;
  const view = new DataView((await source.read(from, bytes, signal)).slice().buffer);
  const sizes = [0, each].map((at) => (each === 8 ? Number(view.getBigInt64(at, true)) : view.getInt32(at, true)));
  return sizes.every((size) => number(size) !== null)
    ? new Map([['shape', sizes]])
    : `${called} is [${sizes.join(', ')}]; expected [tokens, width]`;
}

/** What the configuration calls the packing, for one that no name of a tensor tells. */
export function saidPacking({ configuration }: PackingFacts): string | null {
  const method = configuration.get('quant_method');
  return typeof method === 'string' && /^[\w.+#-]{1,40}$/.test(method)
    ? `packed by what config.json calls ${method}`
    : null;
}

/** How the configuration says that zero points of GPTQ are stored: as they are, less one, or null if it does not say. */
export function saysZerosAreStored({ configuration }: PackingFacts): boolean | null {
  const format = configuration.get('checkpoint_format') ?? configuration.get('format');
  return typeof format === 'string' ? /v2$/i.test(format) : null;
}

const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

/** What MLX's configuration says of one module: of its own, under its path, or of all. */
function saidOfModule({ configuration }: PackingFacts, stem: string): ReadonlyMap<string, unknown> {
  for (const [path, value] of configuration)
    // The module may be within another one, in the file or in the configuration.
    if (path === stem || stem.endsWith(`.${path}`) || path.endsWith(`.${stem}`)) {
      const own = fieldsOf(value);
      if (own.size > 0) return own;
    }
  return configuration;
}

/** The columns of a table that MLX packed into rows of so many words, by the bits that the configuration says; null if its scales say otherwise. */
export function saidWidth(facts: PackingFacts, stem: string, words: number, scales: StoredTensor): number | null {
  const said = saidOfModule(facts, stem);
  const [bits, size] = [number(said.get('bits')), number(said.get('group_size'))];
  if (bits === null || size === null) return null;
  const width = (32 * words) / bits;
  return Number.isInteger(width) && scales.shape[1] === width / size ? width : null;
}

/** Columns with one scale; null: the configuration does not say, or the whole row. */
export const saidGroupSize = ({ configuration }: PackingFacts): number | null =>
  number(configuration.get('group_size') ?? configuration.get('q_group_size'));
