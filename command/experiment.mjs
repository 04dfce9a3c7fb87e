// experiment run, expand and collect.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkSpec, collect, expand, runJob, TextCache } from './experiment-runner.js';
import { createLab } from './tied-embeddings.js';
import { exitCodes, Refusal } from './exit-codes.mjs';
import { Progress } from './progress.mjs';
import { ResultFolder } from './result-folder.mjs';
import { shareOf } from './shares.mjs';
import { Stop } from './stop.mjs';
import { writeTables } from './tables.mjs';

/** At most this long a job's work is lost when a process is killed. */
const saveEveryMs = 20_000;

/** @typedef {NonNullable<Parameters<typeof parseArgs>[0]>['options']} ArgumentOptions */

/** @type {ArgumentOptions} */
const place = { results: { type: 'string' }, quiet: { type: 'boolean' }, json: { type: 'boolean' } };
/** @type {ArgumentOptions} */
const runOptions = {
  ...place,
  jobs: { type: 'string' },
  index: { type: 'string' },
  shard: { type: 'string' },
  of: { type: 'string' },
};

/**
 * @param {string[]} words
 * @param {ArgumentOptions} options
 * @returns {{ values: Record<string, any>, file: string }}
 */
function argumentsOf(words, options) {
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    if (positionals.length !== 1) {
      throw new Refusal(`${positionals.length} files were given; expected one experiment`);
    }
    return { values, file: positionals[0] };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(error.message);
  }
}

/** The experiment of a file, and the texts that it names, which are found beside it. */
function readExperiment(file) {
  const given = readJson(file);
  let spec;
  try {
    spec = checkSpec(given);
  } catch (error) {
    throw new Refusal(`${file}: ${error.message}`);
  }
  const texts = 'file' in spec.text ? { [spec.text.file]: readText(join(dirname(file), spec.text.file)) } : {};
  return { spec, texts, jobs: expand(spec) };
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${error.code ?? error.message}`);
  }
}

function readJson(file) {
  try {
    return JSON.parse(readText(file));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${file} is no JSON: ${error.message}`);
  }
}

function wholeNumber(name, word, least, most) {
  const number = Number(word);
  if (Number.isInteger(number) && number >= least && number <= most && /^\d+$/.test(word)) return number;
  throw new Refusal(`--${name} is '${word}'; expected an integer from ${least} to ${most}`);
}

/** @param {string[]} words */
export async function expandCommand(words) {
  const { file } = argumentsOf(words, {});
  const { jobs } = readExperiment(file);
  for (const job of jobs) process.stdout.write(`${JSON.stringify(job)}\n`);
  return exitCodes.done;
}

/** @param {string[]} words */
export async function runCommand(words) {
  const { values, file } = argumentsOf(words, runOptions);
  const { texts, jobs } = readExperiment(file);
  const workers = values.jobs === undefined ? 1 : wholeNumber('jobs', values.jobs, 1, 1024);
  if (workers > 4 * availableParallelism()) {
    throw new Refusal(`--jobs is ${workers}; expected at most 4 for each of the ${availableParallelism()} cores`);
  }
  const mine = shareOf(jobs, values, process.env, wholeNumber);
  const folder = new ResultFolder(values.results ?? join(dirname(file), 'results'));
  const missing = mine.filter((job) => !folder.has(job));
  const stop = new Stop();
  const progress = new Progress(mine, missing, values.quiet !== true);
  const queue = [...missing];
  let failed = mine.filter((job) => folder.hasFailed(job)).length;
  const work = async () => {
    const lab = await createLab();
    const cache = new TextCache(lab, { texts, signal: {} });
    try {
      for (let job = queue.shift(); job !== undefined && !stop.asked; job = queue.shift()) {
        const result = await runOne(lab, job, cache, folder, progress, stop);
        if (result === null) return;
        if (result.run.status === 'failed') failed++;
        if (values.json === true) process.stdout.write(`${JSON.stringify(result.run)}\n`);
      }
    } catch (error) {
      // The other workers end with their current jobs.
      queue.length = 0;
      throw error;
    } finally {
      cache.close();
      lab.dispose();
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(workers, missing.length) }, work));
  progress.end();
  stop.release();
  for (const one of ended) if (one.status === 'rejected') throw new Refusal(one.reason.message, exitCodes.failed);
  if (stop.asked) throw new Refusal('stopped; the same command goes on', exitCodes.unfinished);
  return failed > 0 ? exitCodes.failed : exitCodes.done;
}

/** Null where the command was asked to stop. */
async function runOne(lab, job, cache, folder, progress, stop) {
  const state = folder.stateOf(job);
  if (state !== null) progress.add(state.step);
  let saved = Date.now();
  const stopped = new Error('stopped');
  const onMoment = async (stateNow) => {
    if (!stop.asked && Date.now() - saved < saveEveryMs) return;
    folder.writeState(job, await stateNow());
    saved = Date.now();
    if (stop.asked) throw stopped;
  };
  try {
    const onSteps = (steps) => {
      progress.add(steps);
    };
    const result = await runJob(lab, job, await cache.of(job), { signal: {}, onSteps, onMoment, state });
    folder.write(job, result);
    return result;
  } catch (error) {
    if (error === stopped) return null;
    throw error;
  }
}

/** @param {string[]} words */
export async function collectCommand(words) {
  const { values, file } = argumentsOf(words, { ...place, out: { type: 'string' } });
  const { spec, jobs } = readExperiment(file);
  const folder = new ResultFolder(values.results ?? join(dirname(file), 'results'));
  const results = new Map(jobs.flatMap((job) => (folder.has(job) ? [[job.id, folder.read(job)]] : [])));
  if (results.size < jobs.length) {
    throw new Refusal(
      `${jobs.length - results.size} of ${jobs.length} results are missing in ${folder.path}`,
      exitCodes.unfinished,
    );
  }
  const lab = await createLab();
  try {
    const records = await collect(lab, spec, jobs, results, {});
    writeTables(values.out ?? join(dirname(file), 'tables'), spec, records);
    if (values.json === true) process.stdout.write(`${JSON.stringify(records.claims)}\n`);
    else if (values.quiet !== true) {
      for (const { id, verdict, because } of records.claims) process.stdout.write(`${id}: ${verdict} (${because})\n`);
    }
    return records.runs.some(({ status }) => status === 'failed') ? exitCodes.failed : exitCodes.done;
  } finally {
    lab.dispose();
  }
}
