// `train` and `experiment run` in two threads, killed with SIGKILL at random moments until they end by themselves: the files of a run
// that nobody killed.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { experimentFolder, tablesIn } from './experiments.js';
import { runCommand, scriptOf } from './command-run.js';
import { packPackage, type PackedPackage } from './packed.js';

const model = { kind: 'transformer', dModel: 32, nLayers: 2, nHeads: 2, contextLength: 32 } as const;
const training = { learningRate: 0.003, batchSize: 16, shards: 2 } as const;
/** Of some milliseconds, for longer than a trainer waits before it asks for another thread. */
const steps = 800;
const mostKills = 8;

let packed: PackedPackage;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => packed.remove());

/**
 * The main thread's clock runs fifty times as fast, so progress is saved every few hundred milliseconds. A file has one letter for each
 * thread that was started.
 */
function hurried(started: string): string[] {
  const script = `
    import { appendFileSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) {
      const now = performance.now.bind(performance);
      performance.now = () => 50 * now();
      process.on('worker', () => appendFileSync(${JSON.stringify(started)}, 't'));
    }`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

/** Milliseconds, other ones in each run of the test. A failure prints them. The first is long enough for a second thread to begin. */
const moments: number[] = [];
function moment(isFirst: boolean): number {
  const least = isFirst ? 700 : 200;
  moments.push(Math.round(least + Math.random() * (1200 - least)));
  return moments.at(-1)!;
}

/** Whether the command ended by itself. Otherwise it was killed some time after it had begun to train. */
async function attempt(folder: string, words: readonly string[], killedAfter: number | null): Promise<boolean> {
  const all = [...hurried(join(folder, 'threads')), scriptOf(packed), ...words];
  const child = spawn(process.execPath, all, { cwd: folder });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  if (killedAfter !== null) child.stderr.once('data', () => setTimeout(() => child.kill('SIGKILL'), killedAfter));
  const [status, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on('close', (...how) => resolve(how)),
  );
  appendFileSync(join(folder, 'threads'), '\n');
  if (signal === null) expect(status, `${said} ${String(moments)}`).toBe(0);
  return signal === null;
}

/**
 * Kills the command until it ends; then it says in how many of its lives a second thread began to train. `isDone`: whether one that was killed
 * had done everything, and had only to end.
 */
async function untilItEnds(
  folder: string,
  words: readonly string[],
  stateOf: () => boolean,
  isDone: () => boolean = () => false,
) {
  let resumed = 0;
  let lives = 0;
  for (let ended = false; !ended; lives++) {
    if (stateOf()) resumed++;
    ended = (await attempt(folder, words, lives < mostKills ? moment(lives === 0) : null)) || isDone();
  }
  const threads = readFileSync(join(folder, 'threads'), 'utf8').trim().split('\n');
  return { lives, resumed, shared: threads.filter((letters) => letters.length > 1).length };
}

/** The number of jobs that were saved in the middle. */
const statesIn = (folder: string): number =>
  existsSync(join(folder, 'results'))
    ? readdirSync(join(folder, 'results'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.state'),
      ).length
    : 0;

const newFolder = (): string => mkdtempSync(join(packed.folder, 'killed-'));

describe.skipIf(availableParallelism() < 2)('killed at random moments, in two threads,', () => {
  test('train resumes to the bits of one that was never killed, and of one thread', async () => {
    const folder = newFolder();
    const words = ['New', 'York', 'is', 'old', 'and', 'new'];
    writeFileSync(
      join(folder, 'text.txt'),
      Array.from({ length: 3000 }, (_, i) => words[(i * i + (i % 7)) % 6]).join(' '),
    );
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ tokenizer: { kind: 'word' }, model, training }));
    const asked = ['train', 'text.txt', '--config', 'config.json', '--steps', String(steps)];
    const never = runCommand(packed, [...asked, '--quiet', '--threads', '1', '--out', 'never.tied'], { cwd: folder });
    expect(never).toMatchObject({ status: 0, stderr: '' });

    const state = join(folder, 'model.tied.state');
    const killed = await untilItEnds(
      folder,
      [...asked, '--threads', '2'],
      () => existsSync(state),
      () => existsSync(join(folder, 'model.tied')) && !existsSync(state),
    );
    expect(
      readFileSync(join(folder, 'model.tied')).equals(readFileSync(join(folder, 'never.tied'))),
      String(moments),
    ).toBe(true);
    expect(existsSync(state)).toBe(false);
    expect(killed.lives, String(moments)).toBeGreaterThan(1);
    expect(killed.resumed, String(moments)).toBeGreaterThan(0);
    expect(killed.shared, String(moments)).toBeGreaterThan(0);
  });

  test('an experiment resumes to the tables of one that was never killed', async () => {
    const spec = {
      name: 'killed',
      text: { file: 'text.txt' },
      tokenizer: { kind: 'word' },
      model,
      training: { ...training, steps },
      arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
      seeds: [1],
      measure: [{ metric: 'loss', every: 20 }],
    };
    const folder = experimentFolder(packed.folder, spec);
    const run = (...words: string[]) => runCommand(packed, ['experiment', ...words], { cwd: folder });
    expect(run('run', 'claim.json', '--quiet', '--jobs', '1', '--threads', '1')).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(run('collect', 'claim.json', '--quiet').status).toBe(0);
    const tables = tablesIn(folder);
    for (const made of ['results', 'tables']) rmSync(join(folder, made), { recursive: true });

    const asked = ['experiment', 'run', 'claim.json', '--jobs', '1', '--threads', '2'];
    const killed = await untilItEnds(folder, asked, () => statesIn(folder) > 0);
    expect(statesIn(folder)).toBe(0);
    expect(run('collect', 'claim.json', '--quiet').status).toBe(0);
    expect(tablesIn(folder), String(moments)).toEqual(tables);
    expect(killed.lives, String(moments)).toBeGreaterThan(1);
    expect(killed.resumed, String(moments)).toBeGreaterThan(0);
    expect(killed.shared, String(moments)).toBeGreaterThan(0);
  });
});
