// Opens any checkpoint that check reads: a model of this package or of llama2.c as a whole, only the token tables of
// others.
import { basename } from 'node:path';
import { filesOf, kindOf } from './checkpoint-files.mjs';
import { ofTheCaller, refusalOf } from './exit-codes.mjs';
import { readBytes } from './files.mjs';

/**
 * @typedef {import('../web/core/types.js').Matrix} Matrix
 * @typedef {import('../web/core/types.js').Checkpoint} Checkpoint
 * @typedef {{ name: string, shape: readonly number[], type: string }} TableFacts
 * @typedef {object} Tables The input and output tables in a file of tensors.
 * @property {string} format @property {number} bytes Bytes of the tensors in the opened files. @property {number} bytesRead
 * @property {number} parameters Elements of these tensors.
 * @property {{ embedding: TableFacts, unembedding: TableFacts | null }} facts
 * @property {Checkpoint['tying']} tying
 * @property {Matrix} embedding @property {Matrix | null} unembedding Null if both roles have the same values.
 * @property {boolean} copied Whether they are stored twice.
 * @property {readonly string[] | null} tokens @property {readonly string[]} notes
 */

/** The flags that stand for options in messages. */
const flags = /** @type {const} */ ([
  ['options.tables.input', '--embedding'],
  ['options.tables.output', '--unembedding'],
  ['options.wholeFile: true', '--whole-file'],
  ['wholeFile: true', '--whole-file'],
  ['tables: { input, output }', '--embedding and --unembedding'],
  ['tables: { input }', '--embedding'],
  ['tables: { output }', '--unembedding'],
]);

/** @param {unknown} error @param {string} place */
function refused(error, place) {
  const refusal = /** @type {Error} */ (refusalOf(error, place, [...ofTheCaller, 'unreachable', 'not-finite']));
  const name = isUrl(place) ? place : basename(place);
  // The message already names the file.
  refusal.message = refusal.message.replace(`${place}: ${name}: `, `${place}: `);
  for (const [option, flag] of flags) refusal.message = refusal.message.replaceAll(option, flag);
  return refusal;
}

const isUrl = (place) => /^https?:/i.test(place);

/**
 * @param {import('./tied-embeddings.js').Core} core @param {string} place
 * @param {{ embedding?: string, unembedding?: string, wholeFile: boolean }} how
 * @returns {Promise<{ tables: Tables } | { model: Uint8Array, format: 'trainer' | 'llama2c' }>}
 */
export async function openAny(core, place, { embedding, unembedding, wholeFile }) {
  const kind = isUrl(place) ? '' : kindOf(place);
  if (kind === 'own-file' || kind === 'weights')
    return { model: readBytes(place), format: kind === 'own-file' ? 'trainer' : 'llama2c' };
  // A file with one table; the other table has its own file.
  const isOne = kind === 'numpy' || kind === 'text';
  const named = isOne ? {} : { embedding, unembedding };
  const tables = await withCheckpoint(core, place, { ...named, wholeFile }, tablesOf);
  return { tables: isOne && unembedding !== undefined ? await withPartner(core, tables, unembedding) : tables };
}

/**
 * Opens files of other programs, and of llama2.c, and passes them to `use`; errors of both become one-line refusals.
 * @template T @param {import('./tied-embeddings.js').Core} core @param {string} place
 * @param {{ embedding?: string, unembedding?: string, wholeFile?: boolean }} how @param {(checkpoint: Checkpoint) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withCheckpoint(core, place, { embedding, unembedding, wholeFile = false }, use) {
  const tables = {
    ...(embedding === undefined ? {} : { input: embedding }),
    ...(unembedding === undefined ? {} : { output: unembedding }),
  };
  try {
    const source = isUrl(place) ? place : await filesOf(place, kindOf(place));
    const checkpoint = await core.openCheckpoint(source, { tables, beside: true, wholeFile });
    const result = await use(checkpoint);
    checkpoint.dispose();
    return result;
  } catch (error) {
    throw refused(error, place);
  }
}

/** @param {Checkpoint} checkpoint @returns {Promise<Tables>} */
async function tablesOf(checkpoint) {
  const { format, tensors, tying, tokens, tables } = checkpoint;
  const factsOf = ({ name, shape, dtype }) => ({ name, shape, type: dtype });
  const input = tables.input ?? tables.output;
  const hasTwo = tables.output !== null && tables.output !== input && tables.output.name !== input.name;
  const embedding = await checkpoint.matrix('input');
  const unembedding = hasTwo && tying.tied !== true ? await checkpoint.matrix('output') : null;
  const derived = ['between', 'mlp.up.weight', 'low_rank.a'].find((name) => tensors.some((one) => one.name === name));
  const left =
    derived === undefined || input.name !== 'embedding'
      ? []
      : [`The file has '${derived}' between the tables, which is left out here; check the saved trainer instead.`];
  const { bytesRead, notes } = checkpoint;
  return {
    format,
    bytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
    bytesRead,
    parameters: tensors.reduce((sum, { shape }) => sum + shape.reduce((product, one) => product * one, 1), 0),
    facts: { embedding: factsOf(input), unembedding: hasTwo ? factsOf(tables.output) : null },
    tying,
    embedding,
    unembedding,
    copied: hasTwo && tying.tied === true,
    tokens,
    notes: [...notes, ...left],
  };
}

/** Two files with one table each. @param {Tables} first @param {string} place @returns {Promise<Tables>} */
async function withPartner(core, first, place) {
  const second = await withCheckpoint(core, place, {}, tablesOf);
  return {
    ...first,
    bytes: first.bytes + second.bytes,
    bytesRead: first.bytesRead + second.bytesRead,
    parameters: first.parameters + second.parameters,
    facts: { embedding: first.facts.embedding, unembedding: second.facts.embedding },
    unembedding: second.embedding,
    notes: [...first.notes, ...second.notes],
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
