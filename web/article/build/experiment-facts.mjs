import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs that were done once, with three seeds each; the file says how to repeat them. */
const file = 'docs/experiments/tiny-shakespeare.tsv';

/** Mean over the seeds of the held-out loss of one variant, nats per token. */
function meanLoss(rows, variant) {
  const values = rows
    .filter(([vocabulary, name, , quantity]) => vocabulary === 'reference' && name === variant && quantity === 'validation loss')
    .map((row) => Number(row[4]));
  if (values.length < 3 || !values.every(Number.isFinite)) throw new Error(`${file} has too few runs of ${variant}`);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function experimentFacts(text) {
  const rows = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  const [tied, untied, tiedScaled, untiedScaled] = ['tied', 'untied', 'tied-sqrt', 'untied-sqrt'].map((variant) =>
    meanLoss(rows, variant),
  );
  return {
    tied,
    untied,
    difference: tied - untied,
    scaledTied: tied - tiedScaled,
    scaledUntied: untied - untiedScaled,
  };
}

export const readExperimentFacts = async (root) => experimentFacts(await readFile(join(root, file), 'utf8'));
