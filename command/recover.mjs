// recover: what the logits of a model tell about its tables.
import { existsSync } from 'node:fs';
import { filesOf, kindOf, modelFileOf } from './checkpoint-files.mjs';
import { common } from './declare.mjs';
import { exitCodes, ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { writeWhole } from './files.mjs';
import { npyOf } from './npy.mjs';
import { openModel } from './open-model.mjs';
import { columns, grouped } from './style.mjs';
import { createLab } from './tied-embeddings.js';

/** Tokens of the largest matrix of logits that is decomposed. */
const mostTokens = 2048;

/** Singular values of tables seldom fall by as much from one to the next. */
const clearGap = 3;

/** @typedef {import('../web/core/types.js').Matrix} Matrix */

/** @type {import('./declare.mjs').Verb} */
export const recover = {
  name: 'recover',
  summary: 'tell the width of a model from its logits and, of a tied direct path, the table',
  about:
    'Lets a model predict what follows each token on its own, and looks at nothing but these logits: their rank is the width of the model, and those of a tied direct path are a Gram matrix, from which its rows follow, up to a rotation and without their mean. ' +
    "What is found is then compared with the model's tables, beside what chance would give. " +
    'MODEL is a file or a folder that train saved, a checkpoint as for generate, or logits [V, V] alone, the row of a token before that which follows, as .npy.',
  operands: [{ name: 'MODEL', kind: 'file' }],
  flags: {
    tokens: {
      kind: 'integer',
      least: 2,
      most: mostTokens,
      summary: 'ask for the logits of this many tokens only, the first ones (default: all, but at most 2048)',
    },
    width: { kind: 'integer', least: 1, most: mostTokens, summary: 'columns to recover (default: the rank)' },
    tolerance: {
      kind: 'number',
      least: 1e-30,
      most: 1e30,
      summary: 'singular values up to this are rounding (default: that of single precision); more for rounded logits',
    },
    out: { kind: 'file', summary: 'where to save the recovered rows, as .npy; only those of a tied direct path exist' },
    overwrite: { kind: 'switch', summary: 'replace an existing file' },
    json: common.json,
  },
  examples: [
    'npx tied-embeddings recover path.tied',
    'npx tied-embeddings recover logits.npy --tolerance 0.03 --out rows.npy',
  ],
  run,
};

/** @param {import('./declare.mjs').Given} given */
async function run({ flags, operands: [named] }) {
  const { out, overwrite, json } = flags;
  if (out !== undefined && overwrite !== true && existsSync(out))
    throw new Refusal(`${out} already exists; expected --overwrite, or another --out`);
  const lab = await createLab();
  try {
    const { logits, vocabSize, tables } = await asked(lab, named, flags.tokens);
    const { width, tolerance } = flags;
    if (width !== undefined && width > logits.rows)
      throw new Refusal(`--width is '${width}'; expected at most the ${grouped(logits.rows)} tokens asked for`);
    const found = await lab.recoverTable(logits, {
      ...(width === undefined ? {} : { width }),
      ...(tolerance === undefined ? {} : { tolerance }),
    });
    const { gap, asymmetry, tied, eigenvalues, meanResidual, table, singularValues } = found;
    const result = {
      ...{ vocabSize, tokens: logits.rows, width: found.width, gap, tolerance: found.tolerance },
      ...{ asymmetry, eigenvalues, tied, meanResidual },
      singularValues: [...singularValues],
      compared: tables === null ? null : await comparedWith(lab, found, tables),
    };
    if (out !== undefined) {
      if (!tied)
        throw new Refusal(`${named}: its logits are no Gram matrix, so no rows follow from them; expected no --out`);
      writeWhole(out, npyOf(table.data, [table.rows, table.cols]));
    }
    process.stdout.write(json === true ? `${JSON.stringify(result)}\n` : inWords(result));
    return exitCodes.done;
  } catch (error) {
    // The caller is responsible for the values in a file.
    throw refusalOf(error, named, [...ofTheCaller, 'not-finite']);
  } finally {
    lab.dispose();
  }
}

/**
 * The logits after each token, and the rows of the tables that made them.
 * @param {import('./tied-embeddings.js').Lab} lab @param {string} named @param {number | undefined} count
 * @returns {Promise<{ logits: Matrix, vocabSize: number, tables: Tables | null }>}
 * @typedef {{ reading: Matrix, writing: Matrix }} Tables
 */
async function asked(lab, named, count) {
  const file = modelFileOf(named);
  if (kindOf(file) === 'numpy') {
    const checkpoint = await lab.openCheckpoint(await filesOf(file, 'numpy'));
    const [tensor] = checkpoint.tensors;
    const [rows, cols] = tensor?.shape ?? [];
    if (checkpoint.tensors.length !== 1 || rows === undefined || rows !== cols)
      throw new Refusal(`${named} has ${shapesOf(checkpoint.tensors)}; expected logits, one square matrix [V, V]`);
    const tokens = tokensOf(named, rows, count);
    const logits = await checkpoint.tensorWindow(tensor.name, {
      rows: { from: 0, to: tokens },
      cols: { from: 0, to: tokens },
    });
    return { logits, vocabSize: rows, tables: null };
  }
  const trainer = await openModel(lab, file, { tokenizerFile: undefined });
  const { vocabSize } = trainer.model;
  const ids = Uint32Array.from({ length: tokensOf(named, vocabSize, count) }, (_, id) => id);
  const logits = await trainer.nextTokenLogits({ from: ids, to: ids });
  const [reading, writing] = [await trainer.matrix('embedding'), await trainer.matrix('unembedding')];
  return { logits, vocabSize, tables: { reading: first(reading, ids), writing: first(writing, ids) } };
}

const shapesOf = (tensors) => tensors.map(({ name, shape }) => `${name} [${shape.join(', ')}]`).join(', ');

function tokensOf(named, vocabSize, count) {
  if (count === undefined || count <= vocabSize) return Math.min(count ?? mostTokens, vocabSize);
  throw new Refusal(`--tokens is '${count}'; expected at most the ${grouped(vocabSize)} of ${named}`);
}

/** @param {Matrix} table @param {Uint32Array} ids @returns {Matrix} */
const first = ({ cols, data }, { length: rows }) => ({ rows, cols, data: data.slice(0, rows * cols) });

/** How like what was found is to the tables, each beside chance; null where there is nothing to compare. */
async function comparedWith(lab, { width, tied, table, reading, writing }, tables) {
  const space = async (found, known) => {
    if (width === 0) return null;
    const { subspaces } = await lab.cka(found, known, { dimensions: Math.min(width, known.cols) });
    return { overlap: subspaces.overlap, chance: subspaces.null };
  };
  const isComparable = tied && table.cols === tables.reading.cols;
  const rows = isComparable ? await lab.align(table, tables.reading, { method: 'orthogonal', holdOut: 0 }) : null;
  return {
    columns: tables.reading.cols,
    cosine: rows === null ? null : { mean: rows.meanCosine, chance: rows.null.meanCosine },
    reading: await space(reading, tables.reading),
    writing: await space(writing, tables.writing),
  };
}

function inWords({ vocabSize, tokens, width, gap, asymmetry, tied, compared }) {
  const of = tokens === vocabSize ? '' : ` of ${grouped(vocabSize)}`;
  return columns([
    ['tokens', `${grouped(tokens)}${of}`],
    ['width', `${grouped(width)}${doubtOf(width, tokens, gap)}`],
    ['asymmetry', `${asymmetry.toPrecision(3)}; 0.707 by chance`],
    ['one table', tied ? 'yes: the logits are a Gram matrix' : 'no: the logits are no Gram matrix'],
    ...(compared === null ? [] : comparison(compared)),
  ]);
}

/** How sure a width is. */
function doubtOf(width, tokens, gap) {
  // The means of rows and columns, which nothing is known of, take one direction.
  if (width === tokens - 1) return ': all that so many tokens can show; logits that were rounded need --tolerance';
  if (gap === null) return '';
  const next = `; the next singular value is ${gap.toPrecision(3)} times smaller`;
  return gap < clearGap ? `${next}, so this is a guess` : next;
}

/** @returns {[string, string][]} */
function comparison({ columns: known, cosine, reading, writing }) {
  const beside = (value, chance) => `${value.toFixed(3)}; by chance ${chance.toFixed(3)}`;
  const space = (name, found) => (found === null ? [] : [[name, beside(found.overlap, found.chance)]]);
  return /** @type {[string, string][]} */ ([
    ['columns of the input table', grouped(known)],
    ...(cosine === null ? [] : [['cosine of rows, turned', beside(cosine.mean, cosine.chance)]]),
    ...space('space of the input table', reading),
    ...space('space of the output table', writing),
  ]);
}
