import { formatNumber, formatWhole, smoothAt } from '../../../charts/index.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import type { TransformerArm } from './arms.js';
import type { ShareDefinition } from './settings.js';

/** The maximum number of steps that a smoothed line averages over. */
export const smoothingWindow = 25;

/** A loss as it is drawn: the mean of the batches around an index; index 0 is step 1. */
export const smoothed = (values: ArrayLike<number>, index: number): number =>
  smoothAt(values, index, smoothingWindow, true);

/** The output part's share in percent, as drawn, computed from the shares of the input part. */
export const outputPercent = (values: ArrayLike<number>, index: number): number => 100 * (1 - smoothed(values, index));

/** The smoothed loss at a step; null before the first and after the last. */
export function lossAt(arm: TransformerArm, step: number): number | null {
  return step < 1 || step > arm.losses.length ? null : smoothed(arm.losses.values(), step - 1);
}

/** The output part's share at exactly this step, 0 to 1; null before the first. */
export function outputShareAt(arm: TransformerArm, definition: ShareDefinition, step: number): number | null {
  const share = arm.inputShares[definition].at(step - 1);
  return share === null ? null : 1 - share;
}

/** The step, up to `step`, at which the output part had its largest share. */
export function largestOutputShare(
  arm: TransformerArm,
  definition: ShareDefinition,
  step: number,
): { step: number; share: number } | null {
  const values = arm.inputShares[definition].values().subarray(0, step);
  let best = -1;
  values.forEach((value, index) => {
    if (best < 0 || value < (values[best] ?? Number.POSITIVE_INFINITY)) best = index;
  });
  return best < 0 ? null : { step: best + 1, share: 1 - (values[best] ?? Number.NaN) };
}

/** The newest measurement on held-out text up to a step. */
export function heldOutAt({ heldOut }: TransformerArm, step: number): { step: number; loss: number } | null {
  for (let index = heldOut.steps.length - 1; index >= 0; index -= 1) {
    const at = heldOut.steps[index] ?? Number.POSITIVE_INFINITY;
    if (at <= step) return { step: at, loss: heldOut.losses[index] ?? Number.NaN };
  }
  return null;
}

const nats = (value: number | null): string => (value === null ? '–' : formatNumber(value, { decimals: 3 }));

/** The facts shown of an arm at a step: parameters, loss, held-out loss, and speed if it trains here. */
export function numbersOf(
  texts: TrainingLabStrings,
  arm: TransformerArm,
  step: number,
): { name: string; value: string }[] {
  const heldOut = heldOutAt(arm, step);
  return [
    { name: texts.parameters, value: formatWhole(arm.parameters) },
    { name: texts.batchLoss, value: nats(lossAt(arm, step)) },
    {
      name:
        heldOut === null || heldOut.step === step ? texts.heldOutLoss : texts.heldOutLossAt(formatWhole(heldOut.step)),
      value: nats(heldOut?.loss ?? null),
    },
    ...(arm.tokensPerSecond === null
      ? []
      : // Two digits: other load on the machine moves the third.
        [{ name: texts.speedColumn, value: formatWhole(Number(arm.tokensPerSecond.toPrecision(2))) }]),
  ];
}
