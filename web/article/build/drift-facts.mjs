import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The outcome of the experiment claims/shared-tables.json, with three seeds of the models trained on the plays. */
const file = 'claims/outcomes/shared-tables.json';
const step = 100;

/**
 * How far tables have moved from their start after some steps: ‖W - W_start‖ / ‖W_start‖, averaged over the seeds.
 * Throws unless writing is ahead in every seed, as the page says.
 */
export function driftFacts({ values }) {
  const pointOf = (what) => {
    const found = values.find(({ value }) => value === what);
    if (found === undefined) throw new Error(`${file} has no ${what}`);
    return found.points[0];
  };
  const drift = (name, arm) => pointOf(`${name}-drift(${arm}, step=${step})`);
  const [reading, writing] = ['embedding', 'unembedding'].map((name) => drift(name, 'untied'));
  if (!writing.values.every((value, seed) => value > reading.values[seed])) {
    throw new Error(`${file}: the writing table is not ahead in every seed`);
  }
  return {
    step,
    seeds: writing.seeds.length,
    tied: drift('embedding', 'tied').mean,
    reading: reading.mean,
    writing: writing.mean,
  };
}

/**
 * The cosine of each table with its start at some steps: the mean, and every run. The writing table has to have turned further than the reading
 * table in all of them.
 */
export function turnFacts({ values }) {
  return ['20', '50', '100', '200', 'end'].map((step) => {
    const when = step === 'end' ? ')' : `, step=${step})`;
    const [reading, writing, tied] = ['untied-64.embedding', 'untied-64.unembedding', 'tied-64.embedding'].map(
      (table) => values.find(({ value }) => value === `start-cosine(${table}${when}`).points[0],
    );
    if (!writing.values.every((value, seed) => value < reading.values[seed])) {
      throw new Error(`By step ${step}, the reading table has turned further in a run`);
    }
    return { step, reading, writing, tied };
  });
}

/** How many changes were tried of which, as the page says, none takes writing's lead early in training. */
export function changesTried({ claims }) {
  const leads = claims.filter(({ id }) => id.startsWith('output-pulls-more-'));
  const lost = leads.find(({ verdict }) => verdict !== 'holds');
  if (lost !== undefined) throw new Error(`Writing does not lead in every run: ${lost.says}`);
  return leads.length - 1;
}

/**
 * Writing's share over steps 5 to 30 with each optimizer: the least and the largest mean of its rates. Throws unless writing leads in every run,
 * and by less with Muon at every rate, as the page says.
 */
export function optimizerFacts({ values }) {
  const pointsOf = (optimizer) =>
    values.find(({ value }) => value === `1 - input-share(${optimizer}-tied, step=5..30)`).points;
  const [muon, adamw] = ['muon', 'adamw'].map(pointsOf);
  if (![...muon, ...adamw].every(({ values: shares }) => shares.every((share) => share > 0.5))) {
    throw new Error('With one of the optimizers, writing does not lead in every run');
  }
  if (!muon.every(({ mean }, rate) => mean < adamw[rate].mean)) throw new Error('With Muon, writing leads by more');
  const range = (points) => {
    const means = points.map(({ mean }) => mean);
    return { least: Math.min(...means), largest: Math.max(...means) };
  };
  return { muon: range(muon), adamw: range(adamw), seeds: muon[0].seeds.length };
}

const read = async (root, path) => JSON.parse(await readFile(join(root, path), 'utf8'));

export const readDriftFacts = async (root) => ({
  ...driftFacts(await read(root, file)),
  turns: turnFacts(await read(root, 'claims/outcomes/widths.json')),
  optimizers: optimizerFacts(await read(root, 'claims/outcomes/muon.json')),
  changes: changesTried(await read(root, 'claims/outcomes/early-pull.json')),
});
