/** Trains the model of one job and measures it along the way. */
import { TiedError } from '../runtime/errors.js';
import type { ExperimentJob, ExperimentMetric, ExperimentResult, ExperimentRun, ExperimentState } from './types.js';
import type { AnyModel } from '../model/model-options.js';
import type { EncoderDecoderConfig, LabTrainer, ModelConfig, StepColumns, TrainingConfig } from '../types.js';
import { sha256Of } from './canonical.js';
import { nameOf, optionsOf } from './check-measure.js';
import { isOfModel } from './faults.js';
import { tableOf, type ExperimentHost, type MeasuredPairs, type MeasuredText } from './metric-kinds.js';
import { METRICS } from './metrics.js';
import { inDirection, littleEndian, type Opened } from './read-text.js';
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
  const data = inDirection(opened, job.direction);
  const startedAt = new Date().toISOString();
  // Not wall-clock time, which can be set back.
  const began = performance.now();
  const { state = null } = options;
  const metrics: ExperimentMetric[] = [...(state?.metrics ?? [])];
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
    const trainer = state === null ? await createTrainer(host, job, data) : await host.loadTrainer(state.model);
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
      const { counts } = data;
      const { tokenizer } = data.reads === 'text' ? data.corpus : data;
      const about = { host, trainer, tokenizer, counts, signal: options.signal };
      const measured = data.reads === 'text' ? { ...about, text: data } : { ...about, pairs: data };
      await trainAndMeasure(measured, job, metrics, { ...options, onMoment });
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

async function createTrainer(
  host: ExperimentHost,
  { model, training, seed }: ExperimentJob,
  text: Opened,
): Promise<LabTrainer> {
  const options = Object.fromEntries(Object.entries(training).filter(([name]) => name !== 'steps'));
  const config = {
    model: { ...model, vocabSize: text.vocabSize } as ModelConfig,
    training: { ...options, seed } as unknown as TrainingConfig,
  };
  if (text.reads === 'pairs') {
    return host.createTrainer({
      model: { ...text.lengths, ...config.model } as EncoderDecoderConfig,
      training: config.training,
      pairs: text.training,
      ...(text.heldOut.source.length === 0 ? {} : { validationPairs: text.heldOut }),
      tokenizer: text.tokenizer,
    });
  }
  if (config.model.kind === 'direct-path' && options['batchSize'] === undefined) {
    return host.createTrainer({ ...config, bigramCounts: await text.pairs() });
  }
  const heldOut = text.heldOut.length < 2 ? {} : { validationTokenIds: text.heldOut };
  // With a tokenizer, losses are also given in bits per byte.
  const { tokenizer } = text.corpus;
  return host.createTrainer({
    ...config,
    tokenIds: text.training,
    ...heldOut,
    ...(tokenizer === null ? {} : { tokenizer }),
  });
}

function planOf({ measure, training }: ExperimentJob, of: 'step' | 'model'): Plan {
  const plan: Plan = new Map();
  for (const [i, one] of measure.entries()) {
    const isRecord = METRICS[one.metric]!.of === 'step';
    if (isRecord !== (of === 'step')) continue;
    for (const step of stepsOf(one, `spec.measure[${i}]`, training.steps, isRecord ? 1 : 0)) {
      const before = plan.get(step);
      const entry = { name: nameOf(one), measure: one };
      if (before === undefined) plan.set(step, [entry]);
      else before.push(entry);
    }
  }
  return plan;
}

async function trainAndMeasure(
  measured: MeasuredText | MeasuredPairs,
  job: ExperimentJob,
  metrics: ExperimentMetric[],
  { signal, onSteps, onMoment, state }: Omit<JobOptions, 'onMoment'> & { onMoment: (step: number) => Promise<void> },
): Promise<void> {
  const { trainer } = measured;
  const { steps } = job.training;
  const [records, moments] = [planOf(job, 'step'), planOf(job, 'model')];
  const rowOf = (step: number, name: string) => ({ id: job.id, step, metric: name, layer: null, band: null });
  for (let step = state?.step ?? 0; ;) {
    for (const { name, measure } of moments.get(step) ?? []) {
      const metric = METRICS[measure.metric]!;
      const options = optionsOf(measure);
      const { table = 'embedding' } = measure;
      // The experiment's checks ensure that a metric fits what the job reads.
      const model = measured as MeasuredText & MeasuredPairs;
      const rows =
        metric.of === 'table'
          ? await metric.measure(model, await tableOf(trainer, table), options, table)
          : metric.of === 'model'
            ? await metric.measure(model, options)
            : [];
      for (const { part, ...row } of rows) metrics.push({ ...rowOf(step, name(part)), ...row });
    }
    if (step >= steps) return;
    const next = Math.min(steps, step + STEPS_AT_A_TIME, ...[...moments.keys()].filter((moment) => moment > step));
    const columns: StepColumns = await trainer.run(next - step, { columns: true, ...signal });
    for (const [index, at] of columns.step.entries()) {
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
