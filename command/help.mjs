const general = `Usage: tied-embeddings COMMAND

  experiment run SPEC        train and measure every job of an experiment; goes on where it was stopped
  experiment expand SPEC     one job a line, as JSON, in the order of their indices
  experiment collect SPEC    tables, statistics and claims from the results

tied-embeddings COMMAND --help says more. Exit codes: 0 done, 64 a bad argument or experiment, 70 a run failed, 75 stopped or
unfinished: the same command goes on.
`;

const run = `Usage: tied-embeddings experiment run SPEC [options]

Trains the models of an experiment, a file of JSON. Each job leaves a result, which is not computed again. Ctrl-C, SIGTERM and SIGUSR1
save the jobs under way and leave with 75; so does nothing worse than that happen to a process that is killed.

  --jobs N         jobs at the same time (default: 1)
  --index I        only job I, 0 the first
  --shard I/N      every N-th job, from job I on (0 the first)
  --shard auto     the share that the scheduler names: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, PBS_ARRAY_INDEX, SGE_TASK_ID,
                   PARALLEL_SEQ or AWS_BATCH_JOB_ARRAY_INDEX, with the number of tasks where the scheduler says it, else --of N
  --of N           the number of tasks
  --results DIR    where results are (default: results, beside the file)
  --quiet          no progress
  --json           a line of JSON on stdout for each job that ends

Examples:
  npx tied-embeddings experiment run claim.json --jobs 4
  parallel --joblog log --resume npx tied-embeddings experiment run claim.json --index {} ::: $(seq 0 23)
  sbatch --array=0-23 --wrap 'npx tied-embeddings experiment run claim.json --shard auto'
`;

const expand = `Usage: tied-embeddings experiment expand SPEC

Writes one job a line, as JSON, in a stable order. The id of a job is the hash of what it does.

Example:
  npx tied-embeddings experiment expand claim.json | wc -l
`;

const collect = `Usage: tied-embeddings experiment collect SPEC [options]

Writes the tables runs and metrics as JSON Lines, CSV and Parquet, claims.json and datapackage.json, and says of each claim whether it holds.

  --results DIR    where results are (default: results, beside the file)
  --out DIR        where to write (default: tables, beside the file)
  --quiet          no list of claims
  --json           the claims on stdout, as JSON

Example:
  npx tied-embeddings experiment collect claim.json && duckdb -c "select arm, avg(value) from 'tables/metrics.parquet' join 'tables/runs.parquet' using (id) where metric = 'loss' group by arm"
`;

/** @param {string | null} command */
export const helpOf = (command) =>
  command === null
    ? general
    : { 'experiment run': run, 'experiment expand': expand, 'experiment collect': collect }[command];
