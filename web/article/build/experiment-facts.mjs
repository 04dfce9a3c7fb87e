import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

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
    .filter(([vocabulary, name, , quantity]) => vocabulary === 'reference' && name === variant && quantity === 'validation loss')
    .map((row) => Number(row[4]));
  if (losses.length < 2 || !losses.every(Number.isFinite)) throw new Error(`${file} has too few runs of ${variant}`);
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  return { losses, mean, least: Math.min(...losses), most: Math.max(...losses), runs: losses.length };
}

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
  return {
    ...arms,
    difference: arms.tied.mean - arms.untied.mean,
    scalingHelps: {
      tied: arms.tied.mean - arms.tiedScaled.mean,
      untied: arms.untied.mean - arms.untiedScaled.mean,
    },
    lateHelps: arms.tied.mean - arms.untiedLate.mean,
    /** The fraction of the gap that a wider tied model closes. */
    wideCloses: (arms.tied.mean - arms.tiedWide.mean) / (arms.tied.mean - arms.untied.mean),
  };
}

export const readExperimentFacts = async (root) => experimentFacts(await readFile(join(root, file), 'utf8'));
