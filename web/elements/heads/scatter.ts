import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
import { makeScale, niceDomain } from '../../charts/scale.js';
import { diamond, drawing, keyEntry } from '../../charts/drawing.js';
import { pairKinds, type PairKind } from '../shared/model-pair.js';
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
export function mark(kind: PairKind, x: number, y: number): SVGTemplateResult {
  if (kind === 'tied') return svg`<circle class="mark" cx=${x} cy=${y} r="5.5"></circle>`;
  return diamond(7)('mark', x, y);
}

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

interface Shown {
  readonly arm: ArmRun;
  readonly point: Point;
  /** When comparing at equal time: where the model was after the steps. */
  readonly before: Point | null;
}

function shownOf({ race, by, share }: RaceView): Shown[] {
  if (race === null) return [];
  const target = targetOf(race, by, share);
  return race.arms.flatMap((arm): Shown[] => {
    const point = pointAt(arm, by, target);
    if (point === null || point.steps === 0) return [];
    const before = by === 'time' && point.steps > race.steps ? pointAt(arm, 'steps', race.steps) : null;
    return [{ arm, point, before }];
  });
}

/** From the smallest loss of all to the largest one shown. */
export function lossDomain(view: RaceView): [number, number] {
  const least = (view.race?.arms ?? []).flatMap(({ points }) => points.slice(1).map(({ loss }) => loss));
  const shown = shownOf(view).flatMap(({ point, before }) => [point.loss, before?.loss ?? point.loss]);
  return shown.length === 0 ? [0, 8] : niceDomain([Math.min(...least, ...shown), Math.max(...shown)], 6);
}

const isPartial = (head: HeadId): boolean => !headOf(head).predictsAll;

/** Each model's loss over the work of its head. */
export function scatter(view: RaceView): TemplateResult {
  const { texts, costs, race, by, width } = view;
  const shown = shownOf(view);
  const macs = costs.map((cost) => cost.macs);
  const x = makeScale('log', [Math.min(...macs) / 1.4, Math.max(...macs) * 1.4], [left, width - right]);
  const columns = nameRows(
    sideBySide(costs.map(({ head, macs }) => ({ head, name: texts.heads[head], x: x(macs) }))),
    width,
  );
  const top = nameHeight * (1 + Math.max(...columns.map(({ row }) => row))) + 24;
  const y = makeScale('linear', lossDomain(view), [top + plotHeight, top]);
  const clamped = (loss: number): number => Math.max(top, Math.min(top + plotHeight, y(loss)));
  const [end, height] = [top + plotHeight, top + plotHeight + bottom];
  const marks = shown.map(({ arm: { head, tying }, point, before }) => {
    const { x: at } = columns.find((column) => column.head === head)!;
    const side = tying === 'tied' ? 'left' : 'right';
    // Side by side: both have the same cost.
    const px = at + (side === 'left' ? -4 : 4);
    const trailFrom = before === null ? null : clamped(before.loss);
    return { head, tying, side, x: px, y: clamped(point.loss), trailFrom, loss: point.loss } as const;
  });
  const words = shown.map(({ arm: { head, tying }, point }) => {
    const cost = costs.find((one) => one.head === head)!;
    return texts.point(texts.heads[head], texts.tyings[tying], macsText(cost.macs), nats(point.loss));
  });
  return html`
    <p class="part-title" data-picture>${titleOf(view)}</p>
    <div class="row note" data-picture>
      ${pairKinds.map((kind) => keyEntry(svg`<g class=${kind}>${mark(kind, 7, 7)}</g>`, texts.tyings[kind]))}
      ${keyEntry(svg`<g class="partial tied">${mark('tied', 7, 7)}</g>`, texts.partial)}
      ${
        by === 'time' && race !== null
          ? keyEntry(
              svg`<g class="tied"><circle class="before" cx="7" cy="7" r="3"></circle></g>`,
              texts.before(formatWhole(race.steps)),
            )
          : nothing
      }
    </div>
    ${drawing(
      { label: texts.scatterLabel(words.join(' ')), width, height },
      svg`
        <text class="faint" x="0" y="12">${texts.lossAxis}</text>
        ${y.ticks(6).map(
          (tick) => svg`
            <line class="grid" x1=${left} x2=${width - right} y1=${y(tick)} y2=${y(tick)}></line>
            <text class="faint" x=${left - 8} y=${y(tick)} text-anchor="end" dominant-baseline="central">${race === null ? '' : formatNumber(tick)}</text>`,
        )}
        <line class="axis" x1=${left} x2=${width - right} y1=${end} y2=${end}></line>
        ${macsTicks(x.domain() as [number, number], width).map(
          (tick) => svg`
            <line class="axis" x1=${x(tick)} x2=${x(tick)} y1=${end} y2=${end + 4}></line>
            <text class="faint" x=${x(tick)} y=${end + 18} text-anchor="middle">${macsTick(tick)}</text>`,
        )}
        <text class="faint" x=${(left + width - right) / 2} y=${height - 5} text-anchor="middle">${texts.macsAxis}</text>
        ${columns.map(
          ({ name, x: at, nameX, row }) => svg`
            <line class="guide" x1=${at} x2=${at} y1=${24 + nameHeight * (row + 1) - 2} y2=${end}></line>
            <text class="head-name" x=${nameX} y=${24 + nameHeight * row + 12} text-anchor="middle">${name}</text>`,
        )}
        ${marks.map(
          ({ head, tying, x: px, y: py, trailFrom }) => svg`<g class="${tying} ${isPartial(head) ? 'partial' : ''}">
            ${
              trailFrom === null
                ? nothing
                : svg`<line class="trail" x1=${px} x2=${px} y1=${trailFrom} y2=${py}></line>
                  <circle class="before" cx=${px} cy=${trailFrom} r="3"></circle>`
            }
            ${mark(tying, px, py)}
          </g>`,
        )}
        ${placedLosses(marks, [left, width]).map(
          ({ label, tying, loss }) =>
            svg`<text class="loss ${tying}" x=${label.x} y=${label.y} text-anchor=${label.anchor} dominant-baseline="central">${nats(loss)}</text>`,
        )}
      `,
    )}
  `;
}

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
