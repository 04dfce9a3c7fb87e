/** A run of many steps, in parts. */
import { STEP_RECORD } from '../generated/records.js';
import type { Answer } from '../runtime/answer.js';
import { TiedError } from '../runtime/errors.js';
import type { HeldTrainer, Partners } from './held-trainer.js';
import { goTo } from './replay.js';
import type { ModelConfig, RunOptions, StepColumns, StepRecord } from '../types.js';
import { checkBoolean, checkInteger, checkOptions, LISTENING } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import { within, type Progress, type Work } from '../runtime/work.js';

/** Steps per call into the core: bounds its records and the time between two reports. */
const MAX_STEPS_PER_CALL = 4096;

/** Upper limit of the records of one run: a few hundred megabytes, far more than any plot shows. */
export const MAX_RECORDS = 1_000_000;

type Model = Readonly<ModelConfig>;
/** Public names of what a record says of the third role of the model's tables, if they have one. */
function namesOfThird({
  kind,
  valueEmbeddings,
}: Model): readonly [norm: keyof StepRecord, drift: keyof StepRecord] | null {
  if (valueEmbeddings !== undefined) return ['valueGradientNorm', 'valueEmbeddingDrift'];
  return kind === 'encoder-decoder' ? ['encoderGradientNorm', 'encoderEmbeddingDrift'] : null;
}

export function recordsOf(answer: Answer, tokensPerSecond: number, model: Model): StepRecord[] {
  const names = namesOfThird(model);
  return answer.read([STEP_RECORD]).map(({ thirdGradientNorm, thirdDrift, ...record }) => ({
    ...record,
    ...(names && { [names[0]]: thirdGradientNorm, [names[1]]: thirdDrift }),
    tokensPerSecond,
  }));
}

export function columnsOf(records: readonly StepRecord[], model: Model): StepColumns {
  const ofAll = Object.keys(STEP_RECORD).filter((name) => !name.startsWith('third'));
  const names = [...ofAll, ...(namesOfThird(model) ?? []), 'tokensPerSecond'] as (keyof StepRecord)[];
  return Object.fromEntries(
    names.map((name) => [name, Float64Array.from(records, (record) => record[name]!)]),
  ) as unknown as StepColumns;
}

export interface CheckedRun {
  steps: number;
  recordEvery: number;
  columns: boolean;
}

type News = [fraction: number, record: StepRecord];

export const run = verb({
  what: 'run',
  optionsAt: 1,
  changes: true,
  check(steps: unknown, options: RunOptions = {}): CheckedRun {
    const someSteps = checkInteger('steps', steps, 0, Number.MAX_SAFE_INTEGER);
    const given = checkOptions('options', options, [...LISTENING, 'recordEvery', 'columns']);
    const { recordEvery = 1, columns = false } = given;
    checkInteger('options.recordEvery', recordEvery, 1);
    checkBoolean('options.columns', columns);
    const records = Math.ceil(someSteps / recordEvery);
    if (records > MAX_RECORDS) {
      throw new TiedError(
        'invalid-argument',
        `steps is ${someSteps} with options.recordEvery ${recordEvery}, which makes ${records} records; ` +
          `expected at most ${MAX_RECORDS}, so options.recordEvery of at least ${Math.ceil(someSteps / MAX_RECORDS)}`,
      );
    }
    return { steps: someSteps, recordEvery, columns };
  },
  work: (trainer: HeldTrainer, checked, listened) => train(trainer, checked, listened),
  // Only a listener can abort a core's run, so it runs straight to the next report.
  parts: ({ steps, recordEvery }, listened) => (listened ? recordEvery : steps),
});

/** Its records are added to `records`, also if it ends early. */
export function* train(
  trainer: HeldTrainer,
  checked: CheckedRun,
  listened: boolean,
  records: StepRecord[] = [],
): Work<StepRecord[] | StepColumns, News> {
  // A run of zero steps never calls the core.
  trainer.handle.check();
  const { columns, recordEvery } = checked;
  const runSteps = (steps: number, recordLast: boolean, start: number): StepRecord[] => {
    trainer.change();
    return trainer.handle.call(
      [],
      (module, at) => module.run(at, steps, recordEvery, recordLast),
      (answer) => {
        const seconds = Math.max(performance.now() - start, 1e-3) / 1000;
        return recordsOf(answer, (steps * trainer.tokensPerStep) / seconds, trainer.model);
      },
    );
  };
  const wayBack = (): Work<void> =>
    goTo(
      trainer,
      trainer.handle.get((module, at) => module.furthestStep(at)),
    );
  yield* runInParts(checked, listened, { runSteps, wayBack, partners: trainer.partners }, records);
  return columns ? columnsOf(records, trainer.model) : records;
}

export interface Running {
  /**
   * Runs some steps and returns the records of multiples of `recordEvery`, and of the last step if asked. `start`: when partners began with
   * the first of them.
   */
  runSteps(steps: number, recordLast: boolean, start: number): StepRecord[];
  /** Returns a trainer from a failed step to the last one whose loss was finite; then the run throws. */
  wayBack(): Work<void>;
  partners: Partners | null;
}

export function* runInParts(
  { steps, recordEvery }: Pick<CheckedRun, 'steps' | 'recordEvery'>,
  listened: boolean,
  { runSteps, wayBack, partners }: Running,
  records: StepRecord[],
): Work<void, News> {
  let done = 0;
  /** The newest record, even if `records` does not include it. */
  let newest: StepRecord | null = null;
  /** Whether the newest step was shared with partners. */
  let shared = false;
  const at = (): Progress<News> => {
    const [fraction, record] = [steps === 0 ? 1 : done / steps, newest];
    return {
      done: fraction,
      ...(shared && { parts: 1 }),
      news: () => record && [fraction, record],
      where: ` after ${done} of ${steps} steps`,
    };
  };
  let parts = yield at();
  while (done < steps) {
    const start = performance.now();
    shared = partners !== null && (yield* within(partners.give(), at));
    const some = shared ? 1 : Math.min(parts, steps - done, MAX_STEPS_PER_CALL);
    const last = done + some === steps;
    let found: StepRecord[];
    try {
      found = runSteps(some, last || listened, start);
    } catch (error) {
      if (!(error instanceof TiedError) || error.code !== 'not-finite') throw error;
      try {
        yield* within(wayBack(), at);
      } catch {
        throw error;
      }
      throw error;
    }
    partners?.stepped(some);
    done += some;
    newest = found.at(-1) ?? newest;
    const unasked = listened && !last && found.length > 0 && found.at(-1)!.step % recordEvery !== 0;
    for (const record of unasked ? found.slice(0, -1) : found) records.push(record);
    parts = yield at();
  }
}
