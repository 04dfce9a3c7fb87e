// How many jobs fit into the free memory. Checked before anything is trained, so that the system does not kill the process
// later.
import { freemem } from 'node:os';
import { Refusal } from './exit-codes.mjs';
import { bytesOf } from './style.mjs';

// Measured on Linux with Node 20, as the peak memory of the whole process with 1, 2 and 4 jobs: docs/command.md.
/** Bytes of the process without a job. */
export const processBytes = 75e6;
/** Bytes of a thread with the modules. */
export const threadBytes = 28e6;
/** Bytes per character of the text, if each is a token: the text, its tokens, and their copies. */
export const characterBytes = 40;
/** Bytes per pair of texts: both texts, their tokens, and their copies, in addition to their characters. */
export const textPairBytes = 6000;
/** Bytes per pair of tokens, if a direct path trains on all pairs. */
export const pairBytes = 16;

const units = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** @param {string} word Such as 16GB. @returns {number} bytes */
export function sizeOf(word) {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([KMGT]B)$/i.exec(word) ?? [];
  const bytes = Number(number) * units[unit?.toUpperCase()];
  if (!(bytes >= 1)) throw new Refusal(`--memory is '${word}'; expected a size such as 800MB or 16GB`);
  return bytes;
}

/** Memory that this machine has left, or that the container or the scheduler's task may still use. */
export function freeBytes(free = freemem(), limit = process.constrainedMemory(), used = process.memoryUsage.rss()) {
  // Without a limit, Node returns 0 or more than any machine has. In a limited group, memory of other processes is not subtracted, because the group's
  // number includes the file cache, which can be evicted.
  return Math.min(free, limit > 0 ? Math.max(0, limit - used) : Infinity);
}

/**
 * The bytes of a job: its trainer, as the package estimates it in advance, its saved file, its text and its thread.
 *
 * @param {{ bytes: number, fileBytes: number }} trainer
 * @param {{ characters: number, pairs?: number, textPairs?: number }} text
 */
export const bytesOfJob = ({ bytes, fileBytes }, { characters, pairs = 0, textPairs = 0 }) =>
  threadBytes + bytes + fileBytes + characters * characterBytes + pairs * pairBytes + textPairs * textPairBytes;

/**
 * The bytes of each job. Jobs that train with the same sizes are estimated once.
 *
 * @param {import('./tied-embeddings.js').Lab} lab
 * @param {import('./experiment-runner.js').TextCache} cache
 * @param {Record<string, string>} texts The texts of `{ file }` sources, by name.
 * @param {readonly import('./experiment-runner.js').ExperimentJob[]} jobs
 * @param {number} threads The most of each; every one has a copy of the trainer.
 */
export async function bytesOfJobs(lab, cache, texts, jobs, threads = 1) {
  const counted = new Map();
  const bytes = [];
  for (const job of jobs) {
    const { tokenizer, model, training } = job;
    const key = JSON.stringify([tokenizer, model, { ...training, initSeed: 0 }]);
    if (!counted.has(key)) {
      const { sizes, text } = await sizesOf(job, cache, texts);
      const options = Object.fromEntries(Object.entries(training).filter(([name]) => name !== 'steps'));
      // Options that a trainer refuses take no memory; their job reports why.
      const trainer = await lab
        .estimateMemory(/** @type {any} */ ({ ...sizes, ...model }), /** @type {any} */ ({ ...options, seed: 1 }))
        .catch(() => ({ bytes: 0, fileBytes: 0 }));
      const others = Math.min(threads, training.shards ?? 1) - 1;
      // At a move, the old trainer and the new one.
      const trainers = job.then === undefined ? 1 : 2;
      const own = bytesOfJob({ ...trainer, bytes: trainers * trainer.bytes }, text);
      counted.set(key, own + others * bytesOfJob(trainer, { characters: 0 }));
    }
    bytes.push(counted.get(key));
  }
  return bytes;
}

/** The sizes that a model takes from its text, and the size of the text. The text is opened only if nothing else states them; the first job has to open it anyway. */
async function sizesOf(job, cache, texts) {
  const { text, pairs, then, tokenizer, model, training } = job;
  if (pairs !== undefined) {
    const { vocabSize, lengths, training: some, heldOut } = await cache.of(job);
    const both = [some, heldOut].flatMap(({ source, target }) => [...source, ...target]);
    const characters = both.reduce((sum, { length }) => sum + length, 0);
    return { sizes: { ...lengths, vocabSize }, text: { characters, textPairs: both.length / 2 } };
  }
  const vocabSize = 'markov' in text ? text.markov.states : (tokenizer?.vocabSize ?? (await cache.of(job)).vocabSize);
  const onAllPairs = model.kind === 'direct-path' && training.batchSize === undefined;
  return {
    sizes: { vocabSize },
    text: {
      characters: [text, then?.text].reduce((sum, one) => sum + charactersOf(one, texts), 0),
      pairs: onAllPairs ? vocabSize * vocabSize : 0,
    },
  };
}

function charactersOf(text, texts) {
  if (text === undefined) return 0;
  if ('stories' in text) return text.stories.length;
  if ('markov' in text) return text.markov.length;
  return ('file' in text ? texts[text.file] : text.string).length;
}

/**
 * How many jobs may run at the same time: as many as requested, or fewer, so that even the largest ones fit together.
 *
 * @param {number} asked
 * @param {readonly number[]} jobs The bytes of each.
 * @param {number} available
 */
export function jobsThatFit(asked, jobs, available) {
  const largest = [...jobs].sort((a, b) => b - a).slice(0, asked);
  let [count, bytes] = [0, processBytes];
  while (count < largest.length && bytes + largest[count] <= available) bytes += largest[count++];
  return count;
}

/**
 * The number of workers, with a line on stderr if it is less than requested; refuses if not even one job fits.
 *
 * @param {number} asked
 * @param {readonly number[]} jobs The bytes of each.
 * @param {{ file: string, available: number, isGiven: boolean, warn?: (line: string) => void }} more `isGiven`: by --memory.
 */
export function allowedJobs(asked, jobs, { file, available, isGiven, warn = (line) => process.stderr.write(line) }) {
  const wanted = Math.min(asked, jobs.length);
  const count = jobsThatFit(wanted, jobs, available);
  if (count === wanted) return count;
  const most = bytesOf(Math.max(...jobs));
  const free = isGiven ? `--memory is ${bytesOf(available)}` : `${bytesOf(available)} are free`;
  if (count === 0) {
    const needed = bytesOf(processBytes + Math.max(...jobs));
    const hint = isGiven
      ? `at least ${needed}`
      : 'a smaller batch or model, or --memory with the size that may be used';
    throw new Refusal(`${file}: a job needs about ${most}, ${needed} with the process, and ${free}; expected ${hint}`);
  }
  warn(
    `tied-embeddings: ${count} of ${wanted} jobs at the same time, because a job needs up to about ${most} and ${free}` +
      `${isGiven ? '' : ' (--memory sets how much may be used)'}\n`,
  );
  return count;
}
