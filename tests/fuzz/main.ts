/** The fuzzer's thread: runs the episodes from tools/fuzz/pool.mjs and reports its findings. */
import { parentPort, workerData } from 'node:worker_threads';
import { OPTIONAL_MODULES } from '../../web/core/runtime/modules.js';
import { createLab } from '../../web/index.js';
import { CALLS_PER_EPISODE, CallFuzzer } from './calls.js';
import { CHECKPOINTS_PER_EPISODE, CheckpointFuzzer, FORMAT_NAMES } from './checkpoints.js';
import { EXPERIMENT_NAMES, ExperimentFuzzer, EXPERIMENTS_PER_EPISODE } from './experiments.js';
import { FileFuzzer, FILES_PER_EPISODE, READER_NAMES } from './files.js';
import { LAB_CALLS_PER_EPISODE, LAB_VERB_NAMES, LabFuzzer } from './labs.js';
import { newTable, VERB_NAMES, type Report, type Table } from './session.js';
import { shrunkScript, type Fuzzer } from './shrinking.js';
import { Script } from './source.js';
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
  /** The fault whose last call is to be made as simple as it can be. */
  shrinks?: { verb: string; message: string };
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

const MAKE = {
  calls: CallFuzzer,
  files: FileFuzzer,
  checkpoints: CheckpointFuzzer,
  experiments: ExperimentFuzzer,
  verdicts: VerdictFuzzer,
  labs: LabFuzzer,
} as const;
const IN_ORDER: readonly string[] = ['calls', 'labs'];
const loadOf = (kind: Task['kind']): string =>
  kind === 'labs' ? 'createLab()' : `loadCore({ modules: ${JSON.stringify(OPTIONAL_MODULES)} })`;

function fuzzerOf({ kind, episode, verbs }: Task, report: Report, table: Table): Fuzzer {
  const names = verbs.length > 0 ? verbs : KINDS[kind].names;
  const fuzzer = kind === 'labs' ? new LabFuzzer(report, table, names, open(episode % 2 === 1)) : new MAKE[kind](report, table, names); // prettier-ignore
  return { inOrder: IN_ORDER.includes(kind), episode: (...all) => fuzzer.episode(...all) };
}

async function run(task: Task): Promise<Table> {
  const { kind, seed, episode, calls, replay } = task;
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
    script: replay ? new Script(loadOf(kind), last) : null,
  };
  const onRejection = (error: unknown): void => {
    fault('unhandled rejection', progress[1]!, new Fault(String((error as Error)?.stack ?? error)));
  };
  process.on('unhandledRejection', onRejection);
  await fuzzerOf(task, report, table).episode(seed, episode, calls, replay && !IN_ORDER.includes(kind) ? last : 0);
  process.off('unhandledRejection', onRejection);
  if (report.script) console.log(await report.script.text());
  return table;
}

/** Posts the script of the simplest such case. Its fault may be a rejection that nothing handles, which must not end the thread. */
async function shrinkOne(task: Task): Promise<void> {
  const { kind, seed, episode, calls, shrinks } = task;
  process.on('unhandledRejection', () => undefined);
  // Which calls a lab gets depends on which of them ends first, so the verb is called often instead.
  const oftenOnly = kind === 'labs' && LAB_VERB_NAMES.includes(shrinks!.verb);
  const verbs = oftenOnly ? [shrinks!.verb] : task.verbs;
  const failing = { seed, episode, number: oftenOnly ? LAB_CALLS_PER_EPISODE - 1 : calls - 1, ...shrinks! };
  const make = (report: Report): Fuzzer => {
    const beat = (): void => void progress[2]!++;
    return fuzzerOf({ ...task, verbs }, Object.assign(report, { onCall: beat }), newTable(KINDS[kind].names));
  };
  const text = await shrunkScript(failing, make, { load: loadOf(kind) }).catch(
    (error: unknown) => `// ${String(error)}`,
  );
  port.postMessage({ type: 'shrunk', text });
}

port.on('message', (task: Task) => {
  if (task.shrinks) return void shrinkOne(task);
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
