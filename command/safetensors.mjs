// The directory of a safetensors file, or of several under one index, and its tables as numbers.
import { Refusal } from './exit-codes.mjs';
import { toFloats, widths } from './number-formats.mjs';

/** The format's own limit of the header, in bytes. */
const longestHeader = 100_000_000;

/**
 * @typedef {object} Tensor
 * @property {string} dtype @property {number[]} shape
 * @property {number} from First byte in its file. @property {number} bytes
 * @property {import('./source.mjs').Source} source
 *
 * @typedef {{ tensors: Map<string, Tensor>, metadata: Record<string, string> }} Directory
 */

/** @param {import('./source.mjs').Source} source @returns {Promise<Directory>} */
export async function readDirectory(source) {
  const wrong = (what) => new Refusal(`${source.name} is no whole safetensors file: ${what}`);
  if (source.size < 8) throw wrong(`it has ${source.size} bytes`);
  const start = await source.read(0, 8);
  const length = Number(new DataView(start.buffer, start.byteOffset).getBigUint64(0, true));
  if (length > longestHeader) throw wrong(`its header would have ${length} bytes`);
  if (8 + length > source.size) throw wrong(`its header of ${length} bytes is cut off`);
  const header = parsed(await source.read(8, length), wrong);
  const { __metadata__: metadata = {}, ...entries } = header;
  const tensors = new Map(
    Object.entries(entries).map(([name, entry]) => [name, tensorOf(name, entry, 8 + length, source, wrong)]),
  );
  const end = Math.max(8 + length, ...[...tensors.values()].map(({ from, bytes }) => from + bytes));
  if (end > source.size) throw wrong(`it ends at byte ${source.size}; expected ${end}`);
  return { tensors, metadata };
}

function parsed(bytes, wrong) {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw wrong('its header is no JSON object');
}

function tensorOf(name, entry, base, source, wrong) {
  const { dtype, shape, data_offsets: offsets } = entry ?? {};
  const isList = (value, least) =>
    Array.isArray(value) && value.length >= least && value.every((one) => Number.isSafeInteger(one) && one >= 0);
  if (typeof dtype !== 'string' || !isList(shape, 0) || !isList(offsets, 2) || offsets[0] > offsets[1]) {
    throw wrong(`its entry '${name}' is not { dtype, shape, data_offsets }`);
  }
  const bytes = offsets[1] - offsets[0];
  const width = widths[dtype];
  if (width !== undefined && shape.reduce((product, one) => product * one, width) !== bytes) {
    throw wrong(`'${name}' of shape [${shape.join(', ')}] and type ${dtype} has ${bytes} bytes`);
  }
  return { dtype, shape, from: base + offsets[0], bytes, source };
}

/**
 * The tensors of all files that an index names, model.safetensors.index.json.
 * @param {import('./source.mjs').Source} source @param {Record<string, string>} files By tensor.
 * @returns {Promise<Directory>}
 */
export async function readIndex(source, files) {
  const names = [...new Set(Object.values(files))].sort();
  if (names.some((name) => typeof name !== 'string' || !/^[^/\\]+$/.test(name))) {
    throw new Refusal(`${source.name} names a file of another folder in weight_map`);
  }
  const directories = new Map();
  for (const name of names) directories.set(name, await readDirectory(await source.beside(name)));
  const tensors = new Map();
  for (const [tensor, file] of Object.entries(files)) {
    const found = directories.get(file).tensors.get(tensor);
    if (found === undefined) throw new Refusal(`${source.name} says that ${file} has '${tensor}'; it does not`);
    tensors.set(tensor, found);
  }
  return { tensors, metadata: Object.assign({}, ...[...directories.values()].map(({ metadata }) => metadata)) };
}

/** @param {string} name @param {Tensor} tensor */
export async function readTable(name, { dtype, shape, from, bytes, source }) {
  if (shape.length !== 2) throw new Refusal(`'${name}' has the shape [${shape.join(', ')}]; expected [tokens, width]`);
  const [rows, cols] = shape;
  return { rows, cols, data: toFloats(await source.read(from, bytes), dtype, `'${name}'`) };
}
