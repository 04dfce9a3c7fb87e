import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The outcomes of claims/moved.json and claims/moved-longer.json: small GPTs that have learned stories, moved to A year in New York after so many steps. */
const outcomes = { moved: 600, 'moved-longer': 2000 };

/** Of the tied and the untied model: loss and calibration error on both texts, before and after the move, each with its mean and by seed. */
function measuredIn({ values }, name) {
  const file = `claims/outcomes/${name}.json`;
  const before = `, step=${outcomes[name]}`;
  /** Undefined if the experiment does not show it. */
  const pointOf = (what) => values.find(({ value }) => value === what)?.points[0];
  const valueOf = (what) => {
    const found = pointOf(what);
    if (found === undefined) throw new Error(`${file} has no ${what}`);
    return found;
  };
  const modelOf = (arm) => {
    const [first, second] = ['first', 'second'].map((on) => ({
      before: { loss: valueOf(`loss(${arm}, on=${on}${before})`), error: valueOf(`calibration(${arm}, on=${on}${before})`) },
      after: { loss: valueOf(`loss(${arm}, on=${on})`), error: pointOf(`calibration(${arm}, on=${on})`) },
    }));
    const rises = first.after.loss.values.map((loss, seed) => loss - first.before.loss.values[seed]);
    const mean = rises.reduce((sum, rise) => sum + rise, 0) / rises.length;
    return { first, second, forgotten: { values: rises, mean } };
  };
  const tied = modelOf('tied');
  return { tied, untied: modelOf('untied'), seeds: tied.forgotten.values.length };
}

/** With those after three times the steps. */
export const movedFacts = (moved, movedLonger) => ({
  ...measuredIn(moved, 'moved'),
  longer: measuredIn(movedLonger, 'moved-longer'),
});

/** @param {string} root */
export async function readMovedFacts(root) {
  const [moved, longer] = await Promise.all(
    Object.keys(outcomes).map(async (name) =>
      JSON.parse(await readFile(join(root, `claims/outcomes/${name}.json`), 'utf8')),
    ),
  );
  return movedFacts(moved, longer);
}
