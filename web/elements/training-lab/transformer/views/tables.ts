import { nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../../charts/index.js';
import { dataTable } from '../../../shared/figure.js';
import { nextStoredStep } from '../../history.js';
import { four } from '../../views/four.js';
import { floorsTable } from '../../views/tables.js';
import type { TransformerArm } from '../arms.js';
import { lossAt, numbersOf, outputShareAt } from '../drawn-values.js';
import type { Shown } from './charts.js';

/** Every drawing as a table: models, floors, records at a few dozen steps, held-out losses, samples. */
export function transformerTables(shown: Shown): (TemplateResult | typeof nothing)[] {
  const { texts, arms, bounds, samples, look, step, viewedStep } = shown;
  const names = arms.map(({ kind }) => texts.arms[kind]);
  const steps: number[] = [];
  for (let at = 1; at <= step; at = nextStoredStep(at)) steps.push(at);
  if (step > 0 && steps.at(-1) !== step) steps.push(step);
  const share = (arm: TransformerArm, at: number): string => {
    const value = outputShareAt(arm, look.shareBy, at);
    return value === null ? '–' : formatNumber(100 * value, { decimals: 1 });
  };
  const [{ heldOut } = { heldOut: { steps: [] } }] = arms;
  return [
    dataTable({
      caption: texts.tableArms,
      head: [
        texts.model,
        texts.parameters,
        texts.batchLoss,
        texts.heldOutLoss,
        ...(arms.some((arm) => arm.tokensPerSecond !== null) ? [texts.speedColumn] : []),
      ],
      rows: arms.map((arm, index) => [
        names[index] ?? '',
        ...numbersOf(texts, arm, viewedStep).map(({ value }) => value),
      ]),
    }),
    bounds === null ? nothing : floorsTable({ texts, bounds }, ['unigram', 'bigram']),
    dataTable({
      caption: texts.tableRecords,
      head: [texts.step, ...names.map(texts.lossOf), ...names.map(texts.shareOf)],
      rows: steps.map((at) => [
        formatWhole(at),
        ...arms.map((arm) => four(lossAt(arm, at))),
        ...arms.map((arm) => share(arm, at)),
      ]),
    }),
    dataTable({
      caption: texts.tableHeldOut,
      head: [texts.step, ...names],
      rows: heldOut.steps.map((at, index) => [formatWhole(at), ...arms.map((arm) => four(arm.heldOut.losses[index]))]),
    }),
    dataTable({
      caption: texts.tableSamples,
      head: [texts.step, texts.prompt, ...names],
      rows: samples.map((sample) => [formatWhole(sample.step), sample.prompt, ...sample.texts]),
    }),
  ];
}
