import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from './experiment-facts.mjs';

/**
 * How well the tables of trained models agree, measured once over several seeds; the file explains how to repeat it.
 */
const file = 'docs/experiments/tables.tsv';

/**
 * Mean cosines after the best linear map: on the rows of the fit by seed, their mean, on held-out rows, and by chance.
 */
function alignmentOf(rows, pair) {
  const values = (measure) => {
    const found = rows
      .filter(([, variant, , quantity]) => variant === 'untied' && quantity === `${pair}, ${measure}`)
      .map((row) => Number(row[4]));
    if (found.length < 2 || !found.every(Number.isFinite)) throw new Error(`${file} has too few runs of ${pair}, ${measure}`);
    return found;
  };
  const mean = (all) => all.reduce((sum, value) => sum + value, 0) / all.length;
  const cosines = values('linear');
  const heldOut = values('linear, held out');
  return {
    cosines,
    mean: mean(cosines),
    least: Math.min(...cosines),
    most: Math.max(...cosines),
    heldOut: mean(heldOut),
    heldOutRange: { least: Math.min(...heldOut), most: Math.max(...heldOut) },
    chance: mean(values('linear, by chance')),
    shared: mean(values('shared neighbours')),
    sharedByChance: mean(values('shared neighbours, by chance')),
  };
}

/** What each table is like by itself, averaged over the runs: the tied table, and both tables of the untied model. */
function likenessOf(rows, quantity) {
  const valuesOf = (variant, table) =>
    rows
      .filter(([, name, , what]) => name === variant && what === `${quantity}, ${table}`)
      .toSorted(([, , a], [, , b]) => Number(a) - Number(b))
      .map((row) => Number(row[4]));
  const bySeed = {
    tied: valuesOf('tied', 'table'),
    writing: valuesOf('untied', 'output table'),
    reading: valuesOf('untied', 'input table'),
  };
  const all = Object.values(bySeed);
  if (all.some((values) => values.length < 2 || !values.every(Number.isFinite))) {
    throw new Error(`${file} has too few runs of ${quantity}`);
  }
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [tied, writing, reading] = all.map(mean);
  return { bySeed, tied, writing, reading };
}

export function alignmentFacts(text) {
  const rows = rowsOf(text);
  return {
    writing: alignmentOf(rows, 'output table to tied'),
    reading: alignmentOf(rows, 'input table to tied'),
    writingTimes5: alignmentOf(rows, 'output table to tied-input-x5'),
    readingTimes5: alignmentOf(rows, 'input table to tied-input-x5'),
    ownTables: alignmentOf(rows, 'input table to output table'),
  };
}

/**
 * In addition to alignments: how narrow the cone of a table's rows is, and whether the rows of frequent tokens are
 * longer.
 */
export function likenessFacts(text) {
  const rows = rowsOf(text);
  return {
    cosine: likenessOf(rows, 'mean cosine'),
    frequency: likenessOf(rows, 'rank correlation of norm and frequency'),
    /** The standard deviation, by chance, of a rank correlation over 512 rows. */
    frequencyByChance: 1 / Math.sqrt(512 - 1),
  };
}

export async function readTableFacts(root) {
  const text = await readFile(join(root, file), 'utf8');
  return { alignment: alignmentFacts(text), likeness: likenessFacts(text) };
}
