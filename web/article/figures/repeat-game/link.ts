import type { Arrows } from './chain.js';
import { reach, startingArrows, taskNumbers, tokenNames, type TaskNumber } from './tasks.js';

/** What a link to the figure repeats. */
export interface GameState {
  readonly arrows: Arrows;
  /** Of the map between the two sides, in degrees; null without one. */
  readonly turn: number | null;
  readonly task: TaskNumber;
}

export const linkOf = ({ arrows, turn, task }: GameState): Record<string, string> => ({
  rows: arrows.map((row) => row.map(String).join(' ')).join('; '),
  task: String(task),
  ...(turn === null ? {} : { turn: String(turn) }),
});

const isWithin = (value: number, most: number): boolean => Number.isFinite(value) && Math.abs(value) <= most;

/** Anyone can write a link: what is missing or not possible is as at the start. */
export function readLink({ rows = '', turn, task }: Readonly<Record<string, string>>): GameState {
  const read = rows.split(';').map((row) => row.trim().split(/\s+/).map(Number));
  const areArrows =
    read.length === tokenNames.length &&
    read.every((row) => row.length === 2 && row.every((one) => isWithin(one, reach)));
  const degrees = turn === undefined || turn.trim() === '' ? Number.NaN : Number(turn);
  return {
    arrows: areArrows ? read.map(([x, y]) => [x!, y!] as const) : startingArrows,
    turn: isWithin(degrees, 180) && degrees >= 0 ? degrees : null,
    task: taskNumbers.find((one) => String(one) === task) ?? 1,
  };
}
