// experiment run, expand and collect.
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { checkJob, checkSpec, collect, costOf, expand, runJob, TextCache } from './experiment-runner.js';
import { createLab } from './tied-embeddings.js';
import { checkedValue } from './declare.mjs';
import { exitCodes, Refusal } from './exit-codes.mjs';
import { isFolder as isFolderAt, readJson, readText } from './files.mjs';
import { allowedJobs, bytesOfJobs, freeBytes, processBytes, sizeOf, threadBytes } from './memory.mjs';
import { Progress } from './progress.mjs';
import { ResultFolder } from './result-folder.mjs';
import { shareOf } from './shares.mjs';
import { Stop } from './stop.mjs';
import { complain } from './style.mjs';
import { writeTables } from './tables.mjs';
import { threadsOf } from './threads.mjs';

/** If the process is killed, at most this much of a job's work is lost. */
const saveEveryMs = 20_000;

const onOneLine = (text) => text.replaceAll(/\s*\n\s*/g, ' ');

function readSpec(file) {
  const given = readJson(file);
  try {
    return checkSpec(given);
  } catch (error) {
    throw new Refusal(`${file}: ${onOneLine(error.message)}`);
  }
}

/** The experiment in a file, and the texts that it names, which are found beside the file. */
function readExperiment(file) {
  const spec = readSpec(file);
  return { spec, texts: textsBeside(file, [spec]), jobs: expand(spec) };
}

/** The texts, or pairs, that an experiment or its jobs name, which are found beside their file. */
function textsBeside(file, named) {
  const names = new Set(
    named.flatMap(({ text, pairs, then }) => [text ?? pairs, then?.text].flatMap((source) => source?.file ?? [])),
  );
  return Object.fromEntries([...names].map((name) => [name, readText(join(dirname(file), name))]));
}

/** The jobs of an experiment, or of a file that `experiment expand` wrote, one per line. */
function readJobs(file) {
  const lines = readText(file).split('\n');
  if (!isJob(lines[0])) return readExperiment(file);
  /** @type {Map<string, number>} */
  const places = new Map();
  const jobs = lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const where = `${file}, line ${i + 1}`;
    let job;
    try {
      job = checkJob(JSON.parse(line));
    } catch (error) {
      const reason = error instanceof SyntaxError ? `not JSON: ${error.message}` : error.message;
      throw new Refusal(`${where}: ${onOneLine(reason)}`);
    }
    const before = places.get(job.id);
    if (before !== undefined) throw new Refusal(`${where} repeats the job of line ${before}; expected each job once`);
    places.set(job.id, i + 1);
    return [job];
  });
  return { spec: undefined, texts: textsBeside(file, jobs), jobs };
}

/** An experiment has no id, and is rarely on one line. */
function isJob(line) {
  try {
    const { id, specHash } = JSON.parse(line);
    return id !== undefined && specHash !== undefined;
  } catch {
    return false;
  }
}

/** @typedef {import('./declare.mjs').Given} Given */

/** @param {Given} given */
export async function expandCommand({ operands: [file] }) {
  const { jobs } = readExperiment(file);
  for (const job of jobs) process.stdout.write(`${JSON.stringify(job)}\n`);
  return exitCodes.done;
}

/** Checks a number for `shareOf`; an index may come from a flag or from the environment. */
const wholeNumber = (name, word, least, most) =>
  Number(checkedValue(`--${name}`, String(word), { kind: 'integer', least, most }));

/** @param {Given} given */
export async function runCommand({ flags, operands: [file] }) {
  const { spec, texts, jobs } = readJobs(file);
  const workers = flags.jobs ?? 1;
  if (workers > 4 * availableParallelism()) {
    throw new Refusal(`--jobs is ${workers}; expected at most 4 for each of the ${availableParallelism()} cores`);
  }
  threadsOf(flags.threads, workers);
  const mine = shareOf(jobs, flags, process.env, wholeNumber);
  const isGiven = flags.memory !== undefined;
  const available = isGiven ? sizeOf(flags.memory) : freeBytes();
  const folder = new ResultFolder(flags.results ?? join(dirname(file), 'results'), jobs.length);
  if (spec !== undefined) folder.keepExperiment(jobs[0].specHash, spec);
  // The longest jobs first, so no core waits for a long last one.
  const missing = mine.filter((job) => !folder.has(job)).sort((a, b) => costOf(b) - costOf(a));
  const open = async () => {
    const lab = await createLab({ threads: each });
    return { lab, cache: new TextCache(lab, { texts, signal: {} }) };
  };
  const close = ({ lab, cache }) => {
    cache.close();
    lab.dispose();
  };
  const stop = new Stop();
  const wanted = Math.min(workers, missing.length);
  const each = threadsOf(flags.threads, Math.max(1, wanted));
  // All start at once if the threads alone certainly fit; the first one counts what the jobs take.
  const threads = wanted * threadBytes + processBytes <= available / 2 ? wanted : Math.min(1, wanted);
  const hosts = Array.from({ length: threads }, () => {
    const host = open();
    // Its failure is reported where it is awaited.
    host.catch(() => undefined);
    return host;
  });
  let count = 0;
  try {
    if (wanted > 0) {
      const { lab, cache } = await hosts[0];
      const bytes = await bytesOfJobs(lab, cache, texts, missing, each);
      count = allowedJobs(workers, bytes, { file, available, isGiven });
    }
    for (const host of hosts.splice(count)) close(await host);
  } catch (error) {
    for (const host of await Promise.allSettled(hosts)) if (host.status === 'fulfilled') close(host.value);
    stop.release();
    if (error instanceof Refusal) throw error;
    // A text or pairs that no job can run on.
    if (error.code === 'invalid-argument') throw new Refusal(`${file}: ${onOneLine(error.message)}`);
    throw new Refusal(error.message, exitCodes.failed);
  }
  const total = missing.reduce((sum, { training }) => sum + training.steps, 0);
  const opening = `${missing.length} of ${mine.length} jobs to run, ${total} steps`;
  const progress = new Progress({ total, opening, shown: flags.quiet !== true });
  const queue = [...missing];
  let done = 0;
  let failed = mine.filter((job) => folder.hasFailed(job)).length;
  const work = async () => {
    const host = await (hosts.shift() ?? open());
    const { lab, cache } = host;
    try {
      for (let job = queue.shift(); job !== undefined && !stop.asked; job = queue.shift()) {
        const advance = (steps) => progress.add(steps, `${done} of ${missing.length} jobs done`);
        const result = await runOne(lab, job, cache, folder, advance, stop);
        if (result === null) return;
        done++;
        if (result.run.status === 'failed') failed++;
        if (flags.json === true) process.stdout.write(`${JSON.stringify(result.run)}\n`);
      }
    } catch (error) {
      // The other workers end with their current jobs.
      queue.length = 0;
      throw error;
    } finally {
      close(host);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: count }, work));
  progress.end();
  stop.release();
  for (const one of ended) if (one.status === 'rejected') throw refusalOfJob(one.reason);
  if (stop.asked) throw new Refusal('stopped; run the same command to resume', exitCodes.unfinished);
  if (failed === 0) return exitCodes.done;
  const first = mine.find((job) => folder.hasFailed(job));
  if (first !== undefined) complain(failedRuns(failed, mine.length, folder.read(first).run));
  return exitCodes.failed;
}

/** A file that cannot be written, or else a run that failed. @param {Error} reason */
const refusalOfJob = (reason) => (reason instanceof Refusal ? reason : new Refusal(reason.message, exitCodes.failed));

/** Null if the command was asked to stop. */
async function runOne(lab, job, cache, folder, advance, stop) {
  const state = folder.stateOf(job);
  if (state !== null) advance(state.step);
  // Setting the clock back must not keep a job from being saved.
  let saved = performance.now();
  const stopped = new Error('stopped');
  const onMoment = async (stateNow) => {
    if (!stop.asked && performance.now() - saved < saveEveryMs) return;
    folder.writeState(job, await stateNow());
    saved = performance.now();
    if (stop.asked) throw stopped;
  };
  try {
    const result = await runJob(lab, job, await cache.of(job), { signal: {}, onSteps: advance, onMoment, state });
    folder.write(job, result);
    return result;
  } catch (error) {
    if (error === stopped) return null;
    throw error;
  }
}

/** The file of the experiment, if the folder has results of only one. */
function experimentIn(folder) {
  const [file, ...others] = folder.experiments();
  if (file === undefined) {
    throw new Refusal(
      `${folder.path} contains no experiment; expected the results of experiment run, or the experiment's file`,
    );
  }
  if (others.length > 0) {
    throw new Refusal(`${folder.path} has results of ${others.length + 1} experiments; expected the file of one`);
  }
  return file;
}

/** @param {readonly import('./experiment-runner.js').ExperimentJob[]} jobs @param {ResultFolder} folder */
function resultsOf(jobs, folder) {
  const missing = jobs.filter((job) => !folder.has(job)).length;
  if (missing > 0) {
    throw new Refusal(`${missing} of ${jobs.length} results are missing from ${folder.path}`, exitCodes.unfinished);
  }
  return jobs.map((job) => folder.read(job));
}

/** @param {number} failed @param {number} all @param {{ arm: string, seed: number, error: string | null }} first */
const failedRuns = (failed, all, { arm, seed, error }) =>
  `${failed} of ${all} runs failed; the first is '${arm}' with seed ${seed}: ${onOneLine(error)}`;

/**
 * Failures, one line per kind, because thousands may have failed in the same way.
 *
 * @param {import('./experiment-runner.js').ExperimentRecords} records
 */
function failuresOf({ runs, problems }) {
  const failed = runs.filter(({ status }) => status === 'failed');
  return [
    ...(failed.length > 0 ? [failedRuns(failed.length, runs.length, failed[0])] : []),
    ...(problems.length > 0
      ? [
          `${problems.length} measures of two models failed; the first is ${problems[0].metric}: ${onOneLine(problems[0].error)}`,
        ]
      : []),
  ];
}

/** @param {Given} given */
export async function collectCommand({ flags, operands: [file] }) {
  const isFolder = isFolderAt(file);
  if (isFolder && flags.results !== undefined) {
    throw new Refusal(`--results is ${flags.results}; expected none with ${file}, which is a folder of results`);
  }
  const folder = new ResultFolder(isFolder ? file : (flags.results ?? join(dirname(file), 'results')));
  const spec = readSpec(isFolder ? experimentIn(folder) : file);
  const results = resultsOf(expand(spec), folder);
  /** @type {import('./tied-embeddings.js').Lab | undefined} */
  let lab;
  try {
    const records = await collect(async () => (lab = await createLab()), spec, results, {});
    writeTables(flags.out ?? join(dirname(file), 'tables'), spec, records);
    if (flags.json === true) process.stdout.write(`${JSON.stringify(records.claims)}\n`);
    else if (flags.quiet !== true) {
      for (const { id, verdict, because } of records.claims) process.stdout.write(`${id}: ${verdict} (${because})\n`);
    }
    const failures = failuresOf(records);
    for (const failure of failures) complain(failure);
    return failures.length > 0 ? exitCodes.failed : exitCodes.done;
  } finally {
    lab?.dispose();
  }
}
