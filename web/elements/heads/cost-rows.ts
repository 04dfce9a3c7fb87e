import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { titled } from '../shared/figure.js';
import { wholePercent } from '../shared/in-words.js';
import { twinKinds, type TwinKind } from '../shared/model-twins.js';
import { secondsPerStep, shareOfTime, shareOfWork, type HeadMacs } from './race.js';
import { markOf, type RaceView } from './scatter.js';

/** The mean over the tied and the untied model. */
export function measuredShare(
  { race }: Pick<RaceView, 'race'>,
  head: RaceView['costs'][number]['head'],
): number | null {
  const shares = twinKinds.map((tying) => (race === null ? null : shareOfTime(race, { head, tying })));
  return shares.every((share) => share !== null) ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null;
}

const none = '–';

/** For each head: the counted work as a bar, and the measured time over it. */
export function costPlot(view: RaceView, width: number): Plot {
  const { texts, costs, race } = view;
  const full = costs.find(({ head }) => head === 'full')!;
  const whole = full.macs + full.layers;
  const shareOf = (head: HeadMacs['head'], tying: TwinKind): number | null =>
    race === null ? null : shareOfTime(race, { head, tying });
  // For the full head it is 1, by definition.
  const drawn = (head: HeadMacs['head'], tying: TwinKind) => (head === 'full' ? null : shareOf(head, tying));
  const most = Math.max(0, ...costs.flatMap(({ head }) => twinKinds.map((tying) => drawn(head, tying) ?? 0)));
  const nameOf = ({ head }: HeadMacs): string =>
    isRoomy(width) ? `${texts.heads[head]}: ${texts.headNotes[head]}` : texts.heads[head];
  const numberOf = ({ head }: HeadMacs): string => {
    const counted = wholePercent(shareOfWork(costs, head));
    const share = measuredShare(view, head);
    return share === null || head === 'full' ? texts.costCounted(counted) : texts.cost(counted, wholePercent(share));
  };
  const milliseconds = (head: HeadMacs['head'], tying: TwinKind): string => {
    const arm = race?.arms.find((one) => one.head === head && one.tying === tying);
    const seconds = arm === undefined ? null : secondsPerStep(arm);
    return seconds === null ? none : formatNumber(1000 * seconds, { decimals: 1 });
  };
  return plot({
    rows: costs,
    width,
    margin: { left: 1, right: 1, top: 0 },
    // Leaves space for the marks of heads that take longer than the full head.
    x: { domain: [0, Math.max(1, 1.03 * most)], ticks: [] },
    y: { each: 48, above: 20, look: '', name: nameOf, end: numberOf, endLook: () => 'number' },
    marks: ({ stack, dots }) => [
      ...twinKinds.map(
        (tying) =>
          race !== null &&
          dots({
            x: ({ head }) => drawn(head, tying),
            ...{ look: tying, sign: markOf(tying), key: texts.measured(texts.tyings[tying]) },
          }),
      ),
      stack({
        parts: ({ layers, macs }) => [
          { look: 'layers', value: layers / whole },
          { look: 'head-bar', value: macs / whole },
        ],
        ...{ height: 14, track: true },
        key: [
          ['layers', texts.counted],
          ['head-bar', texts.countedHead],
        ],
      }),
    ],
    describe: (cost) => `${nameOf(cost)}: ${numberOf(cost)}`,
    between: '. ',
    caption: texts.dataCosts,
    head: texts.dataCostHead,
    cells: ({ head, macs, layers }) => [
      texts.heads[head],
      formatWhole(macs),
      formatWhole(macs + layers),
      wholePercent(shareOfWork(costs, head)),
      ...twinKinds.map((tying) => milliseconds(head, tying)),
      ...twinKinds.map((tying) => {
        const share = shareOf(head, tying);
        return share === null ? none : wholePercent(share);
      }),
    ],
  });
}

const isRoomy = (width: number): boolean => width >= 560;

export function costRows(view: RaceView, width: number): TemplateResult {
  const { texts, costs } = view;
  return html`
    ${titled(texts.costTitle, costPlot(view, width))}
    ${
      isRoomy(width)
        ? nothing
        : html`<ul class="notes minor" data-picture>
            ${costs.map(({ head }) => html`<li>${texts.heads[head]}: ${texts.headNotes[head]}</li>`)}
          </ul>`
    }
  `;
}
