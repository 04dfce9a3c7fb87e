// The declarations of experiment run, expand and collect.
import { common } from './declare.mjs';
import { collectCommand, expandCommand, runCommand } from './experiment.mjs';
import { threadsFlag } from './threads.mjs';

const operands = [{ name: 'SPEC', kind: /** @type {const} */ ('file') }];
/** @type {import('./declare.mjs').Flag} */
const results = { kind: 'folder', summary: 'the folder of results (default: results, beside the file)' };

/** @type {import('./declare.mjs').Verb} */
export const runVerb = {
  name: 'experiment run',
  summary: 'train and measure every job of an experiment; resumes where it was stopped',
  about:
    'Trains the models of an experiment, a JSON file. Each job writes a result, which is not computed again. Ctrl-C, SIGTERM, SIGUSR1 and SIGUSR2 ' +
    'save the running jobs and exit with 75; the same command resumes, even after kill -9. A file of jobs written by experiment expand works too.',
  operands: [{ name: 'SPEC_OR_JOBS', kind: /** @type {const} */ ('file') }],
  flags: {
    jobs: { kind: 'integer', least: 1, most: 1024, summary: 'jobs at the same time (default: 1)' },
    threads: threadsFlag(
      'threads of each job whose training.shards is more than 1; with --jobs, at most one for each core in all (default: jobs share the cores)',
    ),
    memory: {
      kind: 'text',
      value: 'SIZE',
      summary: 'memory that may be used, such as 16GB (default: free memory); jobs that do not fit wait for others',
    },
    index: { kind: 'integer', value: 'I', summary: 'only job I, counted from 0' },
    shard: {
      kind: 'text',
      value: 'I/N',
      summary:
        'every N-th job, starting with job I (counted from 0); auto: the share that the scheduler sets in SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, ' +
        'PBS_ARRAY_INDEX, SGE_TASK_ID, PARALLEL_SEQ or AWS_BATCH_JOB_ARRAY_INDEX',
    },
    of: { kind: 'integer', least: 1, most: 1e6, summary: 'the number of tasks, if the scheduler does not set it' },
    results,
    quiet: common.quiet,
    json: { kind: 'switch', summary: 'a line of JSON on stdout for each finished job' },
  },
  examples: [
    'npx tied-embeddings experiment run claim.json --jobs 4',
    'npx tied-embeddings experiment run claim.json --jobs 2 --threads 4',
    'npx tied-embeddings experiment run jobs.jsonl --index 0',
    'parallel --joblog log --resume npx tied-embeddings experiment run claim.json --index {} ::: $(seq 0 23)',
    "sbatch --array=0-23 --wrap 'npx tied-embeddings experiment run claim.json --shard auto'",
  ],
  run: runCommand,
};

/** @type {import('./declare.mjs').Verb} */
export const expandVerb = {
  name: 'experiment expand',
  summary: 'list the jobs, one JSON object per line, in the order of their indices',
  about: 'Writes one job per line, as JSON, in a stable order. The id of a job is the hash of what it does.',
  operands,
  flags: {},
  examples: [
    'npx tied-embeddings experiment expand claim.json | wc -l',
    'npx tied-embeddings experiment expand claim.json > jobs.jsonl',
  ],
  run: expandCommand,
};

/** @type {import('./declare.mjs').Verb} */
export const collectVerb = {
  name: 'experiment collect',
  summary: 'write tables, statistics, claims and a report from the results',
  about:
    'Reads a folder of results, or the experiment file beside it. Writes the tables runs and metrics as JSON Lines, CSV and Parquet, claims.json, datapackage.json and report.html, a page that opens from disk, ' +
    'and reports for each claim whether it holds.',
  operands: [{ name: 'RESULTS', kind: /** @type {const} */ ('file') }],
  flags: {
    results,
    out: {
      kind: 'folder',
      summary: 'the folder to write to (default: tables, beside the file or the folder of results)',
    },
    quiet: { kind: 'switch', summary: 'do not list the claims' },
    json: { kind: 'switch', summary: 'the claims on stdout, as JSON' },
  },
  examples: [
    'npx tied-embeddings experiment collect claim.json',
    'npx tied-embeddings experiment collect results',
    `duckdb -c "select arm, avg(value) from 'tables/metrics.parquet' m join 'tables/runs.parquet' using (id) where metric = 'loss' and step = steps group by arm"`,
  ],
  run: collectCommand,
};
