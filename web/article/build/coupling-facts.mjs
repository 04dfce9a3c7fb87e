import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const outcomes = ['small-variants', 'one-role'];

/**
 * What it is worth to share a table for a part of training only, or to let one role alone train it, in small models of the plays: nats, as means over
 * the seeds, each with its values by seed. From the outcomes of claims/small-variants.json and claims/one-role.json.
 */
export function couplingFacts(variants, oneRole) {
  const among =
    ({ values }, name) =>
    (what) => {
      const found = values.find(({ value }) => value === what)?.points[0];
      if (found === undefined) throw new Error(`claims/outcomes/${name}.json has no ${what}`);
      return found;
    };
  const [variant, role] = [among(variants, outcomes[0]), among(oneRole, outcomes[1])];
  const negated = ({ mean, values }) => ({ mean: -mean, values: values.map((value) => -value) });
  const costOf = (arm) => {
    const [alone, both] = [role(`loss(${arm})`), role('loss(both)')];
    return { mean: alone.mean - both.mean, values: alone.values.map((value, seed) => value - both.values[seed]) };
  };
  const gap = variant('loss(tied) - loss(untied)');
  return {
    seeds: gap.values.length,
    gap,
    third: negated(variant('loss(untie-third) - loss(tied)')),
    half: negated(variant('loss(untie-half) - loss(tied)')),
    twoThirds: negated(variant('loss(untie-two-thirds) - loss(tied)')),
    onlyWriting: costOf('writing'),
    onlyReading: costOf('reading'),
  };
}

/** @param {string} root */
export async function readCouplingFacts(root) {
  const [variants, oneRole] = await Promise.all(
    outcomes.map(async (name) => JSON.parse(await readFile(join(root, `claims/outcomes/${name}.json`), 'utf8'))),
  );
  return couplingFacts(variants, oneRole);
}
