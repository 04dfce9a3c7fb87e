// Its processes read: tools/fuzz
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inputsOf } from '../../../tools/fuzz/native.mjs';
import { fuzzOptions } from '../../../tools/fuzz/options.mjs';
import { fuzz } from '../../../tools/fuzz/pool.mjs';
import { testsOf } from '../../../tools/fuzz/tests.mjs';

describe('npm run fuzz', () => {
  test('runs a million calls and a million files with a fresh seed', () => {
    const { seed, verbs, runs, replay, native } = fuzzOptions([], 1234);
    expect([seed, verbs, replay, native]).toEqual([1234, [], undefined, 60]);
    expect(runs).toEqual([
      { kind: 'calls', calls: 1_000_000 },
      { kind: 'files', calls: 1_000_000 },
      { kind: 'checkpoints', calls: 500_000 },
      { kind: 'verdicts', calls: 100_000 },
      { kind: 'experiments', calls: 20_000 },
      { kind: 'labs', calls: 50_000 },
    ]);
  });

  test('accepts kinds, a seed, a number of calls and verbs', () => {
    const words = [
      'calls',
      'labs',
      '--seed',
      '7',
      '--calls=20_000',
      '--verb',
      'trainer.run',
      '--verb',
      'core.symmetry',
    ];
    expect(fuzzOptions(words)).toEqual({
      seed: 7,
      verbs: ['trainer.run', 'core.symmetry'],
      runs: [
        { kind: 'calls', calls: 20_000 },
        { kind: 'labs', calls: 20_000 },
      ],
    });
  });

  test('gives the libFuzzer programs the requested seconds', () => {
    expect(fuzzOptions(['native', '--seconds', '600'], 5)).toEqual({ seed: 5, verbs: [], runs: [], native: 600 });
    expect(fuzzOptions(['calls']).native).toBeUndefined();
    expect(inputsOf('stat::number_of_executed_units: 1234\nstat::new_units_added: 5')).toBe(1234);
    expect(inputsOf('')).toBe(0);
  });

  test('replays one call', () => {
    expect(fuzzOptions(['--replay', 'files/5/12/834'])).toMatchObject({
      seed: 5,
      replay: { kind: 'files', episode: 12, number: 834 },
    });
  });

  test.each([
    ['--sed 5', "Unknown option '--sed'"],
    ['--seed x', '--seed is x; expected an integer'],
    ['--seed', "Option '--seed <value>' argument missing"],
    ['--calls=-1', '--calls is -1; expected an integer'],
    ['native --seconds x', '--seconds is x; expected an integer'],
    ['--replay calls/1/2', '--replay is missing; expected an integer'],
    ['--replay all/1/2/3', '--replay is all/1/2/3; expected calls, files,'],
    ['core', 'the kind is core; expected calls, files,'],
  ])('refuses %s', (words, message) => {
    expect(() => fuzzOptions(words.split(' '))).toThrow(message);
  });
});

describe('the pool of fuzzing threads', { timeout: 60_000 }, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tied-fuzz-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A thread whose episodes have ten calls; `answer` decides what it does with a task. */
  const threadThat = (answer: string): { main: string; worker: string } => {
    const main = join(folder, `${Math.abs(hash(answer))}.mjs`);
    writeFileSync(
      main,
      `import { parentPort, workerData } from 'node:worker_threads';
       const table = { symmetry: { calls: 10, returned: 9, refused: 1, own: 0 } };
       parentPort.on('message', (task) => { ${answer} });
       parentPort.postMessage({ type: 'ready', kinds: { calls: { perEpisode: 10, names: ['symmetry'] } } });`,
    );
    return { main, worker: main };
  };
  const DONE = "parentPort.postMessage({ type: 'done', table });";

  test('adds up the counts of all episodes', async () => {
    const { table, faults } = await fuzz({ kind: 'calls', seed: 1, calls: 70, files: threadThat(DONE) });
    expect(table).toEqual({ symmetry: { calls: 70, returned: 63, refused: 7, own: 0 } });
    expect(faults).toEqual([]);
  });

  test('reports faults of one kind once, with their number and how to replay the first', async () => {
    const fault = "{ type: 'fault', ...task, number: 3, verb: 'symmetry', message: `wrong at ${task.episode}` }";
    const files = threadThat(`parentPort.postMessage(${fault}); ${DONE}`);
    const { faults } = await fuzz({ kind: 'calls', seed: 5, calls: 40, verbs: ['symmetry'], files });
    expect(faults).toMatchObject([{ verb: 'symmetry', count: 4 }]);
    expect(faults[0]!.replay).toMatch(/^npm run fuzz -- --replay calls\/5\/\d\/3 --verb symmetry$/);
  });

  test('asks for the simplest case of a fault, in a new thread, and prints what comes back', async () => {
    const fault = "{ type: 'fault', ...task, number: 3, verb: 'symmetry', message: 'wrong' }";
    const shrunk = "{ type: 'shrunk', text: `${task.calls} ${task.shrinks.verb} ${task.shrinks.message}` }";
    const files = threadThat(
      `if (task.shrinks) return void parentPort.postMessage(${shrunk}); parentPort.postMessage(${fault}); ${DONE}`,
    );
    const { table, faults } = await fuzz({ kind: 'calls', seed: 5, calls: 20, files });
    expect(faults[0]!.script).toBe('4 symmetry wrong');
    expect(testsOf('calls', table, faults).notes[0]).toMatch(/--replay calls\/5\/\d\/3\n\n {4}4 symmetry wrong$/);
  });

  test('refuses an unknown verb and lists the known ones', async () => {
    const run = { kind: 'calls', seed: 5, calls: 10, files: threadThat(DONE) };
    await expect(fuzz({ ...run, verbs: ['symetry'] })).rejects.toThrow(
      '--verb symetry is not one of the calls; expected one of symmetry',
    );
  });

  test('names a call that never ends, and continues without it', async () => {
    const files = threadThat(`if (task.episode === 1) { workerData.progress[1] = 6; for (;;); } ${DONE}`);
    const { table, faults } = await fuzz({ kind: 'calls', seed: 5, calls: 50, files, hangMs: 3000 });
    expect(table.symmetry!.calls).toBe(40);
    expect(faults).toMatchObject([
      { message: 'has not ended after 3 s', replay: 'npm run fuzz -- --replay calls/5/1/6' },
    ]);
  });

  test('names the episode in which a thread dies, and continues without it', async () => {
    const files = threadThat(`if (task.episode === 1) throw new Error('out of memory'); ${DONE}`);
    const { table, faults } = await fuzz({ kind: 'calls', seed: 5, calls: 50, files });
    expect(table.symmetry!.calls).toBe(40);
    expect(faults).toMatchObject([{ verb: 'the thread', episode: 1 }]);
    expect(faults[0]!.message).toContain('out of memory');
  });
});

describe('a verb in the suite', () => {
  const counts = { calls: 10, returned: 4, refused: 6, own: 0 };
  const passed = { passed: 1, failed: 0, skipped: 0, notes: [] };

  test('passes if it returned and had no faults', () => {
    expect(testsOf('calls', { symmetry: counts }, [])).toEqual(passed);
  });

  test('fails if it had faults or never returned', () => {
    const fault = { verb: 'symmetry', message: 'x', count: 2, replay: 'npm run fuzz -- --replay calls/1/2/3' };
    const failed = testsOf('calls', { symmetry: counts, run: counts }, [fault]);
    expect(failed).toMatchObject({ passed: 1, failed: 1 });
    expect(failed.notes.join()).toContain('--replay calls/1/2/3');
    const never = { symmetry: { ...counts, returned: 0 } };
    expect(testsOf('calls', never, [])).toMatchObject({ passed: 0, failed: 1 });
    // A few calls may all be refused.
    expect(testsOf('calls', never, [], { areMany: false })).toMatchObject({ passed: 1, failed: 0, notes: [] });
  });

  test('is reported with its script, or with the length of a long one', () => {
    const fault = { verb: 'symmetry', message: 'x', count: 1, replay: 'npm run fuzz -- --replay files/1/2/3' };
    const noteWith = (script: string): string =>
      testsOf('files', { symmetry: counts }, [{ ...fault, script }]).notes[0]!;
    expect(noteWith('await a();')).toMatch(/files\/1\/2\/3\n\n {4}await a\(\);$/);
    expect(noteWith('1'.repeat(180_000))).toMatch(/files\/1\/2\/3\n\n {4}\(a script of 180000 characters/);
  });

  test('is not blamed for faults of anything else', () => {
    const fault = { verb: 'known computations', message: 'x', count: 1, replay: '' };
    expect(testsOf('calls', { symmetry: counts }, [fault])).toMatchObject({ passed: 1, failed: 1 });
  });
});

function hash(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (Math.imul(sum, 31) + letter.codePointAt(0)!) | 0;
  return sum;
}
