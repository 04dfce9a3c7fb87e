import type { Arrows } from './chain.js';
import { roadReach } from './road.js';
import { reach, startingRows, taskNumbers, tokenNames, type Rows, type TaskNumber } from './tasks.js';

/** What a link to the figure repeats. */
export interface GameState extends Rows {
  /** Of the map between the two sides, in degrees; null without one. */
  readonly turn: number | null;
  readonly task: TaskNumber;
}

const written = (arrows: Arrows): string => arrows.map((row) => row.map(String).join(' ')).join('; ');

export const linkOf = ({ arrows, road, turn, task }: GameState): Record<string, string> => ({
  rows: written(arrows),
  road: written(road),
  task: String(task),
  ...(turn === null ? {} : { turn: String(turn) }),
});

const isWithin = (value: number, most: number): boolean => Number.isFinite(value) && Math.abs(value) <= most;

/** So many arrows, none of them too long; else null. */
function read(text: string, count: number, most: number): Arrows | null {
  const rows = text.split(';').map((row) => row.trim().split(/\s+/).map(Number));
  const fits =
    rows.length === count && rows.every((row) => row.length === 2 && row.every((one) => isWithin(one, most)));
  return fits ? rows.map(([x, y]) => [x!, y!] as const) : null;
}

/** Anyone can write a link: what is missing or not possible is as at the start. */
export function readLink({ rows = '', road = '', turn, task }: Readonly<Record<string, string>>): GameState {
  const ends = read(road, startingRows.road.length, roadReach);
  const degrees = turn === undefined || turn.trim() === '' ? Number.NaN : Number(turn);
  return {
    arrows: read(rows, tokenNames.length, reach) ?? startingRows.arrows,
    road: ends === null ? startingRows.road : [ends[0]!, ends[1]!],
    turn: isWithin(degrees, 180) && degrees >= 0 ? degrees : null,
    task: taskNumbers.find((one) => String(one) === task) ?? 1,
  };
}
