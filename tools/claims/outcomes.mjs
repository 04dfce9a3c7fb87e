// The outcome of a claims file: its verdicts and the values behind them, by seed, and the engine and version that measured them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimsFolder } from './files.mjs';

const folder = join(claimsFolder, 'outcomes');
const fileOf = (name) => join(folder, `${name}.json`);
/** Values are requested as claims with the value on the left side. */
const asked = 'value-';

/** The experiment with more claims, whose differences are the values. Claims do not change its hash. */
export const withValues = (spec, values) => ({
  ...spec,
  claims: [...spec.claims, ...values.map((value, i) => ({ id: `${asked}${i}`, says: `${value} > 0` }))],
});

const criteriaOf = (claims) => JSON.stringify(claims.map(({ id, says }) => [id, says]));

/**
 * Why an outcome does not belong to the experiment as it is now; null if it does. Words for readers affect no number, so they may change.
 *
 * @param {{ specHash: string, claims: readonly { id: string, says: string }[] }} outcome
 * @param {{ claims: readonly { id: string, says: string }[] }} spec
 * @param {string} specHash The hash of what `spec` trains and measures.
 */
export function staleness(outcome, spec, specHash) {
  if (outcome.specHash !== specHash) return 'what is trained or measured has changed';
  return criteriaOf(outcome.claims) === criteriaOf(spec.claims) ? null : 'the criteria have changed';
}

const pointsOf = (points) =>
  points.map(({ point, seeds, difference, verdict }) => ({ point, seeds, ...difference, verdict }));

/**
 * @param {{ name: string }} spec
 * @param {{ arm: string, seed: number, point: string, parameters: number, weights_sha256: string, status: string, error: string | null, spec_hash: string, text_sha256: string, engine: string, package_version: string }[]} runs
 * @param {{ started_at: string, seconds: number }[]} clock
 * @param {{ id: string, says: string, verdict: string, because: string, points: { point: object, seeds: number[], difference: object | null, verdict: string }[] }[]} claims
 */
export function outcomeOf(spec, runs, clock, claims) {
  const [{ spec_hash, text_sha256, engine, package_version }] = runs;
  const failed = runs.filter(({ status }) => status === 'failed');
  if (failed.length > 0) console.log(`${spec.name}: ${failed.length} runs failed: ${failed[0].error}`);
  return {
    experiment: spec.name,
    specHash: spec_hash,
    date: clock
      .map(({ started_at }) => started_at)
      .sort()
      .at(-1)
      .slice(0, 10),
    engine,
    packageVersion: package_version,
    textSha256: text_sha256,
    seconds: Math.round(clock.reduce((sum, { seconds }) => sum + seconds, 0)),
    runs: runs.map(({ arm, seed, point, parameters, weights_sha256, error }) => ({
      arm,
      seed,
      point: JSON.parse(point),
      parameters,
      weightsSha256: weights_sha256,
      error,
    })),
    claims: claims
      .filter(({ id }) => !id.startsWith(asked))
      .map(({ id, says, verdict, because, points }) => ({ id, says, verdict, because, points: pointsOf(points) })),
    values: claims
      .filter(({ id }) => id.startsWith(asked))
      .map(({ says, points }) => ({
        value: says.replace(/ > 0$/, ''),
        points: points.map(({ point, seeds, difference }) => ({ point, seeds, ...difference })),
      })),
  };
}

/** Null if the claims have not been run. */
export const readOutcome = (name) => (existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : null);

/**
 * Keeps the date and duration of the first run with these numbers: a run that gives the same numbers again changes nothing.
 *
 * @template {{ date: string, seconds: number }} Outcome
 * @param {Outcome} outcome @param {Outcome | null} before @returns {Outcome}
 */
export function asRecorded(outcome, before) {
  const timeless = (one) => JSON.stringify({ ...one, date: null, seconds: null });
  return before !== null && timeless(before) === timeless(outcome) ? before : outcome;
}

export async function writeOutcome(name, outcome) {
  const { format } = await import('prettier');
  mkdirSync(folder, { recursive: true });
  const recorded = asRecorded(outcome, readOutcome(name));
  writeFileSync(fileOf(name), await format(JSON.stringify(recorded), { parser: 'json', printWidth: 120 }));
}
