import { nothing, svg } from 'lit';
import { circle, diamond, type Sign } from '../../charts/drawing.js';
import type { Mark } from '../../charts/marks.js';
import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { makeScale, niceDomain } from '../../charts/scale.js';
import { twinKinds, type TwinKind } from '../shared/model-twins.js';
import { headOf, type HeadId } from './head-list.js';
import type { HeadsStrings } from './heads.strings.js';
import { placedLosses } from './loss-labels.js';
import {
  pointAt,
  targetOf,
  timeOf,
  type ArmRun,
  type Comparison,
  type HeadMacs,
  type Point,
  type Race,
} from './race.js';

const [left, right, plotHeight, bottom] = [44, 18, 270, 42];
/** Height of a row of names, and width of a character. */
const [nameHeight, characterWidth] = [18, 7.6];
/** Between two names in a row. */
const nameGap = 14;

export interface RaceView {
  readonly texts: HeadsStrings;
  readonly costs: readonly HeadMacs[];
  /** Null before the reader trains. */
  readonly race: Race | null;
  readonly by: Comparison;
  /** The fraction of the steps or the time, 0 to 1. */
  readonly share: number;
  readonly width: number;
}

export const nats = (value: number): string => formatNumber(value, { decimals: 2 });
export const macsText = (value: number): string => formatCompact(value, { decimals: 1 });

/** Each model has its own shape, for readers who can't tell the colors apart. */
export const markOf =
  (kind: TwinKind): Sign =>
  (look, x, y) =>
    (kind === 'tied' ? circle(5.5) : diamond(7))(`mark ${look}`, x, y);

/** Names over their columns, in as many rows as it takes to keep them apart. */
export function nameRows<Column extends { readonly name: string; readonly x: number }>(
  columns: readonly Column[],
  width: number,
): (Column & { readonly nameX: number; readonly row: number })[] {
  const ends: number[] = [];
  return [...columns]
    .sort((one, other) => one.x - other.x)
    .map((column) => {
      const half = ([...column.name].length * characterWidth) / 2;
      const x = Math.min(width - half, Math.max(half, column.x));
      const free = ends.findIndex((end) => x - half >= end + nameGap);
      const row = free < 0 ? ends.length : free;
      ends[row] = x + half;
      return { ...column, nameX: x, row };
    });
}

/** Columns with the same cost are side by side, not on top of each other. */
const besides = 28;

export const sideBySide = <Column extends { readonly x: number }>(columns: readonly Column[]): Column[] =>
  columns.map((column) => {
    const alike = columns.filter(({ x }) => x === column.x);
    return { ...column, x: column.x + (alike.indexOf(column) - (alike.length - 1) / 2) * besides };
  });

/** A model, and where it is when the models are compared; null: nowhere yet. */
interface Shown {
  readonly arm: ArmRun;
  readonly point: Point | null;
  /** When comparing at equal time: where the model was after the steps. */
  readonly before: Point | null;
}

function shownOf({ race, by, share }: RaceView): Shown[] {
  if (race === null) return [];
  const target = targetOf(race, by, share);
  return race.arms.map((arm): Shown => {
    const point = pointAt(arm, by, target);
    if (point === null || point.steps === 0) return { arm, point: null, before: null };
    const before = by === 'time' && point.steps > race.steps ? pointAt(arm, 'steps', race.steps) : null;
    return { arm, point, before };
  });
}

/** From the smallest loss of all to the largest one shown. */
export function lossDomain(view: RaceView): [number, number] {
  const least = (view.race?.arms ?? []).flatMap(({ points }) => points.slice(1).map(({ loss }) => loss));
  const shown = shownOf(view).flatMap(({ point, before }) =>
    point === null ? [] : [point.loss, before?.loss ?? point.loss],
  );
  return shown.length === 0 ? [0, 8] : niceDomain([Math.min(...least, ...shown), Math.max(...shown)], 6);
}

const isPartial = (head: HeadId): boolean => !headOf(head).predictsAll;

/** Each model's loss over the work of its head; in the table, after all steps and all the time. */
export function lossPlot(view: RaceView): Plot {
  const { texts, costs, race, width } = view;
  const macs = costs.map((cost) => cost.macs);
  const domain = [Math.min(...macs) / 2, Math.max(...macs) * 1.4] as const;
  // Names are placed first: their rows are above the drawing.
  const x = makeScale('log', domain, [left, width - right]);
  const columns = nameRows(
    sideBySide(costs.map(({ head, macs }) => ({ head, name: texts.heads[head], x: x(macs) }))),
    width,
  );
  const atEnd = (arm: ArmRun, by: Comparison): Point | null =>
    race === null ? null : pointAt(arm, by, targetOf(race, by, 1));
  return plot({
    rows: shownOf(view),
    width,
    plotHeight,
    margin: { left, right, top: nameHeight * (1 + Math.max(...columns.map(({ row }) => row))) + 24, bottom },
    x: {
      ...{ kind: 'log', domain, ticks: macsTicks(domain, width), format: macsTick, lines: 'below' },
      title: texts.macsAxis,
    },
    y: {
      ...{ domain: lossDomain(view), ticks: 6, format: (tick) => (race === null ? '' : formatNumber(tick)) },
      title: texts.lossAxis,
    },
    marks: () => [modelMarks(view, columns), guides(columns)],
    describe: ({ arm: { head, tying }, point }) => {
      const { macs } = costs.find((one) => one.head === head)!;
      return point === null
        ? ''
        : texts.point(texts.heads[head], texts.tyings[tying], macsText(macs), nats(point.loss));
    },
    label: texts.scatterLabel,
    caption: texts.dataLosses,
    head: texts.dataHead,
    cells: ({ arm }) => {
      const [steps, time] = [atEnd(arm, 'steps'), atEnd(arm, 'time')];
      return [
        texts.armName(texts.heads[arm.head], texts.tyings[arm.tying]),
        formatWhole(steps?.steps ?? 0),
        nats(steps?.loss ?? NaN),
        formatWhole(time?.steps ?? 0),
        formatNumber(time?.seconds ?? 0, { decimals: 2 }),
        nats(time?.loss ?? NaN),
        formatNumber(100 * (time?.lost ?? 0), { decimals: 1 }),
      ];
    },
  });
}

type Columns = readonly {
  readonly head: HeadId;
  readonly name: string;
  readonly x: number;
  readonly nameX: number;
  readonly row: number;
}[];

/** The names of the heads, above lines through their columns; and the axis. */
const guides = (columns: Columns): Mark<Shown> => ({
  draw: ({ plot: { left: from, right: to, bottom: end } }) => svg`
    <line class="axis" x1=${from} x2=${to} y1=${end} y2=${end}></line>
    ${columns.map(
      ({ name, x, nameX, row }) => svg`
        <line class="guide" x1=${x} x2=${x} y1=${24 + nameHeight * (row + 1) - 2} y2=${end}></line>
        <text class="head-name" x=${nameX} y=${24 + nameHeight * row + 12} text-anchor="middle">${name}</text>`,
    )}`,
});

/** Tied and untied models are side by side, since they have the same cost; a trail begins where a model was after the steps. */
const modelMarks = ({ texts, race, by, width }: RaceView, columns: Columns): Mark<Shown> => ({
  key: [
    ...twinKinds.map((kind) => ({ sign: markOf(kind)(kind, 7, 7), words: texts.tyings[kind] })),
    { sign: markOf('tied')('partial tied', 7, 7), words: texts.partial },
    ...(by === 'time' && race !== null
      ? [{ sign: circle(3)('before tied', 7, 7), words: texts.before(formatWhole(race.steps)) }]
      : []),
  ],
  draw: ({ rows, y, plot: { top, bottom: end } }) => {
    const clamped = (loss: number): number => Math.max(top, Math.min(end, y(loss)));
    const marks = rows.flatMap(({ arm: { head, tying }, point, before }) => {
      if (point === null) return [];
      const side: 'left' | 'right' = tying === 'tied' ? 'left' : 'right';
      const x = columns.find((column) => column.head === head)!.x + (side === 'left' ? -4 : 4);
      const trailFrom = before === null ? null : clamped(before.loss);
      return [{ head, tying, side, x, y: clamped(point.loss), trailFrom, loss: point.loss }];
    });
    // A little below the axis there is room, too, before its numbers begin.
    const losses = placedLosses(marks, { left, right: width, top, bottom: end + 8 });
    return svg`
      ${losses.map(({ x, y, label, apart }) =>
        apart ? svg`<line class="to-loss" x1=${x} x2=${label.x} y1=${y} y2=${label.y}></line>` : nothing,
      )}
      ${marks.map(
        ({ head, tying, x, y, trailFrom }) => svg`
          ${
            trailFrom === null
              ? nothing
              : svg`<line class="trail ${tying}" x1=${x} x2=${x} y1=${trailFrom} y2=${y}></line>
                ${circle(3)(`before ${tying}`, x, trailFrom)}`
          }
          ${markOf(tying)(isPartial(head) ? `partial ${tying}` : tying, x, y)}`,
      )}
      ${losses.map(
        ({ label, tying, loss }) =>
          svg`<text class="loss ${tying}" x=${label.x} y=${label.y} text-anchor=${label.anchor} dominant-baseline="central">${nats(loss)}</text>`,
      )}`;
  },
});

/** 1, 2 and 5 times powers of ten, as many as there is space for. */
function macsTicks([from, to]: readonly [number, number], width: number): number[] {
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power++) {
    for (const times of [1, 2, 5]) {
      const tick = times * 10 ** power;
      if (tick >= from && tick <= to) all.push(tick);
    }
  }
  const room = Math.max(2, Math.floor(width / 70));
  return all.length <= room ? all : all.filter((_, at) => at % Math.ceil(all.length / room) === 0);
}

const macsTick = (value: number): string => formatCompact(value, { decimals: 0 });

export function titleOf({ texts, race, by, share }: RaceView): string {
  if (race === null) return texts.notTrained;
  const target = targetOf(race, by, share);
  if (target === 0) return texts.notYetTitle;
  if (by === 'steps') return texts.scatterTitle.steps(formatWhole(Math.round(target)));
  const time = timeOf(race);
  return texts.scatterTitle.time(formatNumber(target, { decimals: time < 1 ? 2 : time < 10 ? 1 : 0 }));
}
