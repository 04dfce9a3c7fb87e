import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { percent } from './format.mjs';
import { intervalOf } from './intervals.mjs';

/** Runs done once, over several seeds each; the file explains how to repeat them. */
const file = 'docs/experiments/tiny-shakespeare.tsv';

/** Names in the file, by the names used here. */
const variants = {
  tied: 'tied',
  untied: 'untied',
  'tied-linear': 'tiedMap',
  'tied-72': 'tiedWide',
  'untie-at-2/3': 'untiedLate',
  'tied-input-x5': 'tiedInputTimes5',
  'tied-sqrt': 'tiedScaled',
  'untied-sqrt': 'untiedScaled',
};

/** For one variant: the held-out loss of every seed in nats per token, their mean and their range. */
function armOf(rows, variant) {
  const losses = rows
    .filter(
      ([vocabulary, name, , quantity]) =>
        vocabulary === 'reference' && name === variant && quantity === 'validation loss',
    )
    .toSorted(([, , a], [, , b]) => Number(a) - Number(b))
    .map((row) => Number(row[4]));
  if (losses.length < 2 || !losses.every(Number.isFinite)) throw new Error(`${file} has too few runs of ${variant}`);
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  return { losses, mean, least: Math.min(...losses), most: Math.max(...losses), runs: losses.length };
}

/** 'a, b and c' */
const inWords = (parts) => [parts.slice(0, -1).join(', '), parts.at(-1)].filter((part) => part !== '').join(' and ');

/** The rows of a file in docs/experiments: vocabulary, variant, seed, quantity and value of every line. */
export const rowsOf = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

export function experimentFacts(text) {
  const rows = rowsOf(text);
  /** @type {Record<'tied' | 'untied' | 'tiedMap' | 'tiedWide' | 'untiedLate' | 'tiedInputTimes5' | 'tiedScaled' | 'untiedScaled', ReturnType<typeof armOf>>} */
  const arms = /** @type {any} */ (
    Object.fromEntries(Object.entries(variants).map(([variant, name]) => [name, armOf(rows, variant)]))
  );
  const known = new Set(Object.keys(variants));
  const unknown = rows.find(([vocabulary, variant]) => vocabulary === 'reference' && !known.has(variant));
  if (unknown !== undefined) throw new Error(`${file} has runs of ${unknown[1]}, which the page does not show`);
  /** How much lower the loss of the second is, seed by seed; seeds that one of them lacks are left out. */
  const gain = (from, to) => intervalOf(to.losses.map((loss, seed) => from.losses[seed] - loss));
  const difference = gain(arms.tied, arms.untied);
  /** The fraction of each seed's gap that a wider tied model closes. */
  const wideCloses = gain(arms.tied, arms.tiedWide).bySeed.map((gained, seed) => gained / difference.bySeed[seed]);
  return {
    ...arms,
    difference,
    gains: {
      map: gain(arms.tied, arms.tiedMap),
      late: gain(arms.tied, arms.untiedLate),
      inputTimes5: gain(arms.tied, arms.tiedInputTimes5),
      scaledTied: gain(arms.tied, arms.tiedScaled),
      scaledUntied: gain(arms.untied, arms.untiedScaled),
    },
    wideCloses: { bySeed: wideCloses, inWords: inWords(wideCloses.map(percent)) },
  };
}

export const readExperimentFacts = async (root) => experimentFacts(await readFile(join(root, file), 'utf8'));
