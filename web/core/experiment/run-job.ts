/** Trains the model of one job and measures it along the way. */
import { TiedError } from '../runtime/errors.js';
import type { ExperimentJob, ExperimentMetric, ExperimentResult, ExperimentRun, ExperimentState } from './types.js';
import type { AnyModel } from '../model/model-options.js';
import type { LabTrainer, ModelConfig, StepColumns } from '../types.js';
import { sha256Of } from './canonical.js';
import { nameOf, optionsOf } from './check-measure.js';
import { isOfModel } from './faults.js';
import { createTrainer, moved } from './job-trainer.js';
import { tableOf, without, type ExperimentHost, type MeasuredPairs, type MeasuredText } from './metric-kinds.js';
import { METRICS } from './metrics.js';
import { asRead, littleEndian, type Opened, type OpenedText } from './read-text.js';
import { stepsOf } from './schedule.js';

/** Steps between pauses, in which a core's thread can do other work and receive a cancellation. */
const STEPS_AT_A_TIME = 64;

export interface JobOptions {
  readonly signal: { signal?: AbortSignal };
  /** Steps done. */
  readonly onSteps: (steps: number) => void;
  /** The state in which an earlier run of the job was stopped. */
  readonly state?: ExperimentState | null;
  /** Called between steps, with a function that returns the state of the job. */
  readonly onMoment?: (state: () => Promise<ExperimentState>) => Promise<void>;
}

/** The measures at each step, in the order of the file. */
type Plan = Map<
  number,
  { readonly name: (part: string) => string; readonly measure: ExperimentJob['measure'][number] }[]
>;

/** Trains and measures. A run that diverges is a result too, with its error; errors not caused by the model end the experiment. */
export async function runJob(
  host: ExperimentHost,
  job: ExperimentJob,
  opened: Opened,
  options: JobOptions,
): Promise<ExperimentResult> {
  const data = asRead(opened, job);
  const startedAt = new Date().toISOString();
  // Not wall-clock time, which can be set back.
  const began = performance.now();
  let { state = null } = options;
  const metrics: ExperimentMetric[] = [];
  const secondsDone = (): number => (state?.seconds ?? 0) + (performance.now() - began) / 1000;
  const facts: Pick<ExperimentRun, 'd_model' | 'n_layers' | 'parameters' | 'weights_sha256'> = {
    d_model: null,
    n_layers: null,
    parameters: null,
    weights_sha256: null,
  };
  let model: Uint8Array | null = null;
  let error: string | null = null;
  try {
    const resumed = state && (await trainerOf(host, state));
    if (state !== null && resumed === null) {
      options.onSteps(-state.step);
      state = null;
    }
    metrics.push(...(state?.metrics ?? []));
    let trainer = resumed ?? (await createTrainer(host, job, data));
    try {
      facts.d_model = trainer.model.dModel;
      facts.n_layers = layersOf(trainer.model);
      facts.parameters = (await trainer.parameters()).reduce((sum, { count }) => sum + count, 0);
      const onMoment = async (step: number): Promise<void> =>
        options.onMoment?.(async () => ({
          step,
          metrics: [...metrics],
          model: await trainer.save(),
          seconds: secondsDone(),
        }));
      const current = (): LabTrainer => trainer;
      const move = async (): Promise<void> => {
        trainer = await moved(host, job, data as OpenedText, trainer);
      };
      await trainAndMeasure(host, job, data, metrics, { ...options, state, current, move, onMoment });
      facts.weights_sha256 = await hashOfWeights(trainer);
      if (job.keepsModel) model = await trainer.save();
    } finally {
      trainer.dispose();
    }
  } catch (cause) {
    if (!isOfModel(cause)) throw cause;
    error = cause.message;
  }
  const { id, experiment, specHash, arm, seed, point, tokenizer, training } = job;
  const run: ExperimentRun = {
    id,
    experiment,
    spec_hash: specHash,
    arm,
    tying: typeof job.model.tying === 'string' ? job.model.tying : JSON.stringify(job.model.tying),
    vocab_size: data.vocabSize,
    ...facts,
    seed,
    point: JSON.stringify(point),
    tokenizer: tokenizer === null ? null : JSON.stringify(tokenizer),
    text_sha256: data.sha256,
    steps: training.steps,
    started_at: startedAt,
    seconds: secondsDone(),
    status: error === null ? 'done' : 'failed',
    error,
    package_version: host.version,
    engine: host.simd === 'relaxed' ? 'wasm-relaxed' : 'wasm-simd128',
    cpu: cpuName(),
  };
  return { run, metrics, model };
}

/** Null for a state that is damaged, or of another version: the job then starts from the beginning, as without a state. */
async function trainerOf(host: ExperimentHost, { model }: ExperimentState): Promise<LabTrainer | null> {
  try {
    return await host.loadTrainer(model);
  } catch (error) {
    if (error instanceof TiedError && error.code === 'bad-file') return null;
    throw error;
  }
}

interface NodeOs {
  cpus(): readonly { readonly model: string }[];
}

let cpu: string | null | undefined;

/** The platform's name for its CPU; null in browsers, which do not reveal it. */
function cpuName(): string | null {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): NodeOs | undefined } };
  // Cached, because on machines with many cores the query takes milliseconds.
  cpu ??= process?.getBuiltinModule?.('node:os')?.cpus()[0]?.model.trim() || null;
  return cpu;
}

/** Number of layers; for an encoder-decoder, of both stacks. */
function layersOf(model: Readonly<ModelConfig>): number | null {
  const { nLayers, nEncoderLayers, nDecoderLayers } = model as Partial<AnyModel>;
  const found = [nLayers, nEncoderLayers, nDecoderLayers].filter((one) => one !== undefined);
  return found.length === 0 ? null : found.reduce((sum, one) => sum + one, 0);
}

function planOf({ measure, training }: ExperimentJob, of: 'step' | 'model'): Plan {
  const plan: Plan = new Map();
  for (const [i, one] of measure.entries()) {
    const isRecord = METRICS[one.metric]!.of === 'step';
    if (isRecord !== (of === 'step')) continue;
    for (const step of stepsOf(one, `spec.measure[${i}]`, training.steps, isRecord ? 1 : 0)) {
      const entry = { name: nameOf(one), measure: one };
      const before = plan.get(step) ?? [];
      // What two measures ask for is measured once.
      if (before.every(({ name }) => name('') !== entry.name(''))) plan.set(step, [...before, entry]);
    }
  }
  return plan;
}

/** What a measure reads at a step: the model as it is then, and the data, or the text that the measure names. */
function measuredAt(
  step: number,
  { measure, then }: { measure: ExperimentJob['measure'][number]; then: ExperimentJob['then'] },
  { host, trainer, signal }: Pick<MeasuredText, 'host' | 'trainer' | 'signal'>,
  opened: Opened,
): MeasuredText & MeasuredPairs {
  const data = opened.reads === 'text' && measure.on === 'second' ? opened.next! : opened;
  const { tokenizer, counts } = data;
  const about = { host, trainer, tokenizer, counts, stepsBefore: step - trainer.step, signal };
  const of: MeasuredText | MeasuredPairs =
    data.reads === 'pairs'
      ? { ...about, pairs: data }
      : { ...about, text: data, ...(then === undefined ? {} : { evaluated: data.heldOut }) };
  // The experiment's checks ensure that a metric fits what the job reads.
  return of as MeasuredText & MeasuredPairs;
}

interface Training extends Omit<JobOptions, 'onMoment'> {
  /** The trainer, another one after a move. */
  readonly current: () => LabTrainer;
  readonly move: () => Promise<void>;
  readonly onMoment: (step: number) => Promise<void>;
}

async function trainAndMeasure(
  host: ExperimentHost,
  job: ExperimentJob,
  opened: Opened,
  metrics: ExperimentMetric[],
  { signal, onSteps, onMoment, state, current, move }: Training,
): Promise<void> {
  const { steps } = job.training;
  const { then } = job;
  const [records, moments] = [planOf(job, 'step'), planOf(job, 'model')];
  const stops = [...moments.keys(), then?.afterSteps ?? steps];
  const rowOf = (step: number, name: string) => ({ id: job.id, step, metric: name, layer: null, band: null });
  for (let step = state?.step ?? 0; ;) {
    for (const { name, measure } of moments.get(step) ?? []) {
      const metric = METRICS[measure.metric]!;
      const options = without(optionsOf(measure), 'on');
      const { table = 'embedding' } = measure;
      const trainer = current();
      const model = measuredAt(step, { measure, then }, { host, trainer, signal }, opened);
      const rows =
        metric.of === 'table'
          ? await metric.measure(model, await tableOf(trainer, table), options, table)
          : metric.of === 'model'
            ? await metric.measure(model, options)
            : [];
      for (const { part, ...row } of rows) metrics.push({ ...rowOf(step, name(part)), ...row });
    }
    if (step >= steps) return;
    // After the measures of this step, and after a state was saved: a run that resumes here is moved, too.
    if (step === then?.afterSteps) await move();
    const next = Math.min(steps, step + STEPS_AT_A_TIME, ...stops.filter((stop) => stop > step));
    const trainer = current();
    const before = step - trainer.step;
    const columns: StepColumns = await trainer.run(next - step, { columns: true, ...signal });
    for (const [index, own] of columns.step.entries()) {
      const at = before + own;
      for (const { name, measure } of records.get(at) ?? []) {
        const metric = METRICS[measure.metric]!;
        if (metric.of !== 'step') continue;
        for (const { part, unit, of } of metric.values) {
          const value = of(columns, index);
          metrics.push({ ...rowOf(at, name(part)), value: Number.isFinite(value) ? value : null, unit });
        }
      }
    }
    onSteps(next - step);
    step = next;
    await onMoment(step);
    await pause(signal.signal);
  }
}

/** Lets other work on this thread run, and its cancellations arrive. */
async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (signal?.aborted === true)
    throw new TiedError('cancelled', 'the experiment was cancelled', { cause: signal.reason });
}

/** A hash of a trained model's weights: equal if two machines computed the same bits. */
export async function hashOfWeights(trainer: Pick<LabTrainer, 'parameters' | 'matrix'>): Promise<string> {
  const parts: Uint8Array[] = [];
  for (const { name, tiedTo } of await trainer.parameters()) {
    if (tiedTo === null) parts.push(littleEndian((await trainer.matrix(name)).data));
  }
  return sha256Of(...parts);
}
