// The example files of docs/clusters: in each, the tasks started by the scheduler run every job once. Slurm and GNU parallel: schedulers.test.ts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareOf } from '../../command/shares.mjs';
import { root } from '../../tools/lib/root.mjs';

const tasks = 24;
const folder = join(root, 'docs/clusters');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** A folder in which the command prints its arguments. */
let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'tied-embeddings-clusters-'));
  mkdirSync(join(work, 'node_modules/.bin'), { recursive: true });
  const stub = '#!/bin/bash\nprintf "%s\\n" "$@"\nexit "${STUB_EXIT:-0}"\n';
  writeFileSync(join(work, 'node_modules/.bin/tied-embeddings'), stub, { mode: 0o755 });
});
afterAll(() => rmSync(work, { recursive: true }));

const runScript = (name: string, environment: Record<string, string>): string[] =>
  execFileSync('bash', [join(folder, name)], {
    cwd: work,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
  })
    .trim()
    .split('\n');

/** How an example passes its arguments, by task, and what its scheduler sets. */
type Example = Record<string, (task: number) => { words: string[]; environment: Record<string, string> }>;
const examples: Example = {
  'pbs.sh': (task) => {
    const environment = { PBS_ARRAY_INDEX: String(task) };
    return { words: runScript('pbs.sh', environment), environment };
  },
  'grid-engine.sh': (task) => {
    const environment = { SGE_TASK_ID: String(task + 1), SGE_TASK_FIRST: '1', SGE_TASK_LAST: String(tasks) };
    return { words: runScript('grid-engine.sh', environment), environment };
  },
  'htcondor.sub': (task) => {
    const [, words = ''] = /^arguments\s*= (.*)$/m.exec(textOf('htcondor.sub')) ?? [];
    return { words: words.replace('$(Process)', String(task)).split(' '), environment: {} };
  },
  'kubernetes.yaml': (task) => {
    const [, words = '[]'] = /^ *args: (\[.*\])$/m.exec(textOf('kubernetes.yaml')) ?? [];
    return {
      words: JSON.parse(words.replaceAll("'", '"')) as string[],
      environment: { JOB_COMPLETION_INDEX: String(task) },
    };
  },
  'aws-batch.json': (task) => {
    const job = JSON.parse(textOf('aws-batch.json')) as { containerOverrides: { command: string[] } };
    return { words: job.containerOverrides.command, environment: { AWS_BATCH_JOB_ARRAY_INDEX: String(task) } };
  },
};

/** The jobs of a task, by their numbers. */
function jobsOf({ words, environment }: ReturnType<Example[string]>, all: number[]): number[] {
  expect(words.slice(0, 3)).toEqual(['experiment', 'run', 'claim.json']);
  const valueOf = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
  const [shard, of] = [valueOf('--shard'), valueOf('--of')];
  const asked = { ...(shard === undefined ? {} : { shard }), ...(of === undefined ? {} : { of: Number(of) }) };
  return shareOf(all, asked, environment, (_, word) => Number(word));
}

describe.each(Object.entries(examples))('%s', (name, taskOf) => {
  test.each([tasks, 100])('tasks run each of %i jobs once', (count) => {
    const all = Array.from({ length: count }, (_, at) => at);
    const done = Array.from({ length: tasks }, (_, task) => jobsOf(taskOf(task), all)).flat();
    expect(done.sort((a, b) => a - b)).toEqual(all);
  });

  test('the scheduler starts the documented number of tasks', () => {
    const starts: Record<string, RegExp> = {
      'pbs.sh': /^#PBS -J 0-23$/m,
      'grid-engine.sh': /^#\$ -t 1-24$/m,
      'htcondor.sub': /^queue 24$/m,
      'kubernetes.yaml': /^ {2}completions: 24$/m,
      'aws-batch.json': /"size": 24/,
    };
    expect(textOf(name)).toMatch(starts[name]!);
  });
});

test('Grid Engine restarts only tasks that were stopped', () => {
  const exitOf = (code: number): unknown => {
    const environment = { SGE_TASK_ID: '1', STUB_EXIT: String(code) };
    try {
      runScript('grid-engine.sh', environment);
      return 0;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };
  expect([0, 64, 70, 75].map(exitOf)).toEqual([0, 64, 70, 99]);
});

test('the page contains every file and names no other', () => {
  const page = readFileSync(join(root, 'docs/from-a-figure-to-a-cluster.md'), 'utf8');
  const named = [...page.matchAll(/\(clusters\/([^)]+)\)/g)].map(([, name]) => name!);
  expect([...new Set(named)].sort()).toEqual(readdirSync(folder).sort());
});
