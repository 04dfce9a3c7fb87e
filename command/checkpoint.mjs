// Opens any checkpoint that check reads: a model of this package or of llama2.c as a whole, only the token tables of
// others.
import { basename } from 'node:path';
import { filesOf, headOf, kindOf, modelFileOf } from './checkpoint-files.mjs';
import { areEndsOfPath, moduleOfFile } from './command-parts.js';
import { ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { readBytes } from './files.mjs';
import { ownPath, ownParts, scoresOf } from './measure-tables.mjs';

/**
 * @typedef {import('../web/core/types.js').Matrix} Matrix
 * @typedef {import('../web/core/types.js').Checkpoint} Checkpoint
 * @typedef {{ name: string, shape: readonly number[], type: string }} TableFacts
 * @typedef {object} Tables The input and output tables in a file of tensors.
 * @property {string} format @property {number} bytes Bytes of the tensors in the opened files. @property {number} bytesRead
 * @property {number} parameters Elements of these tensors. @property {boolean} isWhole Whether these are all tensors of the model.
 * @property {{ embedding: TableFacts | null, unembedding: TableFacts | null }} facts Null: there is none of its own.
 * @property {Checkpoint['tying']} tying With the command's flags in its words.
 * @property {readonly string[]} leftOut Tensors that the output adds to the product of the tables.
 * @property {Matrix | null} embedding Null if it cannot be decoded.
 * @property {Matrix | null} unembedding Null if both roles have the same values, or if it cannot be decoded.
 * @property {{ embedding: Matrix, unembedding?: Matrix } | null} factors Of the direct path; null if a table of it is not there or cannot be decoded.
 * @property {Matrix | null} logits Of all pairs, in place of factors.
 * @property {boolean} copied Whether they are stored twice.
 * @property {boolean} derived Whether a model of this package has one table, and a map for its second role.
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
]);

/** A message of the package, with the command's flags. @param {string} text */
const withFlags = (text) => flags.reduce((words, [option, flag]) => words.replaceAll(option, flag), text);

/** @param {Checkpoint['tying']} tying */
const inFlags = (tying) => ({
  ...tying,
  reason: withFlags(tying.reason),
  conflict: tying.conflict && withFlags(tying.conflict),
});

/** @param {unknown} error @param {string} place */
function refused(error, place) {
  const refusal = /** @type {Error} */ (refusalOf(error, place, [...ofTheCaller, 'unreachable', 'not-finite']));
  const name = isUrl(place) ? place : basename(place);
  // The message already names the file.
  refusal.message = withFlags(refusal.message.replace(`${place}: ${name}: `, `${place}: `));
  return refusal;
}

export const isUrl = (place) => /^https?:/i.test(place);

/** The file that a place stands for: a folder stands for the model in it. @param {string} place */
const fileAt = (place) => (isUrl(place) ? place : modelFileOf(place));

/** Modules that the saved trainers among these files need, beside those of all checkpoints. @param {readonly string[]} places */
export const modulesFor = (places) => (places.some(runsInModels) ? /** @type {const} */ (['models']) : []);

function runsInModels(place) {
  try {
    return !isUrl(place) && moduleOfFile(headOf(fileAt(place))) === 'models';
  } catch (error) {
    // Whoever opens it refuses it.
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The kind of a file; that of a URL is not known before it is opened. @param {string} place */
const kindAt = (place) => (isUrl(place) ? '' : kindOf(place));

/**
 * @param {import('./tied-embeddings.js').Core} core @param {string} named
 * @param {{ embedding?: string, unembedding?: string, wholeFile: boolean, rows?: boolean }} how `rows`: whether to read the tables (default: true).
 * @returns {Promise<{ tables: Tables } | { model: Uint8Array, format: 'trainer' | 'llama2c' }>}
 */
export async function openAny(core, named, { embedding, unembedding, wholeFile, rows = true }) {
  const place = fileAt(named);
  const kind = kindAt(place);
  if (kind === 'own-file' || kind === 'weights')
    return { model: readBytes(place), format: kind === 'own-file' ? 'trainer' : 'llama2c' };
  // A file with one table; the other table has its own file.
  if (!hasOneTable(kind))
    return {
      tables: await withCheckpoint(core, place, { embedding, unembedding, wholeFile }, (one) => tablesOf(one, rows)),
    };
  if (unembedding === undefined) return { tables: await withCheckpoint(core, place, {}, (one) => tablesOf(one)) };
  return { tables: await twoTables(core, place, unembedding, wholeFile) };
}

/** @param {string} kind */
const hasOneTable = (kind) => kind === 'numpy' || kind === 'text';

/**
 * A file with one table, and its output table in a file of any kind or at a URL, judged as the tables of one file are.
 * @param {import('./tied-embeddings.js').Core} core @param {string} input @param {string} named @param {boolean} wholeFile
 */
async function twoTables(core, input, named, wholeFile) {
  try {
    const output = fileAt(named);
    const isNamedAlike = basename(input) === basename(output) && input !== output;
    const [one, other] = isNamedAlike || isUrl(output) ? [input, output] : [basename(input), basename(output)];
    const [first] = await filesOf(input, kindAt(input));
    const [second, ...more] = isUrl(output) || input === output ? [] : await sourceAt(core, output);
    const files = [new File([first], one), ...(second === undefined ? [] : [new File([second], other), ...more])];
    const checkpoint = await core.openCheckpoint(files, { tables: { input: one, output: other }, wholeFile });
    const result = await tablesOf(checkpoint);
    checkpoint.dispose();
    return result;
  } catch (error) {
    throw refused(error, input);
  }
}

/** @param {import('./tied-embeddings.js').Core} core @param {string} place Not a URL. */
async function sourceAt(core, place) {
  const kind = kindAt(place);
  return kind === 'own-file' ? asSafetensors(core, place) : filesOf(place, kind);
}

/**
 * Opens files of other programs, of llama2.c and of this package, and passes them to `use`; errors of both become one-line refusals.
 * @template T @param {import('./tied-embeddings.js').Core} core @param {string} named A file, a folder with a model, or a URL.
 * @param {{ embedding?: string, unembedding?: string, wholeFile?: boolean }} how @param {(checkpoint: Checkpoint) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withCheckpoint(core, named, { embedding, unembedding, wholeFile = false }, use) {
  const tables = {
    ...(embedding === undefined ? {} : { input: embedding }),
    ...(unembedding === undefined ? {} : { output: unembedding }),
  };
  const place = fileAt(named);
  try {
    const source = isUrl(place) ? place : await sourceAt(core, place);
    const checkpoint = await core.openCheckpoint(source, { tables, beside: true, wholeFile });
    const result = await use(checkpoint);
    checkpoint.dispose();
    return result;
  } catch (error) {
    throw refused(error, place);
  }
}

/** The model of a saved trainer. @param {import('./tied-embeddings.js').Core} core @param {string} place */
function asSafetensors(core, place) {
  const trainer = core.loadTrainer(readBytes(place));
  const file = new File([trainer.toSafetensors()], basename(place));
  trainer.dispose();
  return [file];
}

/**
 * The verdict on a trainer's model: that on its weights, so a model gets the same one in every format.
 * @param {import('./tied-embeddings.js').Core} core @param {string} place @param {import('./tied-embeddings.js').Trainer} trainer
 * @returns {Promise<Pick<Tables, 'tying' | 'leftOut'>>}
 */
export async function verdictOnModel(core, place, trainer) {
  const checkpoint = await core.openCheckpoint([new File([trainer.toSafetensors()], basename(place))]);
  const { tying, leftOut } = checkpoint;
  checkpoint.dispose();
  return { tying: inFlags(tying), leftOut: leftOut.output };
}

/** @param {Checkpoint} checkpoint @param {boolean} rows Whether to read the tables. @returns {Promise<Tables>} */
async function tablesOf(checkpoint, rows = true) {
  const { format, tensors, tying, tokens, tables, leftOut } = checkpoint;
  // Of two names of one storage, one counts.
  const stored = tensors.filter(({ sharedWith }) => sharedWith === undefined);
  const factsOf = (table) => table && { name: table.name, shape: table.shape, type: table.dtype };
  const { input, output } = tables;
  const hasTwo = input !== null && output !== null && output !== input && output.name !== input.name;
  // Tables that are equal up to rounding still give other scores than one table would.
  const areTwo = hasTwo && (tying.tied !== true || tying.evidence === 'equal-values');
  const embedding = rows ? await readable(checkpoint, input === null ? 'output' : 'input') : null;
  const unembedding = rows && areTwo ? await readable(checkpoint, 'output') : null;
  const areEnds = areEndsOfPath(tying, input, output);
  const isPath = areEnds && (areTwo || tying.tied === true);
  const own = rows ? await ownPathOf(checkpoint) : null;
  const { bytesRead, notes } = checkpoint;
  return {
    format,
    bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
    bytesRead,
    parameters: stored.reduce((sum, { shape }) => sum + shape.reduce((product, one) => product * one, 1), 0),
    isWhole: checkpoint.isWhole,
    facts: { embedding: factsOf(input), unembedding: hasTwo || input === null ? factsOf(output) : null },
    tying: inFlags(tying),
    leftOut: leftOut.output.filter((name) => own?.includes(name) !== true),
    embedding,
    unembedding,
    factors: own === null ? (isPath ? factorsOf(embedding, areTwo, unembedding) : null) : own.factors,
    logits: own?.logits ?? null,
    copied: hasTwo && tying.tied === true,
    derived: own?.relation === 'derived',
    tokens,
    notes: [
      ...notes.map(withFlags),
      ...(own?.note ? [own.note] : []),
      ...(areTwo && areEnds ? noteOnRows(input, output) : []),
    ],
  };
}

/** Verdicts that only this package's own models get. */
const saysOfOwn = /^The (?:model has one table, with|output has tables of its own)/;

/** What a file of this package has between its tables; null for two plain ones, and for files of other programs. @param {Checkpoint} checkpoint */
async function ownPathOf(checkpoint) {
  const { tensors, tables, tying } = checkpoint;
  const names = new Set(tensors.map(({ name }) => name));
  const isOwn = saysOfOwn.test(tying.reason) || names.has('embedding.factor');
  if (!isOwn || tables.input?.name !== 'embedding' || !ownParts.some((name) => names.has(name))) return null;
  return ownPath({
    has: (name) => names.has(name),
    matrix: (name) => checkpoint.matrix(name),
    vocabSize: tables.input.shape[0],
    logitsOfAll: async (ids) => {
      const trainer = await /** @type {import('../web/core/types.js').RunnableCheckpoint} */ (checkpoint).toTrainer();
      try {
        return scoresOf(trainer, ids);
      } finally {
        trainer.dispose();
      }
    },
  });
}

/** A note on tables whose rows differ in number or length. */
function noteOnRows(input, output) {
  if (input === null || output === null) return [];
  const [[rows, cols], [otherRows, otherCols]] = [input.shape, output.shape];
  if ((rows === otherCols && cols === otherRows) || (rows === otherRows && cols === otherCols)) return [];
  if (cols !== otherCols) return [`The rows have ${cols} and ${otherCols} numbers, so the two tables have no product.`];
  const shared = Math.min(rows, otherRows);
  return [
    `The tables have ${rows} and ${otherRows} rows; the direct path is that of the ${shared} rows that both have.`,
  ];
}

/** The rows of a table; null if its type cannot be decoded. @param {Checkpoint} checkpoint @param {'input' | 'output'} role */
async function readable(checkpoint, role) {
  try {
    return await checkpoint.matrix(role);
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code === 'unsupported') return null;
    throw error;
  }
}

/** @param {Matrix | null} embedding @param {boolean} areTwo @param {Matrix | null} unembedding */
function factorsOf(embedding, areTwo, unembedding) {
  if (embedding === null) return null;
  if (!areTwo) return { embedding };
  if (unembedding === null || unembedding.cols !== embedding.cols) return null;
  const rows = Math.min(embedding.rows, unembedding.rows);
  return { embedding: firstRows(embedding, rows), unembedding: firstRows(unembedding, rows) };
}

/** @param {Matrix} matrix @param {number} rows @returns {Matrix} */
const firstRows = ({ cols, data }, rows) => ({ rows, cols, data: data.subarray(0, rows * cols) });

/**
 * A trainer of the package, from the bytes of a file.
 * @param {import('./tied-embeddings.js').Core} core @param {string} place
 * @param {{ model: Uint8Array, format: 'trainer' | 'llama2c' }} file
 * @param {import('../web/core/types.js').Tokenizer | undefined} tokenizer
 */
export function openModel(core, place, { model, format }, tokenizer) {
  if (format === 'trainer' && tokenizer !== undefined)
    throw new Refusal(`--tokenizer was given, but ${place} is a saved trainer, which has its own`);
  try {
    if (format === 'trainer') return core.loadTrainer(model);
    return core.loadModel(model, { format, ...(tokenizer === undefined ? {} : { tokenizer }) });
  } catch (error) {
    throw refusalOf(error, place);
  }
}
