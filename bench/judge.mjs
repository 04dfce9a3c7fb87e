// Compares results with the goals.
import { median } from './statistics.mjs';

const worst = (values, atLeast) =>
  values.reduce(
    (a, b) => (b.value === undefined || (a && (atLeast ? a.value <= b.value : a.value >= b.value)) ? a : b),
    undefined,
  );

/** Indexes of the contenders that match and have measured the case. */
function places(results, { is }, id) {
  return results.data.contenders.flatMap((one, place) =>
    is(one) && results.samples(place, id).length > 0 ? [place] : [],
  );
}

/**
 * Whether this machine's PyTorch uses an optimized BLAS: with the reference BLAS of some distributions everything is
 * slower by an order of magnitude, so being faster would mean nothing.
 */
export function hasGoodBlas(results, place) {
  if (results.data.contenders[place].version?.includes('reference BLAS')) return false;
  const product = 'product/512x512x512/nn';
  const own = results.place('ours', 'native');
  const rate = results.operationsPerSecond(place, product);
  const ownRate = own === undefined ? undefined : results.operationsPerSecond(own, product);
  return rate === undefined || ownRate === undefined || rate > ownRate;
}

/** The speed relative to the recorded result, scaled by the limits of both machines; or undefined. */
function againstRecord({ recorded }, results, place, id) {
  const limit = results.limit(results.place('ours, baseline', 'Chromium'));
  const rate = results.itemsPerSecond(place, id);
  if (recorded === undefined || limit === undefined || rate === undefined) return undefined;
  return rate / (recorded.itemsPerSecond * (limit / recorded.limit));
}

/** { value, note } of one case of a speed goal: a multiple of the fastest contender in `against`. */
function speedOf(goal, results, place, id) {
  const otherId = goal.againstCase ?? id;
  const others = places(results, goal.against, otherId).filter(
    (other) => results.data.contenders[other].host !== 'Python' || hasGoodBlas(results, other),
  );
  const [fastest, ...rest] = others.sort((a, b) => results.seconds(a, otherId) - results.seconds(b, otherId));
  const record = againstRecord(goal, results, place, id);
  const recordName = 'PyTorch as recorded elsewhere, scaled by the limits';
  if (fastest === undefined) {
    if (record === undefined) return { missing: `no ${goal.againstWhat ?? goal.against.label} here` };
    return { value: record, note: recordName };
  }
  const of = (other) => median(results.speeds(place, other, id, otherId));
  const { name } = results.data.contenders[fastest];
  // Other settings of the same program are reported too.
  const more = rest
    .map((other) => [of(other), results.data.contenders[other].name])
    .filter(([, other]) => other.startsWith(`${name},`));
  if (record !== undefined) more.push([record, recordName]);
  const notes = more.map(([value, what]) => `${value.toFixed(2)} x ${what}`);
  return { value: of(fastest), note: [goal.againstWhat ?? name, ...notes].join('; ') };
}

const kinds = {
  share: (_goal, results, place, id) => ({ value: median(results.shares(place, id)) }),
  speed: speedOf,
  seconds: (goal, results, place, id) => {
    if (goal.over === undefined) return { value: results.seconds(place, id) };
    const empty = places(results, { is: () => true }, goal.over)[0];
    if (empty === undefined) return { missing: `${goal.over} was not measured` };
    return { value: results.seconds(place, id) - results.seconds(empty, goal.over) };
  },
  rate: (goal, results, place, id) => {
    const rate = results.itemsPerSecond(place, id);
    return { value: rate === undefined ? undefined : rate / goal.per };
  },
  fact: (goal, results, place, id) => ({ value: results.fact(place, id, goal.fact) }),
};

/**
 * One goal: { goal, value, note, met } if everything it needs was measured, or { goal, missing } with the reason in words.
 * Of several cases the worst counts.
 * @param {import('./goal.d.ts').Goal} goal
 * @param {import('./results.mjs').Results} results
 * @returns {import('./goal.d.ts').Verdict}
 */
export function judge(goal, results) {
  const verdict = ({ value, ...rest }) => ({
    goal,
    value,
    ...rest,
    met: goal.atLeast === undefined ? value <= goal.atMost : value >= goal.atLeast,
  });
  if (goal.kind === 'figure') {
    const bytes = results.data.figures?.[goal.figure];
    return bytes === undefined ? { goal, missing: 'not built' } : verdict({ value: bytes / 1000 });
  }
  const found = goal.cases.map((id) => {
    const place = places(results, goal.of, id)[0];
    if (place === undefined) return { missing: `${id} was not measured` };
    const answer = { ...kinds[goal.kind](goal, results, place, id), id };
    return answer.value === undefined && answer.missing === undefined ? { missing: `${id} was not measured` } : answer;
  });
  const missing = found.find((one) => one.missing !== undefined);
  return missing === undefined ? verdict(worst(found, goal.atLeast !== undefined)) : { goal, missing: missing.missing };
}
