import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from './experiment-facts.mjs';

/** How well the tables of trained models agree, measured once with several seeds; the file explains how to repeat it. */
const file = 'docs/experiments/tables.tsv';

/** Mean cosines after the best linear map: of the rows of the fit by seed, their mean, on held-out rows, by chance. */
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

export const readAlignmentFacts = async (root) => alignmentFacts(await readFile(join(root, file), 'utf8'));
