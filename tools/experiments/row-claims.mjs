// Claims of docs/small-transformers.md about what the rows of trained tables share and say, and what each layer is worth.
import { deviation, mean, shown, valuesOf } from './runs.mjs';

const differences = (larger, smaller) => larger.map((value, seed) => value - smaller[seed]);
/** Compares two lists by seed: whether one is larger in each, and on average by more than three deviations of the difference. */
function byThreeDeviations(what, larger, smaller) {
  const values = differences(larger, smaller);
  const holds = values.every((value) => value > 0) && mean(values) > 3 * deviation(values);
  return [`${what}, by more than three deviations`, holds, shown(values)];
}
const inEachSeed = (what, larger, smaller) => [
  `${what}, in each seed`,
  larger.every((value, seed) => value > smaller[seed]),
  `${shown(larger)} beside ${shown(smaller)}`,
];

/** Measures of two tables for which no map is fitted. */
const measures = ['CKA', 'principal subspaces'];

function likenessClaims(rows) {
  return measures.flatMap((measure) => {
    const to = (table, variant, more = '') =>
      valuesOf(rows, 'untied', `${table} table to ${variant}, ${measure}${more}`);
    return [
      byThreeDeviations(
        `${measure}: the output table is closer to the tied one than the input table`,
        to('output', 'tied'),
        to('input', 'tied'),
      ),
      ...['input', 'output'].map((table) =>
        byThreeDeviations(
          `${measure}: the ${table} table is closer to the tied one than by chance`,
          to(table, 'tied'),
          to(table, 'tied', ', by chance'),
        ),
      ),
      byThreeDeviations(
        `${measure}: with the input gradient times 5 the input table is closer to the tied one`,
        to('input', 'tied-input-x5'),
        to('output', 'tied-input-x5'),
      ),
    ];
  });
}

function frequencyClaims(rows) {
  const heldOut = (variant, table) => valuesOf(rows, variant, `R2 of frequency, ${table}, held out`);
  const [tied, input, output] = [
    heldOut('tied', 'table'),
    heldOut('untied', 'input table'),
    heldOut('untied', 'output table'),
  ];
  const distance = (one) => differences(tied, one).map(Math.abs);
  return [
    byThreeDeviations(
      'held-out R2 of frequency: more of it is in the output rows than in the input rows',
      output,
      input,
    ),
    inEachSeed(
      'held-out R2 of frequency: that of the tied table is nearer to that of the output table than to that of the input table',
      distance(input),
      distance(output),
    ),
    ...[
      ['tied', tied],
      ['input', input],
      ['output', output],
    ].map(([name, values]) => inEachSeed(`held-out R2 of frequency: above 0 in the ${name} rows`, values, [0, 0, 0])),
  ];
}

/** How far the fraction of pushed rows may be from that with targets drawn from the predictions. */
const pushedTolerance = 0.05;

function pushClaims(rows) {
  return ['tied', 'untied'].map((variant) => {
    const pushed = (which) => valuesOf(rows, variant, `pushed rows${which} at step 800`);
    const values = differences(pushed(''), pushed(', targets drawn from the predictions'));
    return [
      `${variant}: after 800 steps as many rows are pushed as if the predictions were right, +- ${pushedTolerance}`,
      Math.abs(mean(values)) <= pushedTolerance,
      shown(values),
    ];
  });
}

function layerClaims(rows) {
  const added = (variant) =>
    [0, 1, 2, 3].map((layer) => valuesOf(rows, variant, `loss added without layer ${String(layer)}`));
  const first = (variant) => added(variant)[0];
  const later = (variant, of) =>
    first(variant).map((_, seed) =>
      of(
        ...added(variant)
          .slice(1)
          .map((values) => values[seed]),
      ),
    );
  const sum = (...values) => values.reduce((all, value) => all + value, 0);
  return [
    ...['tied', 'untied'].map((variant) =>
      inEachSeed(`${variant}: the first layer is worth more than any other`, first(variant), later(variant, Math.max)),
    ),
    inEachSeed('the first layer is worth more in the tied model', first('tied'), first('untied')),
    inEachSeed('the other three together are worth more in the tied model', later('tied', sum), later('untied', sum)),
  ];
}

function restClaims(rows) {
  const largest = "perpendicular part's largest cosine with another row without the mean, predicted";
  return ['tied', 'untied'].map((variant) =>
    inEachSeed(
      `${variant}: without the mean row, too, the rest of a state is more aligned with another row than by chance`,
      valuesOf(rows, variant, largest),
      valuesOf(rows, variant, `${largest}, by chance`),
    ),
  );
}

/** Claims declared before the first run, like `pathClaims`; none without three seeds of all three arms. */
export function rowClaims(rows) {
  const all = ['tied', 'untied', 'tied-input-x5'];
  if (all.some((variant) => valuesOf(rows, variant, 'loss added without layer 0').length !== 3)) return [];
  return [
    ...likenessClaims(rows),
    ...frequencyClaims(rows),
    ...pushClaims(rows),
    ...layerClaims(rows),
    ...restClaims(rows),
  ];
}
