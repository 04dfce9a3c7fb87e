import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../../charts/index.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import type { TransformerArm } from '../run.js';
import { heldOutAt, lossAt } from '../readings.js';

const nats = (value: number | null): string => (value === null ? '–' : formatNumber(value, { decimals: 3 }));

export interface ArmNumber {
  readonly name: string;
  readonly value: string;
}

/** The facts shown of an arm at a step: parameters, loss, held-out loss, and speed if it trains here. */
export function numbersOf(texts: TrainingLabStrings, arm: TransformerArm, step: number): ArmNumber[] {
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
      : // Two digits: the machine's other work moves the third.
        [{ name: texts.speedColumn, value: formatWhole(Number(arm.tokensPerSecond.toPrecision(2))) }]),
  ];
}

export const armNumbers = (texts: TrainingLabStrings, arm: TransformerArm, step: number): TemplateResult => html`
  <dl class="arm-numbers">
    ${numbersOf(texts, arm, step).map(
      ({ name, value }) => html`
        <div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>
      `,
    )}
  </dl>
`;
