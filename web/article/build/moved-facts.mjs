import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The outcome of the experiment claims/moved.json: small GPTs that have learned stories, moved to A year in New York. */
const file = 'claims/outcomes/moved.json';
const before = ', step=600';

/** Of the tied and the untied model: loss and calibration error on both texts, before and after the move, each with its mean and by seed. */
export function movedFacts({ values }) {
  const valueOf = (what) => {
    const found = values.find(({ value }) => value === what);
    if (found === undefined) throw new Error(`${file} has no ${what}`);
    return found.points[0];
  };
  const measured = (arm, on, when) => ({
    loss: valueOf(`loss(${arm}, on=${on}${when})`),
    error: valueOf(`calibration(${arm}, on=${on}${when})`),
  });
  const modelOf = (arm) => {
    const [first, second] = ['first', 'second'].map((on) => ({
      before: measured(arm, on, before),
      after: measured(arm, on, ''),
    }));
    const rises = first.after.loss.values.map((loss, seed) => loss - first.before.loss.values[seed]);
    const mean = rises.reduce((sum, rise) => sum + rise, 0) / rises.length;
    return { first, second, forgotten: { values: rises, mean } };
  };
  const tied = modelOf('tied');
  return { tied, untied: modelOf('untied'), seeds: tied.forgotten.values.length };
}

/** @param {string} root */
export const readMovedFacts = async (root) => movedFacts(JSON.parse(await readFile(join(root, file), 'utf8')));
