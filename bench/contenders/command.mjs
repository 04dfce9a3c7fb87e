// The command as a whole process: experiments on one core and on two, jobs that take almost no time, and experiments of many jobs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';

const script = join(root, 'dist/command.js');
const claim = 'claim.json';
/** Prints the peak memory of a process at its end, in kilobytes. */
const reportMemory =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("\\n"+process.resourceUsage().maxRSS))';

const little = {
  text: { stories: { seed: 1, length: 2000 } },
  tokenizer: { kind: 'character' },
  model: { kind: 'direct-path', dModel: 2 },
  training: { steps: 1, learningRate: 0.01 },
  measure: [
    { metric: 'loss', at: 'end' },
    { metric: 'isotropy', table: 'embedding', at: 'end' },
  ],
};
const arms = { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } };
const seeds = (count) => Array.from({ length: count }, (_, at) => at);

/** Eight jobs of a few seconds each. */
const shared = {
  name: 'shared-out',
  text: { stories: { seed: 1, length: 200_000 } },
  tokenizer: { kind: 'bpe', vocabSize: 512 },
  model: { kind: 'transformer', dModel: 64, nLayers: 4, nHeads: 4, contextLength: 64 },
  training: { steps: 100, batchSize: 16, learningRate: 0.003 },
  arms,
  seeds: seeds(4),
  measure: [{ metric: 'loss', at: 'end' }],
};
const littleJobs = 40;
const manyJobs = 10_000;
const few = { name: 'little', ...little, arms, seeds: seeds(littleJobs / 2) };
const many = {
  name: 'many',
  ...little,
  arms,
  seeds: seeds(manyJobs / 2),
  claims: [{ id: 'ahead', says: 'loss(tied) > loss(untied)' }],
};

const jsonLines = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Runs the command in a folder: the seconds of the whole process, and its peak memory. */
function command(folder, words) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', reportMemory, script, 'experiment', words[0], claim, ...words.slice(1)],
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`tied-embeddings experiment ${words.join(' ')} ends with ${status}: ${stderr}`);
  return { seconds, stdout, megabytes: Number(stderr.split('\n').at(-1)) / 1000 };
}

function inFolder(spec, act) {
  const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-bench-'));
  try {
    writeFileSync(join(folder, claim), JSON.stringify(spec));
    return act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Results as if each job had run: one job's results, under the names and with the arms and seeds of all jobs. */
function writeResults(folder, jobs) {
  command(folder, ['run', '--index', '0', '--quiet']);
  const results = join(folder, 'results');
  const first = readdirSync(results, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.jsonl'));
  const [run, ...metrics] = jsonLines(readFileSync(join(results, first), 'utf8'));
  const { id: was } = run.run;
  for (const { id, arm, seed } of jobs) {
    const rows = [{ run: { ...run.run, arm, seed, tying: arm } }, ...metrics];
    const text = rows.map((row) => `${JSON.stringify(row).replaceAll(was, id)}\n`).join('');
    // Where an experiment with that many jobs puts them.
    const shard = join(results, id.slice(0, 2));
    mkdirSync(shard, { recursive: true });
    writeFileSync(join(shard, `${id}.jsonl`), text);
  }
}

const run = (spec, workers) =>
  inFolder(spec, (folder) => command(folder, ['run', '--jobs', String(workers), '--quiet']));

const measures = {
  'experiment/jobs-1': () => run(shared, 1),
  'experiment/jobs-2': () => run(shared, 2),
  'experiment/little-jobs': () => {
    const { seconds } = run(few, 1);
    return { seconds, facts: { 'milliseconds per job': (1000 * seconds) / littleJobs } };
  },
  'experiment/expand/10000': () =>
    inFolder(many, (folder) => {
      const { seconds, stdout, megabytes } = command(folder, ['expand']);
      const { length } = jsonLines(stdout);
      if (length !== manyJobs) throw new Error(`${length} jobs; expected ${manyJobs}`);
      return { seconds, facts: { megabytes } };
    }),
  'experiment/collect/10000': () =>
    inFolder(many, (folder) => {
      writeResults(folder, jsonLines(command(folder, ['expand']).stdout));
      const { seconds, megabytes } = command(folder, ['collect', '--quiet']);
      return { seconds, facts: { megabytes } };
    }),
};

/** @returns {import('../contender.d.ts').Contender} */
export const commandContender = (name) => ({
  name,
  host: 'Node',
  // Of all threads, from start to end.
  clock: 'wall',
  cases: () => Object.keys(measures),
  // A call takes seconds.
  measure: async (id) => ({ calls: 1, ...measures[id]() }),
  close: async () => undefined,
});
