// One experiment of 24 jobs, distributed by the command itself and, as in docs/clusters, by GNU parallel and Slurm. Each is killed
// twice and gives the same tables.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { parallelObstacle, slurmObstacle } from '../../tools/setup/schedulers.mjs';
import { experimentFolder, resultsIn, tablesIn } from './experiments.js';
import { packPackage, type PackedPackage } from './packed.js';
import { Slurm } from './slurm.js';

const jobs = 24;
const spec = {
  name: 'shared-out',
  text: { file: 'text.txt' },
  tokenizer: { kind: 'word' },
  model: { kind: 'transformer', nLayers: 1, nHeads: 2, contextLength: 8 },
  training: { steps: 300, learningRate: 0.01, batchSize: 4 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  grid: { 'model.dModel': [4, 8] },
  seeds: [1, 2, 3, 4, 5, 6],
  measure: [
    { metric: 'loss', every: 100 },
    { metric: 'alignment', method: 'identity', between: ['tied.embedding', 'untied.unembedding'] },
  ],
  claims: [{ id: 'learns', says: 'loss(tied) < loss(tied, step=0) in every seed' }],
};

let packed: PackedPackage;
let expected: Record<string, string>;
beforeAll(async () => {
  packed = packPackage();
  const folder = newFolder();
  const run = () => spawn(process.execPath, words(folder, 'run', '--jobs', '2', '--quiet'));
  for (const results of [2, 8]) {
    const child = run();
    await enough(folder, results);
    child.kill('SIGKILL');
    await ended(child);
  }
  expect(await ended(run())).toBe(0);
  expected = collected(folder);
});
afterAll(() => packed.remove());

const clusters = join(root, 'docs/clusters');

/** With the command in the folder where npm installs it. */
function newFolder(): string {
  const folder = experimentFolder(packed.folder, spec);
  const programs = join(folder, 'node_modules/.bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(join(packed.folder, 'node_modules/tied-embeddings/dist/command.js'), join(programs, 'tied-embeddings'));
  return folder;
}

const words = (folder: string, verb: string, ...options: string[]): string[] => [
  join(folder, 'node_modules/.bin/tied-embeddings'),
  'experiment',
  verb,
  join(folder, 'claim.json'),
  ...options,
];

/** The exit code; null after a signal. */
async function ended(child: ReturnType<typeof spawn>): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return new Promise((resolve) => child.on('exit', (code) => resolve(code)));
}

/** Resolves when there are at least this many results. */
async function enough(folder: string, results: number): Promise<void> {
  while (resultsIn(folder) < results) await new Promise((resolve) => setTimeout(resolve, 20));
}

function collected(folder: string): Record<string, string> {
  expect(spawnSync(process.execPath, words(folder, 'collect', '--quiet'), { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect(resultsIn(folder)).toBe(jobs);
  return tablesIn(folder);
}

/** Processes that run a job of the experiment in this folder. */
function runningJobs(folder: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => {
    try {
      const [program = '', ...rest] = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').split('\0');
      if (!/node$/.test(program) || readlinkSync(`/proc/${String(pid)}/cwd`) !== folder) return false;
      return rest.includes('run') && rest.includes('claim.json');
    } catch {
      return false;
    }
  });
}

/** Kills a job while it runs. */
async function killOneJob(folder: string): Promise<void> {
  for (;;) {
    const [pid] = runningJobs(folder);
    try {
      if (pid !== undefined) {
        process.kill(pid, 'SIGKILL');
        return;
      }
    } catch {
      // It has just ended.
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('GNU parallel, killed twice, gives the same tables', async ({ skip }) => {
  const obstacle = parallelObstacle();
  if (obstacle !== undefined) skip(obstacle);
  const folder = newFolder();
  const start = () =>
    spawn('bash', [join(clusters, 'parallel.sh')], {
      cwd: folder,
      env: { ...process.env, JOBS: '2' },
      stdio: 'ignore',
      // Its processes form their own group and can be killed together.
      detached: true,
    });
  const first = start();
  await enough(folder, 2);
  await killOneJob(folder);
  await enough(folder, 8);
  process.kill(-first.pid!, 'SIGKILL');
  await ended(first);
  expect(await ended(start())).toBe(0);
  expect(collected(folder)).toEqual(expected);
});

test('Slurm, killed twice, gives the same tables', async ({ skip }) => {
  const obstacle = slurmObstacle();
  if (obstacle !== undefined) skip(obstacle);
  const folder = newFolder();
  const slurm = await Slurm.start(folder).catch((error: unknown) => {
    skip(`no Slurm: its daemons do not start here: ${String(error)}`);
    throw error;
  });
  try {
    const here = ['--mem=256M', '--output=/dev/null', `--chdir=${folder}`];
    const submit = () => {
      expect(slurm.run('sbatch', [...here, join(clusters, 'slurm.sh')])).toMatchObject({ status: 0, stderr: '' });
    };
    submit();
    await enough(folder, 2);
    await killOneJob(folder);
    await enough(folder, 8);
    await slurm.killDaemons();
    await slurm.startDaemons();
    await slurm.idle(() => resultsIn(folder));
    // Killed tasks have failed or wait to be released, so their remaining work is done now.
    for (let tries = 0; resultsIn(folder) < jobs && tries < 5; tries++) {
      submit();
      await slurm.idle(() => resultsIn(folder));
    }
    expect(collected(folder)).toEqual(expected);
  } finally {
    await slurm.stop();
  }
});
