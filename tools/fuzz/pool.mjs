// Distributes episodes among threads, one per core, detects calls that never end, and collects the results.
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { SetupProblem } from '../lib/steps.mjs';

/** No call takes a second, so one that takes this long, on any machine, does not end. */
const HANG_MS = 300_000;

/** Faults that are made simpler, and the time that each of them may take; a thread is given up after as long again. */
const MOST_SHRUNK = 3;
const SHRINK_MS = 60_000;
/** They end their thread. */
const NOT_SHRUNK = ['a call', 'the thread', 'the fuzzer', 'unhandled rejection'];

/** Groups faults; only the first of each group is reported. */
const kindOf = ({ verb, message }) => `${verb}: ${message.split('\n')[0].replaceAll(/\d+/g, 'N').slice(0, 200)}`;

/** The command that repeats the same call. */
export function replayOf({ kind, seed, episode, number }, verbs) {
  const only = verbs.map((verb) => ` --verb ${verb}`).join('');
  return `npm run fuzz -- --replay ${kind}/${seed}/${episode}/${number}${only}`;
}

/**
 * The simplest case with the same fault, as a script, from a new thread: the old one may have been damaged by the fault.
 * @param {Fault} fault
 * @param {string[]} verbs
 * @param {{ main: string, worker: string }} files
 * @returns {Promise<string | undefined>} undefined if it did not come back
 */
function shrunk({ kind, seed, episode, number, verb, message }, verbs, { main, worker }) {
  return new Promise((resolve) => {
    const workerData = { progress: new Int32Array(new SharedArrayBuffer(12)), workerUrl: pathToFileURL(worker).href };
    const thread = new Worker(main, { workerData, execArgv: ['--enable-source-maps'] });
    const end = (text) => {
      clearTimeout(timer);
      thread.removeAllListeners();
      thread.on('error', () => undefined);
      void thread.terminate().then(() => resolve(text), () => resolve(text)); // prettier-ignore
    };
    const timer = setTimeout(end, 2 * SHRINK_MS);
    thread.on('error', () => end(undefined));
    thread.on('message', ({ type, text }) => {
      const shrinks = { verb, message };
      if (type === 'ready')
        thread.postMessage({ kind, seed, episode, calls: number + 1, verbs, replay: false, shrinks });
      else if (type === 'shrunk') end(text ?? undefined);
      else if (type === 'done') end(undefined);
    });
  });
}

/**
 * Does `calls` calls of `kind`, or replays one. Resolves with { table, faults }: counts by verb, and the first fault of
 * each group with the size of the group and, of the first few, the simplest case found as a script. `onProgress` receives the number of finished calls.
 * @typedef {{ kind: string, seed: number, episode: number, number: number }} Place
 * @typedef {Place & { verb: string, message: string, count: number, replay: string, script?: string }} Fault
 * @param {{ kind: string, seed: number, calls: number, verbs?: string[], replay?: Place,
 *   files: { main: string, worker: string }, hangMs?: number }} run
 * @param {(done: number, faults: number) => void} [onProgress]
 * @returns {Promise<{ table: Record<string, Record<string, number>>, faults: Fault[] }>}
 */
export async function fuzz({ kind, seed, calls, verbs = [], replay, files, hangMs = HANG_MS }, onProgress) {
  const { main, worker } = files;
  /** @type {Record<string, Record<string, number>>} */
  const table = {};
  const faults = new Map();
  let perEpisode;
  let nextEpisode = 0;
  let done = 0;

  const nextTask = () => {
    if (replay) {
      const [task] = nextEpisode++ === 0 ? [{ kind, seed, episode: replay.episode, calls: replay.number + 1 }] : [];
      return task && { ...task, verbs, replay: true };
    }
    const first = nextEpisode * perEpisode;
    if (first >= calls) return undefined;
    return { kind, seed, episode: nextEpisode++, calls: Math.min(perEpisode, calls - first), verbs, replay: false };
  };
  const problemWith = (names) => {
    const unknown = verbs.find((verb) => !names.includes(verb));
    if (unknown === undefined) return undefined;
    return new SetupProblem(`--verb ${unknown} is not one of the ${kind}; expected one of ${names.join(', ')}`);
  };
  const onFault = (fault) => {
    const known = faults.get(kindOf(fault));
    if (known) known.count++;
    else faults.set(kindOf(fault), { ...fault, count: 1, replay: replayOf(fault, verbs) });
  };
  const add = (counts) => {
    for (const [verb, numbers] of Object.entries(counts)) {
      table[verb] ??= { calls: 0, returned: 0, refused: 0, own: 0 };
      for (const [name, number] of Object.entries(numbers)) table[verb][name] += number;
    }
  };

  /** One thread; resolves when no work is left. */
  const work = () =>
    new Promise((resolve, reject) => {
      const progress = new Int32Array(new SharedArrayBuffer(12));
      const workerUrl = pathToFileURL(worker).href;
      const thread = new Worker(main, { workerData: { progress, workerUrl }, execArgv: ['--enable-source-maps'] });
      let task;
      let last = -1;
      let lastMoved = Date.now();
      const watch = setInterval(() => {
        if (progress[2] !== last) [last, lastMoved] = [progress[2], Date.now()];
        if (!task || Date.now() - lastMoved < hangMs) return;
        end({ verb: 'a call', message: `has not ended after ${hangMs / 1000} s` });
      }, hangMs / 50);
      const stop = (then) => {
        clearInterval(watch);
        thread.removeAllListeners();
        void thread.terminate().then(then, reject);
      };
      /** The thread and its episode are lost; a new thread continues. */
      const end = (fault) => {
        clearInterval(watch);
        thread.removeAllListeners();
        void thread.terminate();
        if (task) onFault({ ...task, number: progress[1], ...fault });
        work().then(resolve, reject);
      };
      const deal = () => {
        task = nextTask();
        lastMoved = Date.now();
        if (task) return thread.postMessage(task);
        stop(resolve);
      };
      thread.on('error', (error) => {
        if (task) return end({ verb: 'the thread', message: `died: ${error.stack ?? error}` });
        clearInterval(watch);
        reject(error);
      });
      thread.on('message', (message) => {
        if (message.type === 'fault') return onFault(message);
        if (message.type === 'ready') {
          const problem = problemWith(message.kinds[kind].names);
          if (problem) return stop(() => reject(problem));
          perEpisode = message.kinds[kind].perEpisode;
        } else {
          add(message.table);
          done += task.calls;
          onProgress?.(Math.min(done, calls), faults.size);
        }
        deal();
      });
    });

  await Promise.all(Array.from({ length: replay ? 1 : availableParallelism() }, work));
  const shrinkable = [...faults.values()].filter(({ verb }) => !NOT_SHRUNK.includes(verb)).slice(0, MOST_SHRUNK);
  for (const fault of shrinkable) fault.script = await shrunk(fault, verbs, files);
  return { table, faults: [...faults.values()] };
}
