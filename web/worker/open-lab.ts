/** The lab: the core's verbs as promises, in a worker where the page allows one. */
import { cardOf } from '../core/diagnostics/model-card/card-of.js';
import type { Decoder } from '../core/checkpoint/decoder.js';
import { blankParameters, checkpointOf, type OpeningArguments } from '../core/checkpoint/opening.js';
import type { ExperimentHost } from '../core/experiment-runner.js';
import { TiedError } from '../core/runtime/errors.js';
import { checkLoadOptions } from '../core/runtime/load-options.js';
import { compileCore, type CompiledCore, type ModuleSource } from '../core/runtime/module-source.js';
import { disposeSymbol } from '../core/runtime/symbols.js';
import type {
  CompareControls,
  CompareOptions,
  ExperimentOptions,
  ExperimentSpec,
  Lab,
  LabComparison,
  LabCorpus,
  LabOptions,
  ParameterInfo,
  Tokenizer,
  Trainer,
} from '../core/types.js';
import { checkInteger, checkUrl } from '../core/runtime/validate.js';
import type { LabTeams, LeadWorker } from './lab-teams.js';
import { CORE_TARGET, type OnNews, type TeamNews, type TrainerValue } from './protocol.js';
import { LabClient, verbs } from './lab-client.js';
import { compareInLab } from './lab-comparison.js';
import { experimentInLab } from './lab-experiment.js';
import { kindsInLab } from './lab-kinds.js';
import { LabModules } from './lab-modules.js';
import { sumsInLab } from './lab-sums.js';
import { MAX_THREADS, maxWorkers } from './machine.js';
import { trainersInLab } from './lab-trainers.js';
import type { Listener } from '../core/runtime/verb-options.js';
import { CORE_VERBS } from './verb-facts.values.js';
import { startWorker, type StartedBackend } from './worker-backend.js';
import { WorkerPool, type PoolMember } from './worker-pool.js';

/** Opens a lab with modules from `source`, the only difference between the package's two entries. */
export async function openLab(source: (options: LabOptions) => ModuleSource, options: LabOptions = {}): Promise<Lab> {
  const given = checkLoadOptions(options, ['workerUrl', 'threads']);
  const workerUrl = given.workerUrl === undefined ? undefined : checkUrl('options.workerUrl', given.workerUrl);
  const threads =
    given.threads === undefined
      ? maxWorkers(MAX_THREADS)
      : checkInteger('options.threads', given.threads, 1, MAX_THREADS);
  // Invalid options, and engines without the build, are refused before a worker is started.
  const modules = source(given);
  const compiling = compileCore(modules, given.modules);
  // A failure is reported where the core is awaited, which may be later than it occurs.
  compiling.catch(() => undefined);
  // The worker's script loads while the core compiles.
  const listeners = new Map<number, Listener>();
  const onNews = (ticket: number, news: unknown[]): void => listeners.get(ticket)?.(...news);
  let teams: Promise<LabTeams> | null = null;
  const hear = async (lead: LeadWorker, target: number, news: TeamNews): Promise<void> => {
    if (threads === 1) return;
    teams ??= import('./lab-teams.js').then(({ LabTeams }) => new LabTeams(pool, threads));
    try {
      await (await teams).hear(lead, target, news);
    } catch {
      // Without that script, trainers go on alone.
    }
  };
  const inWorker = await startWorker(
    workerUrl,
    compiling,
    onNews,
    (...news) => void hear({ client, closed: backend.closed }, ...news),
  );
  const backend = inWorker ?? (await onSameThread(compiling, onNews));

  let reason: TiedError | null = null;
  void backend.closed.then((why) => (reason ??= why));
  const client = new LabClient(backend, new LabModules(backend, modules, given.modules), listeners, () => reason);
  // Without workers, a second lab would run on the same thread.
  const pool = new WorkerPool(
    () => openMember(workerUrl, compiling, (backend) => new LabModules(backend, modules, given.modules), hear),
    inWorker ? maxWorkers() - 1 : 0,
    inWorker ? threads - 1 : 0,
  );
  const dispose = (): void => {
    if (reason) return;
    reason = new TiedError('disposed', 'the lab has been disposed of; create a new one');
    pool.dispose();
    backend.close(reason);
  };
  void backend.closed.then(() => pool.dispose());
  const facts = { version: backend.version, simd: backend.simd };
  const hostOf = (client: LabClient): ExperimentHost =>
    ({ ...coreVerbs(client), ...facts }) as unknown as ExperimentHost;
  return {
    ...coreVerbs(client),
    ...kindsInLab(client, backend.closed, () => reason),
    ...facts,
    // Frames have exactly the arms that were given.
    compare: async <Name extends string>(
      corpus: LabCorpus,
      what: CompareOptions<Name>,
      controls?: CompareControls<Name>,
    ) => (await compareInLab(client, pool, corpus, what, controls as CompareControls)) as LabComparison<Name>,
    createTrainers: async (list: unknown) => trainersInLab(client, pool, list),
    runExperiment: async (spec: ExperimentSpec, how?: ExperimentOptions) =>
      experimentInLab(client, pool, hostOf, spec, how),
    openCheckpoint: async (...opening: OpeningArguments) => {
      // The file is read here, without the worker, which would refuse.
      if (reason) throw reason;
      return checkpointOf(decoderOf(client, pool), ...opening);
    },
    modelCard: async (...asked: Parameters<typeof cardOf>) => cardOf(...asked),
    mode: inWorker ? 'worker' : 'same-thread',
    get threads() {
      return 1 + pool.size;
    },
    closed: backend.closed,
    dispose,
    [disposeSymbol]: dispose,
  } as unknown as Lab;
}

/** With all of the core's code, which a page that has workers does not load. */
async function onSameThread(compiling: Promise<CompiledCore>, onNews: OnNews): Promise<StartedBackend> {
  const [{ startOnSameThread }, compiled] = await Promise.all([import('./same-thread-backend.js'), compiling]);
  return startOnSameThread(compiled, onNews);
}

/** Another worker with the same core: for the arms of comparisons, and for trainers. */
async function openMember(
  workerUrl: string | undefined,
  compiling: Promise<CompiledCore>,
  modulesOf: (backend: StartedBackend) => LabModules,
  hear: (lead: LeadWorker, target: number, news: TeamNews) => Promise<void>,
): Promise<PoolMember | null> {
  const listeners = new Map<number, Listener>();
  const onNews = (ticket: number, news: unknown[]): void => listeners.get(ticket)?.(...news);
  const backend = await startWorker(
    workerUrl,
    compiling,
    onNews,
    (...news) => void hear(member, ...news),
    'create what it trained again',
  );
  if (!backend) return null;
  let reason: TiedError | null = null;
  const closed = backend.closed.then((why) => (reason ??= why));
  const member: PoolMember = {
    client: new LabClient(backend, modulesOf(backend), listeners, () => reason),
    closed,
    close: () => backend.close(new TiedError('disposed', 'the lab has been disposed of; create a new one')),
  };
  return member;
}

/** Decodes in the worker. */
const decoderOf = (client: LabClient, pool: WorkerPool): Decoder => ({
  ...(coreVerbs(client) as Pick<Lab, 'decodeElements'>),
  startTableSums: (options) => sumsInLab(client, pool, options),
  models: {
    async startModel(options) {
      const value = (await client.callRaw(CORE_TARGET, 'startModel', [options])) as TrainerValue;
      const { id } = value;
      const parameters = (await client.call(id, 'parameters', [])) as ParameterInfo[];
      return {
        parameters: blankParameters(parameters),
        fill: async (name, firstRow, data) => void (await client.call(id, 'fill', [name, firstRow, data])),
        async finish() {
          await client.call(id, 'begin', []);
          // To the lab's caller, it is a trainer of the lab.
          return client.trainer(value) as unknown as Trainer;
        },
        discard: () => client.release(id),
      };
    },
    loadTokenizer: async ({ bytes, ...options }) =>
      (await client.call(CORE_TARGET, 'loadTokenizer', [bytes, options])) as Tokenizer,
  },
});

const coreVerbs = (client: LabClient): object =>
  verbs(CORE_VERBS, (verb, args) => client.call(CORE_TARGET, verb, args));
