import { html, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { columnsTable } from '../shared/figure.js';
import { wholePercent } from '../shared/in-words.js';
import { pointAt, secondsPerStep, shareOfTime, shareOfWork, targetOf, type ArmRun, type HeadMacs } from './race.js';
import { nats, type RaceView } from './scatter.js';

const none = '–';

/** The drawings as tables: every model's loss at equal steps and at equal time, and costs. */
export function raceData({ texts, race, costs }: RaceView): TemplateResult {
  const tying = (head: HeadMacs['head'], kind: 'tied' | 'untied'): ArmRun | undefined =>
    race?.arms.find((arm) => arm.head === head && arm.tying === kind);
  const milliseconds = (arm: ArmRun | undefined): string => {
    const seconds = arm === undefined ? null : secondsPerStep(arm);
    return seconds === null ? none : formatNumber(1000 * seconds, { decimals: 1 });
  };
  const share = (head: HeadMacs['head'], kind: 'tied' | 'untied'): string => {
    const found = race === null ? null : shareOfTime(race, { head, tying: kind });
    return found === null ? none : wholePercent(found);
  };
  const [head, macs, whole, counted, tiedMs, untiedMs, tiedShare, untiedShare] = texts.dataCostHead;
  return html`
    ${race === null ? '' : losses(race)}
    ${columnsTable<HeadMacs>({
      caption: texts.dataCosts,
      items: costs,
      columns: [
        [head!, (cost) => texts.heads[cost.head]],
        [macs!, (cost) => formatWhole(cost.macs)],
        [whole!, (cost) => formatWhole(cost.macs + cost.layers)],
        [counted!, (cost) => wholePercent(shareOfWork(costs, cost.head))],
        [tiedMs!, (cost) => milliseconds(tying(cost.head, 'tied'))],
        [untiedMs!, (cost) => milliseconds(tying(cost.head, 'untied'))],
        [tiedShare!, (cost) => share(cost.head, 'tied')],
        [untiedShare!, (cost) => share(cost.head, 'untied')],
      ],
    })}
  `;

  function losses(of: NonNullable<RaceView['race']>): TemplateResult {
    const [doneSteps, time] = [targetOf(of, 'steps', 1), targetOf(of, 'time', 1)];
    const atSteps = (arm: ArmRun) => pointAt(arm, 'steps', doneSteps);
    const atTime = (arm: ArmRun) => pointAt(arm, 'time', time);
    const [name, steps, loss, stepsInTime, seconds, lossInTime, lost] = texts.dataHead;
    return columnsTable<ArmRun>({
      caption: texts.dataLosses,
      items: of.arms,
      columns: [
        [name!, (arm) => texts.armName(texts.heads[arm.head], texts.tyings[arm.tying])],
        [steps!, (arm) => formatWhole(atSteps(arm)?.steps ?? 0)],
        [loss!, (arm) => nats(atSteps(arm)?.loss ?? NaN)],
        [stepsInTime!, (arm) => formatWhole(atTime(arm)?.steps ?? 0)],
        [seconds!, (arm) => formatNumber(atTime(arm)?.seconds ?? 0, { decimals: 2 })],
        [lossInTime!, (arm) => nats(atTime(arm)?.loss ?? NaN)],
        [lost!, (arm) => formatNumber(100 * (atTime(arm)?.lost ?? 0), { decimals: 1 })],
      ],
    });
  }
}
