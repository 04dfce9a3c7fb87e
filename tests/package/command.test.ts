// The command from the packed package: experiments that are run, stopped, killed, distributed and collected.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { experimentFolder, resultsIn, tablesIn } from './experiments.js';
import { packPackage, type PackedPackage } from './packed.js';

const spec = {
  name: 'small',
  text: { file: 'text.txt' },
  tokenizer: { kind: 'word' },
  model: { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
  training: { steps: 600, learningRate: 0.01, batchSize: 4 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1, 2, 3],
  measure: [
    { metric: 'loss', every: 200 },
    { metric: 'input-share', every: 20 },
    { metric: 'alignment', method: 'identity', between: ['tied.embedding', 'untied.unembedding'] },
  ],
  claims: [{ id: 'learns', says: 'loss(tied) < loss(tied, step=0) in every seed' }],
};

let packed: PackedPackage;
let folder: string;
let tables: Record<string, string>;
beforeAll(() => {
  packed = packPackage();
  folder = newFolder();
  expect(run(['experiment', 'run', 'claim.json', '--quiet']).status).toBe(0);
  tables = collected();
});
afterAll(() => packed.remove());
beforeEach(() => {
  folder = newFolder();
});

const newFolder = (): string => experimentFolder(packed.folder, spec);
const script = () => join(packed.folder, 'node_modules/tied-embeddings/dist/command.js');

function run(words: readonly string[], environment: Record<string, string> = {}, node: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, script(), ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    timeout: 120_000,
  });
  return { status, stdout, stderr };
}

/** The tables without the timing table. */
function collected(): Record<string, string> {
  expect(run(['experiment', 'collect', 'claim.json', '--quiet'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const tables = tablesIn(folder);
  const kinds = ['csv', 'jsonl', 'parquet'];
  const named = ['metrics', 'runs'].flatMap((table) => kinds.map((kind) => `${table}.${kind}`));
  expect(Object.keys(tables)).toEqual(['claims.json', 'datapackage.json', 'report.html', ...named].sort());
  return tables;
}

/** Runs the experiment until `signal`, which is sent as soon as it begins. */
async function interrupted(signal: NodeJS.Signals): Promise<number | null> {
  const child = spawn(process.execPath, [script(), 'experiment', 'run', 'claim.json'], { cwd: folder });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  child.stderr.once('data', () => child.kill(signal));
  return ended;
}

describe('an experiment', () => {
  test('can be listed as its jobs', () => {
    const { status, stdout } = run(['experiment', 'expand', 'claim.json']);
    const jobs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; arm: string; seed: number });
    expect(status).toBe(0);
    expect(jobs.map(({ arm, seed }) => `${arm} ${String(seed)}`)).toEqual([
      'tied 1',
      'untied 1',
      'tied 2',
      'untied 2',
      'tied 3',
      'untied 3',
    ]);
    expect(jobs.every(({ id }) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  });

  test.each(['SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGINT', 'SIGKILL'] as const)(
    'that is stopped by %s resumes to the same tables',
    async (signal) => {
      expect(await interrupted(signal)).toBe(signal === 'SIGKILL' ? null : 75);
      expect(run(['experiment', 'collect', 'claim.json'])).toMatchObject({ status: 75 });
      expect(run(['experiment', 'run', 'claim.json', '--quiet', '--jobs', '2'])).toMatchObject({
        status: 0,
        stderr: '',
      });
      expect(resultsIn(folder)).toBe(6);
      expect(collected()).toEqual(tables);
    },
  );

  /** A process with a replaced `renameSync`. */
  const renaming = (act: string): string[] => [
    '--import',
    `data:text/javascript,${encodeURIComponent(
      `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const rename = fs.renameSync; let calls = 0; fs.renameSync = (from, to) => { ${act} }; syncBuiltinESMExports();`,
    )}`,
  ];

  test('on a disk where renaming copies resumes to the same tables after being killed while copying each file', () => {
    // First the experiment itself, then the models and results of its jobs.
    for (const at of [1, 2, 3, 2, 3]) {
      const half = `if (++calls < ${String(at)}) return rename(from, to);
        const all = fs.readFileSync(from);
        fs.writeFileSync(to, all.subarray(0, all.length >> 1));
        process.kill(process.pid, 'SIGKILL');`;
      expect(run(['experiment', 'run', 'claim.json', '--quiet'], {}, renaming(half)).status).toBeNull();
      expect(run(['experiment', 'collect', 'claim.json', '--quiet']).status).toBe(75);
    }
    expect(run(['experiment', 'run', 'claim.json', '--quiet']).status).toBe(0);
    expect(collected()).toEqual(tables);
  });

  test('on a disk that cannot rename gives the same tables', () => {
    const never = `throw Object.assign(new Error('no rename'), { code: 'ENOSYS' });`;
    expect(run(['experiment', 'run', 'claim.json', '--quiet'], {}, renaming(never))).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(resultsIn(folder)).toBe(6);
    expect(collected()).toEqual(tables);
  });

  test('in shares, set by number or environment, gives the same tables', () => {
    expect(run(['experiment', 'run', 'claim.json', '--quiet', '--shard', '0/3'])).toMatchObject({ status: 0 });
    expect(resultsIn(folder)).toBe(2);
    expect(
      run(['experiment', 'run', 'claim.json', '--quiet', '--shard', 'auto'], {
        SLURM_ARRAY_TASK_ID: '5',
        SLURM_ARRAY_TASK_MIN: '4',
        SLURM_ARRAY_TASK_COUNT: '3',
      }),
    ).toMatchObject({ status: 0 });
    expect(resultsIn(folder)).toBe(4);
    expect(
      run(['experiment', 'run', 'claim.json', '--quiet', '--shard', 'auto', '--of', '3'], { PARALLEL_SEQ: '3' }),
    ).toMatchObject({ status: 0 });
    expect(collected()).toEqual(tables);
    expect(run(['experiment', 'run', 'claim.json', '--quiet', '--index', '5'])).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  test('as a list of its jobs, run in parts, gives the same tables', () => {
    const { stdout } = run(['experiment', 'expand', 'claim.json']);
    const lines = stdout.trimEnd().split('\n');
    writeFileSync(join(folder, 'jobs.jsonl'), stdout);
    writeFileSync(join(folder, 'last.jsonl'), `${lines.slice(4).join('\n')}\n\n`);
    const first = run(['experiment', 'run', 'jobs.jsonl', '--quiet', '--index', '1']);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(resultsIn(folder)).toBe(1);
    expect(run(['experiment', 'run', 'last.jsonl', '--quiet'])).toMatchObject({ status: 0, stderr: '' });
    expect(resultsIn(folder)).toBe(3);
    expect(run(['experiment', 'run', 'jobs.jsonl', '--quiet', '--jobs', '2'])).toMatchObject({ status: 0, stderr: '' });
    expect(collected()).toEqual(tables);
  });

  test('refuses a list of jobs with a truncated, changed or duplicate line', () => {
    const [first, second] = run(['experiment', 'expand', 'claim.json']).stdout.split('\n') as [string, string];
    const refusedWith = (lines: readonly string[], named: RegExp) => {
      writeFileSync(join(folder, 'jobs.jsonl'), lines.join('\n'));
      const { status, stderr } = run(['experiment', 'run', 'jobs.jsonl', '--quiet']);
      expect(stderr).toMatch(named);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(status).toBe(64);
      expect(resultsIn(folder)).toBe(0);
    };
    refusedWith([first, second.slice(0, 40)], /jobs\.jsonl, line 2: not JSON/);
    refusedWith([first, second.replace('"seed":1', '"seed":7')], /line 2: job\.id is '\w{16}'; expected '\w{16}'/);
    refusedWith([first.replace('"steps":600', '"steps":-1')], /line 1: training\.steps|line 1: .*steps is -1/);
    refusedWith([first, second, first], /line 3 repeats the job of line 1; expected each job once/);
    refusedWith([first.replace('"arm":', '"arms":')], /line 1: job\.arms is not an option; expected 'arm'/);
  });

  test('runs fewer jobs in parallel if the available memory is set to be small, and says so', () => {
    const { status, stderr } = run(['experiment', 'run', 'claim.json', '--quiet', '--jobs', '3', '--memory', '120MB']);
    expect(stderr).toMatch(/^tied-embeddings: 1 of 3 jobs at the same time, .* --memory is 120 MB\n$/);
    expect(status).toBe(0);
    expect(collected()).toEqual(tables);
  });

  test('can be collected from a folder of results without its file, if the folder belongs to one experiment', () => {
    run(['experiment', 'run', 'claim.json', '--quiet', '--index', '0']);
    expect(run(['experiment', 'collect', 'results'])).toMatchObject({ status: 75 });
    run(['experiment', 'run', 'claim.json', '--quiet']);
    rmSync(join(folder, 'claim.json'));
    expect(run(['experiment', 'collect', 'results', '--quiet'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(tablesIn(folder)).toEqual(tables);
    const refused = (words: string[], says: RegExp): void => {
      const { status, stderr } = run(['experiment', 'collect', ...words]);
      expect(status).toBe(64);
      expect(stderr).toMatch(says);
    };
    refused(['results', '--results', 'results'], /--results is results; expected none with results, which is a folder/);
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...spec, name: 'other' }));
    run(['experiment', 'run', 'other.json', '--quiet', '--index', '0']);
    refused(['results'], /results has results of 2 experiments; expected the file of one/);
    mkdirSync(join(folder, 'empty'));
    refused(['empty'], /empty contains no experiment; expected the results of experiment run/);
  });

  test('reports its claims', () => {
    run(['experiment', 'run', 'claim.json', '--quiet', '--jobs', '2']);
    expect(run(['experiment', 'collect', 'claim.json']).stdout).toMatch(/^learns: holds \(the difference is -/);
    const [claim] = JSON.parse(run(['experiment', 'collect', 'claim.json', '--json']).stdout) as [{ verdict: string }];
    expect(claim.verdict).toBe('holds');
  });

  test('with a failing run ends with 70 and names the run', () => {
    const wild = {
      ...spec,
      arms: { wild: { model: { tying: 'tied' }, training: { optimizer: 'sgd', learningRate: 1e30 } } },
      measure: [{ metric: 'loss' }],
      claims: [],
    };
    writeFileSync(join(folder, 'claim.json'), JSON.stringify(wild));
    const { status, stdout } = run(['experiment', 'run', 'claim.json', '--quiet', '--json']);
    expect(status).toBe(70);
    expect(stdout).toMatch(/"status":"failed","error":"[^"]*finite/);
    const collected = run(['experiment', 'collect', 'claim.json', '--quiet']);
    expect(collected).toMatchObject({ status: 70, stdout: '' });
    expect(collected.stderr).toMatch(
      /^tied-embeddings: 3 of 3 runs failed; the first is 'wild' with seed 1: .*finite.*\n$/,
    );
  });

  test('with a measure of two models that only their sizes rule out is collected with 70 and names the measure', () => {
    const few = { metric: 'neighbor-overlap', k: 500, between: ['tied.embedding', 'untied.embedding'] };
    writeFileSync(join(folder, 'claim.json'), JSON.stringify({ ...spec, measure: [few], claims: [] }));
    expect(run(['experiment', 'run', 'claim.json', '--quiet'])).toMatchObject({ status: 0, stderr: '' });
    const { status, stderr } = run(['experiment', 'collect', 'claim.json', '--quiet']);
    expect(status).toBe(70);
    expect(stderr).toMatch(
      /^tied-embeddings: 3 measures of two models failed; the first is neighbor-overlap\(.*k is 500; .*\n$/,
    );
  });
});

describe('a table', () => {
  test('in Parquet has the same numbers as in JSON Lines', async () => {
    const { parquetReadObjects } = await import('hyparquet');
    const read = async (name: string): Promise<unknown[]> => {
      const bytes = Buffer.from(tables[name]!, 'base64');
      return parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) });
    };
    for (const table of ['runs', 'metrics']) {
      const lines = Buffer.from(tables[`${table}.jsonl`]!, 'base64').toString('utf8').trim().split('\n');
      const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      // Seeds are 64-bit integers.
      const wide = rows.map((row) => ('seed' in row ? { ...row, seed: BigInt(row['seed'] as number) } : row));
      expect(await read(`${table}.parquet`)).toEqual(wide);
    }
  });

  test('that cannot be written ends with 74 and names the file', () => {
    writeFileSync(join(folder, 'afile'), 'x');
    expect(run(['experiment', 'run', 'claim.json', '--quiet']).status).toBe(0);
    const inFile = run(['experiment', 'collect', 'claim.json', '--out', 'afile', '--quiet']);
    expect(inFile).toEqual({
      status: 74,
      stdout: '',
      stderr: 'tied-embeddings: afile/runs.jsonl cannot be written: ENOTDIR, a part of its path is not a directory\n',
    });
    mkdirSync(join(folder, 'tables/metrics.csv/inside'), { recursive: true });
    const { status, stderr } = run(['experiment', 'collect', 'claim.json', '--quiet']);
    expect(status).toBe(74);
    expect(stderr).toMatch(/^tied-embeddings: tables\/metrics\.csv cannot be written: E[A-Z]+, .*\n$/);
    expect(readdirSync(join(folder, 'tables')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('of a run that cannot write its result ends with 74 and names the file', () => {
    const [first] = run(['experiment', 'expand', 'claim.json']).stdout.split('\n');
    const { id } = JSON.parse(first!) as { id: string };
    mkdirSync(join(folder, `results/${id}.model/inside`), { recursive: true });
    const { status, stderr } = run(['experiment', 'run', 'claim.json', '--quiet', '--index', '0']);
    expect(status).toBe(74);
    expect(stderr).toMatch(new RegExp(`^tied-embeddings: results/${id}\\.model cannot be written: E[A-Z]+, .*\\n$`));
  });
});

describe('an invalid call', () => {
  const refused: [words: string[], named: RegExp][] = [
    [['experimnt'], /'experimnt' is not a command/],
    [['completion', 'fish'], /SHELL is 'fish'; expected one of bash, zsh/],
    [['experiment', 'run'], /0 arguments were given; expected SPEC/],
    [['experiment', 'run', 'no.json'], /no\.json cannot be read: ENOENT/],
    [['experiment', 'run', 'text.txt'], /text\.txt is not JSON/],
    [['experiment', 'run', 'claim.json', '--job', '2'], /--job/],
    [['experiment', 'run', 'claim.json', '--jobs', '0'], /--jobs is '0'; expected an integer from 1/],
    [['experiment', 'run', 'claim.json', '--threads', '9'], /--threads is '9'; expected an integer from 1 to 8/],
    [
      ['experiment', 'run', 'claim.json', '--threads', '2', '--jobs', String(availableParallelism())],
      /--threads is 2( and --jobs \d+)?; expected at most \d+ threads in all, one for each core/,
    ],
    [['experiment', 'run', 'claim.json', '--memory', 'much'], /--memory is 'much'; expected a size such as 800MB/],
    [
      ['experiment', 'run', 'claim.json', '--memory', '90MB'],
      /claim\.json: a job needs about .* --memory is 90\.0 MB; expected at least/,
    ],
    [['experiment', 'run', 'claim.json', '--index', '6'], /--index is '6'; expected an integer from 0 to 5/],
    [['experiment', 'run', 'claim.json', '--shard', '3/3'], /--shard is '3\/3'/],
    [['experiment', 'run', 'claim.json', '--shard', 'auto'], /no scheduler sets a task index/],
    [['experiment', 'run', 'claim.json', '--index', '1', '--shard', '0/2'], /expected one of them/],
  ];
  test.each(refused)('%j ends with 64 and one line', (words, named) => {
    const { status, stdout, stderr } = run(words);
    expect(stderr).toMatch(named);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
  });

  test('with an invalid experiment ends with 64 and says where the error is', () => {
    writeFileSync(join(folder, 'claim.json'), JSON.stringify({ ...spec, seeds: [1, 1] }));
    expect(run(['experiment', 'run', 'claim.json'])).toMatchObject({
      status: 64,
      stderr: 'tied-embeddings: claim.json: spec.seeds[1] is 1; expected each seed once\n',
    });
  });

  test.each([
    [['--help']],
    [['experiment', '--help']],
    [['help', 'experiment']],
    [['experiment', 'run', '--help']],
    [['experiment', 'collect', '-h']],
  ])('%j helps', (words) => {
    expect(run(words)).toMatchObject({ status: 0, stderr: '' });
  });

  test.each([[['train']], [['experiment', 'run']]])('help %j is that of the verb', (words) => {
    expect(run(['help', ...words])).toEqual(run([...words, '--help']));
  });
});

test.each(['bash', 'zsh'])('completion %s writes a script with every verb in the help', (shell) => {
  const { status, stdout, stderr } = run(['completion', shell]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const rows = [...run(['--help']).stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)*)/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, verb] of rows) expect(stdout).toContain(`'${verb!}'`);
});

test('--version prints the version of the package', () => {
  const { version } = JSON.parse(
    readFileSync(join(packed.folder, 'node_modules/tied-embeddings/package.json'), 'utf8'),
  ) as {
    version: string;
  };
  for (const word of ['--version', '-v'])
    expect(run([word])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('the command is installed under its name', () => {
  rmSync(folder, { recursive: true });
  const manifest = packed.manifest as unknown as { bin: Record<string, string> };
  expect(manifest.bin).toEqual({ 'tied-embeddings': './dist/command.js' });
  expect(execFileSync(script(), ['--help'], { encoding: 'utf8' })).toMatch(/^Usage: tied-embeddings COMMAND/);
});
