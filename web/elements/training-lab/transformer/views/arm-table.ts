import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../../charts/index.js';
import type { TrainingLabStrings } from '../../training-lab.strings.js';
import { armClass } from '../../views/arm-style.js';
import type { TransformerArm } from '../arms.js';
import { heldOutAt, lossAt } from '../readings.js';

const nats = (value: number | null): string => (value === null ? '–' : formatNumber(value, { decimals: 3 }));

export interface ArmRow {
  readonly name: string;
  readonly arm: TransformerArm;
  readonly cells: readonly string[];
}

/** What is told of each arm at a step: parameters, loss, held-out loss, speed. */
export function armRows(texts: TrainingLabStrings, arms: readonly TransformerArm[], step: number): ArmRow[] {
  return arms.map((arm) => {
    const heldOut = heldOutAt(arm, step);
    const speed = arm.tokensPerSecond;
    return {
      name: texts.kinds[arm.kind],
      arm,
      cells: [
        arm.parameters === 0 ? '–' : formatWhole(arm.parameters),
        nats(lossAt(arm, step)),
        heldOut === null
          ? '–'
          : heldOut.step === step
            ? nats(heldOut.loss)
            : texts.heldOutAt(nats(heldOut.loss), formatWhole(heldOut.step)),
        speed === null ? '–' : formatWhole(Number(speed.toPrecision(2))),
      ],
    };
  });
}

export const armHead = (texts: TrainingLabStrings): string[] => [
  texts.parameters,
  texts.batchLoss,
  texts.heldOutLoss,
  texts.speedColumn,
];

/** Both models in two rows. */
export function armTable(texts: TrainingLabStrings, arms: readonly TransformerArm[], step: number): TemplateResult {
  return html`
    <table class="arm-table">
      <caption class="visually-hidden">
        ${texts.armsTable}
      </caption>
      <thead>
        <tr>
          <td></td>
          ${armHead(texts).map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${armRows(texts, arms, step).map(
          ({ name, arm, cells }) => html`
            <tr>
              <th scope="row" class=${armClass[arm.kind]}>${name}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
