/** The fuzzer's thread: runs the episodes from tools/fuzz/pool.mjs and reports its findings. */
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { createLab } from '../../web/index.js';
import { CALLS_PER_EPISODE, CallFuzzer } from './calls.js';
import { CHECKPOINTS_PER_EPISODE, CheckpointFuzzer, FORMAT_NAMES } from './checkpoints.js';
import { EXPERIMENT_NAMES, ExperimentFuzzer, EXPERIMENTS_PER_EPISODE } from './experiments.js';
import { FileFuzzer, FILES_PER_EPISODE, READER_NAMES } from './files.js';
import { LAB_CALLS_PER_EPISODE, LAB_VERB_NAMES, LabFuzzer } from './labs.js';
import { newTable, VERB_NAMES, type Report, type Table } from './session.js';
import { Fault } from './verdict.js';
import { VERDICT_KINDS, VerdictFuzzer, VERDICTS_PER_EPISODE } from './verdicts.js';

/** A whole episode, or in a replay, its calls up to `last`. */
interface Task {
  kind: keyof typeof KINDS;
  seed: number;
  episode: number;
  calls: number;
  /** Names of the verbs or readers to use; none = all. */
  verbs: readonly string[];
  replay: boolean;
}

const KINDS = {
  calls: { names: VERB_NAMES, perEpisode: CALLS_PER_EPISODE },
  files: { names: READER_NAMES, perEpisode: FILES_PER_EPISODE },
  checkpoints: { names: FORMAT_NAMES, perEpisode: CHECKPOINTS_PER_EPISODE },
  experiments: { names: EXPERIMENT_NAMES, perEpisode: EXPERIMENTS_PER_EPISODE },
  verdicts: { names: VERDICT_KINDS, perEpisode: VERDICTS_PER_EPISODE },
  labs: { names: LAB_VERB_NAMES, perEpisode: LAB_CALLS_PER_EPISODE },
} as const;

const { progress, workerUrl } = workerData as { progress: Int32Array; workerUrl: string };
const port = parentPort!;

/** A lab in its own thread, or on this one. */
const open = (inWorker: boolean) => () => createLab(inWorker ? { workerUrl: new URL(workerUrl) } : {});

async function run({ kind, seed, episode, calls, verbs, replay }: Task): Promise<Table> {
  const names = verbs.length > 0 ? verbs : KINDS[kind].names;
  const table = newTable(KINDS[kind].names);
  const last = calls - 1;
  const fault = (verb: string, number: number, { message }: Fault): void => {
    if (!replay || number >= last) port.postMessage({ type: 'fault', kind, seed, episode, number, verb, message });
  };
  const report: Report = {
    onCall: (number) => {
      progress[0] = episode;
      progress[1] = number;
      progress[2]!++;
    },
    onFault: fault,
    ...(replay ? { onArguments: (verb, number, args) => number === last && console.log(shown(verb, args)) } : {}),
  };
  const onRejection = (error: unknown): void => {
    fault('unhandled rejection', progress[1]!, new Fault(String((error as Error)?.stack ?? error)));
  };
  process.on('unhandledRejection', onRejection);
  if (kind === 'calls') await new CallFuzzer(report, table, names).episode(seed, episode, calls);
  else if (kind === 'labs')
    await new LabFuzzer(report, table, names, open(episode % 2 === 1)).episode(seed, episode, calls);
  else if (kind === 'experiments')
    await new ExperimentFuzzer(report, table, names).episode(seed, episode, calls, replay ? last : 0);
  else if (kind === 'checkpoints')
    await new CheckpointFuzzer(report, table, names).episode(seed, episode, calls, replay ? last : 0);
  else if (kind === 'verdicts')
    await new VerdictFuzzer(report, table, names).episode(seed, episode, calls, replay ? last : 0);
  else await new FileFuzzer(report, table, names).episode(seed, episode, calls, replay ? last : 0);
  process.off('unhandledRejection', onRejection);
  return table;
}

/** Reports a value without running its code. */
function shown(verb: string, args: readonly unknown[]): string {
  const options = { depth: 5, showProxy: true, maxArrayLength: 12, maxStringLength: 100, getters: false };
  return `${verb}(${args.map((argument) => inspect(argument, options)).join(', ')})`;
}

port.on('message', (task: Task) => {
  void run(task).then(
    (table) => port.postMessage({ type: 'done', table }),
    (error: unknown) => {
      const { kind, seed, episode } = task;
      const message = `the episode could not be done: ${String((error as Error)?.stack ?? error)}`;
      port.postMessage({ type: 'fault', kind, seed, episode, number: progress[1], verb: 'the fuzzer', message });
      port.postMessage({ type: 'done', table: newTable(KINDS[task.kind].names) });
    },
  );
});
port.postMessage({ type: 'ready', kinds: KINDS });
