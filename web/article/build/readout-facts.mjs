import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from './experiment-facts.mjs';
import { intervalOf } from './intervals.mjs';

/**
 * Lenses, and losses by frequency, of trained models, measured once over several seeds; the file explains how to repeat
 * them.
 */
const file = 'docs/experiments/readouts.tsv';
const variants = ['tied', 'untied'];
const timesFive = 'tied-input-x5';
/** Tokens that occur at least this often in the text are frequent. */
const frequentFrom = 3163;

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The values of a quantity in two models, by seed. */
function pairsOf(rows, quantity, models = variants) {
  const [tied, untied] = models.map((variant) =>
    rows
      .filter(([, name, , what]) => name === variant && what === quantity)
      .toSorted(([, , a], [, , b]) => Number(a) - Number(b))
      .map((row) => Number(row[4])),
  );
  const whole = tied.length >= 2 && tied.length === untied.length && [...tied, ...untied].every(Number.isFinite);
  if (!whole) throw new Error(`${file} has too few runs of ${quantity}`);
  return { tied, untied };
}

/**
 * How much higher the tied model's loss is than the untied model's, on tokens of certain frequencies, by seed: nats per
 * prediction.
 */
function gaps(rows, among) {
  const bands = [...new Set(rows.map((row) => row[3]))].filter((what) => {
    const [, from] = /^loss, tokens with (\d+) to \d+$/.exec(what) ?? [];
    return from !== undefined && among(Number(from));
  });
  const sums = [];
  for (const band of bands) {
    const losses = pairsOf(rows, band);
    const counts = pairsOf(rows, band.replace('loss', 'predictions'));
    losses.tied.forEach((loss, seed) => {
      sums[seed] ??= { gap: 0, count: 0 };
      sums[seed].gap += counts.tied[seed] * (loss - losses.untied[seed]);
      sums[seed].count += counts.tied[seed];
    });
  }
  const bySeed = sums.map(({ gap, count }) => gap / count);
  return { bySeed, mean: meanOf(bySeed) };
}

export function readoutFacts(text) {
  const rows = rowsOf(text);
  const first = pairsOf(rows, 'tuned lens, layer 0');
  const { untied: scaled } = pairsOf(rows, 'tuned lens, layer 0', ['tied', timesFive]);
  const early = pairsOf(rows, 'mean output share of steps 5 to 30').tied;
  const end = pairsOf(rows, 'output share at step 800').tied;
  const rare = gaps(rows, (from) => from < frequentFrom);
  const frequent = gaps(rows, (from) => from >= frequentFrom);
  return {
    frequentFrom,
    lens: {
      bySeed: { ...first, timesFive: scaled },
      tied: meanOf(first.tied),
      untied: meanOf(first.untied),
      timesFive: meanOf(scaled),
      runs: first.tied.length,
    },
    /** Writing's share of the gradient of the tied table: averaged over steps 5 to 30, and at the last step. */
    writing: { bySeed: { early, end }, early: meanOf(early), end: meanOf(end) },
    rare,
    frequent,
    /** How much more tying costs on rare tokens than on frequent ones. */
    rarer: intervalOf(rare.bySeed.map((gap, seed) => gap - frequent.bySeed[seed])),
  };
}

export const readReadoutFacts = async (root) => readoutFacts(await readFile(join(root, file), 'utf8'));
