import { formatWhole } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { wholePercent } from '../shared/in-words.js';
import { twinKinds, type TwinKind } from '../shared/model-twins.js';
import { signs } from './loss-plot.js';
import { definitions, writingShare, type LedgerReport } from './measure.js';
import type { View } from './view.js';

export const percent = (share: number): string => (Number.isNaN(share) ? '–' : `${wholePercent(share)}%`);

/** What is plotted for the models: over the steps, or once for trained models. */
interface Share extends Pick<Parameters<typeof plot>[0], 'caption' | 'head' | 'without'> {
  readonly plotHeight: number;
  readonly valueOf: (report: LedgerReport) => number;
  /** The level to compare the values with. */
  readonly level: number;
  readonly name: string;
  /** How far below the level its name is, in pixels: away from the curves. */
  readonly below: number;
  /** Cells of the data table, after the name of the row. */
  readonly cells: (...reports: readonly LedgerReport[]) => readonly number[];
}

/** Writing's share of the gradient of the table, with an even split for comparison. */
export function sharePlot(view: View): Plot {
  const { texts, steps, chance } = view;
  const sharesOf = (report: LedgerReport): number[] => definitions.map((one) => writingShare(report, one));
  const reachOf = ({ reach }: LedgerReport): number[] => [reach.share, reach.chance];
  return sharesPlot(view, {
    plotHeight: 170,
    valueOf: (report) => writingShare(report, view.definition),
    ...{ level: 0.5, name: texts.half, below: 17, caption: texts.dataShares },
    head: steps === null ? texts.dataHeadOfThese : texts.dataHead,
    without: steps === null && !chance ? [4] : [],
    cells: (...reports) =>
      reports.flatMap((report) => [...sharesOf(report), ...(steps === null ? reachOf(report) : [])]),
  });
}

/**
 * The share of the logits' gradient that reaches the hidden state, with the share of a random direction for comparison.
 */
export function reachPlot(view: View): Plot {
  const { texts, measured, chance } = view;
  const level = measured.reports.tied[0]!.reach.chance;
  return sharesPlot(view, {
    plotHeight: 130,
    valueOf: ({ reach }) => reach.share,
    ...{ level, name: texts.randomDirection(percent(level)), below: -11, caption: texts.dataReach },
    head: texts.reachHead,
    without: chance ? [] : [3],
    cells: (...reports) => [...reports.map(({ reach }) => reach.share), level],
  });
}

/** Whether that share is defined in both models. */
export const isReachKnown = ({ measured, at }: Pick<View, 'measured' | 'at'>): boolean =>
  twinKinds.every((kind) => !Number.isNaN(measured.reports[kind][at]!.reach.share));

const sharesPlot = (view: View, share: Share): Plot =>
  view.steps === null ? modelBars(view, share) : stepPlot(view, view.steps, share);

function modelBars(
  { texts, measured, chance, at, width }: View,
  { valueOf, level, name, cells, ...table }: Share,
): Plot {
  const reportOf = (kind: TwinKind): LedgerReport => measured.reports[kind][at]!;
  return plot({
    ...table,
    rows: twinKinds,
    width,
    margin: { left: 52, right: 50, top: 0, bottom: chance ? 20 : 0 },
    x: { domain: [0, 1], ticks: [0], format: () => '' },
    y: { each: 26, look: (kind) => `name ${kind}`, name: (kind) => texts.names[kind] },
    marks: ({ bars, words, level: levelAt }) => [
      words({
        x: (kind) => valueOf(reportOf(kind)),
        dx: 5,
        look: 'value',
        text: (kind) => percent(valueOf(reportOf(kind))),
      }),
      chance && levelAt({ x: level, look: 'level', name }),
      ...twinKinds.map((one) =>
        bars({ x: (kind) => (kind === one ? valueOf(reportOf(kind)) : null), height: 16, look: `bar ${one}` }),
      ),
    ],
    describe: (kind) => `${texts.names[kind]}: ${percent(valueOf(reportOf(kind)))}.`,
    label: (shares) => (chance ? `${shares} ${name}` : shares),
    cells: (kind) => [texts.names[kind], ...cells(reportOf(kind)).map(percent)],
  });
}

function stepPlot({ texts, measured, chance, at, width }: View, steps: readonly number[], share: Share): Plot {
  const { valueOf, level: levelAt, name, below, cells, ...shape } = share;
  const reportOf = (kind: TwinKind, index: number): LedgerReport => measured.reports[kind][index]!;
  return plot({
    ...shape,
    rows: steps,
    width,
    margin: { left: 52, right: 14 },
    // Steps are equally spaced: most happens in the first ones.
    x: { each: 'fit', look: 'faint', name: (step) => formatWhole(step), title: texts.stepAxis },
    y: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], format: percent, title: texts.shareAxis },
    marks: ({ line, level, column }) => [
      ...twinKinds.map((kind) =>
        line({
          y: (_, index) => valueOf(reportOf(kind, index)),
          look: kind,
          sign: signs[kind],
          key: texts.names[kind],
        }),
      ),
      chance && level({ y: levelAt, look: 'level', name, below }),
      column({ look: 'chosen', at }),
    ],
    cells: (step, index) => [
      formatWhole(step),
      ...cells(...twinKinds.map((kind) => reportOf(kind, index))).map(percent),
    ],
  });
}
