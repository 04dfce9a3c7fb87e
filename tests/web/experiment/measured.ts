/** Experiments whose trained models are kept, for tests that compare a metric with the verbs. */
import type { Core, ExperimentRecords, ExperimentResult, Trainer } from '../../../web/index.js';

const between = ['tied.embedding', 'untied.embedding'] as const;
/** Keeps the trained models. */
export const kept = { metric: 'alignment', between } as const;

/** Runs an experiment; its records, the trained models by arm, and a metric's value. */
export async function measuredBy(core: Core, spec: Parameters<Core['runExperiment']>[0]) {
  const models = new Map<string, Trainer>();
  const onResult = ({ run, model }: ExperimentResult) => {
    if (model !== null) models.set(run.arm, core.loadTrainer(model));
  };
  const records = await core.runExperiment(spec, { onResult });
  return {
    records,
    models,
    valueOf: (arm: string, metric: string, step?: number) => valueIn(records, arm, metric, step),
  };
}

function valueIn(
  { runs, metrics }: ExperimentRecords,
  arm: string,
  metric: string,
  step?: number,
): number | null | undefined {
  const { id } = runs.find((run) => run.arm === arm)!;
  return metrics.find((row) => row.id === id && row.metric === metric && (step ?? row.step) === row.step)?.value;
}
