// Opens any checkpoint that the command reads: a model of this package or of llama2.c whole, of others their tables of tokens.
import { fileKind, headBytes, nameOf } from './command-parts.js';
import { Refusal, refusalOf } from './exit-codes.mjs';
import { readNpy } from './npy.mjs';
import { readDirectory, readIndex, readTable } from './safetensors.mjs';
import { openSource } from './source.mjs';
import { tableNames } from './token-tables.mjs';

const expected =
  'a saved trainer, a model of llama2.c, safetensors, their index (model.safetensors.index.json), or a matrix of NumPy';

/**
 * @typedef {import('../web/core/types.js').Matrix} Matrix
 * @typedef {{ name: string, shape: number[], type: string }} TableFacts
 * @typedef {object} Tables What a file of tensors has for reading and for writing tokens.
 * @property {'safetensors' | 'npy'} format @property {number} files @property {number} bytes
 * @property {number} parameters Numbers in all tensors.
 * @property {{ embedding: TableFacts, unembedding: TableFacts | null }} facts
 * @property {Matrix} embedding @property {Matrix | null} unembedding Null where there is one table.
 * @property {string | null} note
 */

/** @param {string} place @param {{ embedding?: string, unembedding?: string }} named @returns {Promise<{ tables: Tables } | { model: Uint8Array, format: 'trainer' | 'llama2c' }>} */
export async function openCheckpoint(place, named) {
  const source = await openSource(place);
  try {
    if (source.size === 0) throw new Refusal(`${place} is empty`);
    const head = await source.read(0, Math.min(source.size, headBytes));
    const { kind } = fileKind(head, source.size);
    if (kind === 'own-file' || kind === 'weights') {
      const model = await source.read(0, source.size);
      return { model, format: kind === 'own-file' ? 'trainer' : 'llama2c' };
    }
    if (kind === 'numpy' && head[0] === 0x93) return { tables: await tablesOfNpy(source, named) };
    const directory =
      kind === 'safetensors' ? await readDirectory(source) : kind === 'json' ? await directoryOfIndex(source) : null;
    if (directory === null)
      throw new Refusal(`${place} is ${nameOf(head) ?? 'of no known kind'}; expected ${expected}`);
    return { tables: await tablesOf(directory, named) };
  } finally {
    source.close();
  }
}

/** Null where the JSON is no index. */
async function directoryOfIndex(source) {
  let index;
  try {
    index = JSON.parse(new TextDecoder().decode(await source.read(0, source.size)));
  } catch {
    return null;
  }
  const files = index?.weight_map;
  return typeof files === 'object' && files !== null ? readIndex(source, files) : null;
}

/** @returns {Promise<Tables>} */
async function tablesOf(directory, named) {
  const names = tableNames(directory, named);
  const { tensors, metadata } = directory;
  const factsOf = (name) => ({ name, shape: tensors.get(name).shape, type: tensors.get(name).dtype });
  const all = [...tensors.values()];
  const embedding = await readTable(names.embedding, tensors.get(names.embedding));
  const second =
    names.unembedding === null
      ? null
      : inRows(await readTable(names.unembedding, tensors.get(names.unembedding)), embedding);
  return {
    format: 'safetensors',
    files: new Set(all.map(({ source: file }) => file)).size,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    parameters: all.reduce((sum, { shape }) => sum + shape.reduce((product, one) => product * one, 1), 0),
    facts: {
      embedding: factsOf(names.embedding),
      unembedding: names.unembedding === null ? null : factsOf(names.unembedding),
    },
    embedding,
    unembedding: second,
    note: noteOf(tensors, metadata),
  };
}

/**
 * Some programs store the table that writes with a column for each token.
 * @param {Matrix} table @param {Matrix} like @returns {Matrix}
 */
function inRows(table, like) {
  const { rows, cols, data } = table;
  if (rows === like.rows || rows !== like.cols || cols !== like.rows) return table;
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++) turned[col * rows + row] = data[row * cols + col];
  return { rows: cols, cols: rows, data: turned };
}

/** Of our own exports with something between the table and its second role. */
function noteOf(tensors, metadata) {
  const derived = ['between', 'mlp.up.weight', 'low_rank.a'].find((name) => tensors.has(name));
  return derived === undefined || metadata.config === undefined
    ? null
    : `The file has '${derived}' between the tables, which is left out here: check the saved trainer instead.`;
}

/** @returns {Promise<Tables>} */
async function tablesOfNpy(source, named) {
  const { dtype, matrix } = await readNpy(source);
  const factsOf = (name, type, { rows, cols }) => ({ name, shape: [rows, cols], type });
  let second = null;
  if (named.unembedding !== undefined) {
    const other = await openSource(named.unembedding);
    try {
      second = await readNpy(other);
    } finally {
      other.close();
    }
  }
  return {
    format: 'npy',
    files: second === null ? 1 : 2,
    bytes: source.size,
    parameters: matrix.data.length + (second?.matrix.data.length ?? 0),
    facts: {
      embedding: factsOf(source.name, dtype, matrix),
      unembedding: second === null ? null : factsOf(named.unembedding, second.dtype, second.matrix),
    },
    embedding: matrix,
    unembedding: second?.matrix ?? null,
    note: null,
  };
}

/**
 * A trainer of the package, from the bytes of a file.
 * @param {import('./tied-embeddings.js').Core} core @param {string} place
 * @param {{ model: Uint8Array, format: 'trainer' | 'llama2c' }} file @param {Uint8Array | null} tokenizerFile
 */
export function openModel(core, place, { model, format }, tokenizerFile) {
  try {
    if (format === 'trainer') return core.loadTrainer(model);
    const tokenizer = tokenizerFile === null ? undefined : core.loadTokenizer(tokenizerFile, { format: 'llama2c' });
    return core.loadModel(model, { format, ...(tokenizer === undefined ? {} : { tokenizer }) });
  } catch (error) {
    throw refusalOf(error, place);
  }
}
