import type { Chain } from './chain.js';
import { percentInWords as percent } from './percent.js';
import type { GameState } from './link.js';
import type { Progress } from './progress.js';
import { letters, nextLetters, weakestStep } from './road.js';
import {
  alphabet,
  chainOfTask,
  demandsOf,
  impossible,
  isDone,
  isMet,
  nearestToWall,
  tokenNames,
  wallOf,
  york,
  type Demand,
  type TaskNumber,
} from './tasks.js';

/** The place below the drawing shows one of these. */
export type Face = 'guess' | 'play' | 'done' | 'proof' | 'map';

export const taskTexts: Readonly<Record<TaskNumber, string>> = {
  1: 'York follows New at least 98% of the time, New follows York less than 1%.',
  2: 'A one-way road through the alphabet: after each letter the next, at least 90%.',
  3: 'Some token follows itself less often than it occurs.',
};

export const hints: Readonly<Record<TaskNumber, string>> = {
  1: 'a long arrow draws the others to it.',
  2: 'open the fan to half a turn, and make z half as long again as a.',
  3: 'try equal arrows, opposite ones, hardly any at all.',
};

/** Why a possible task is possible, of whatever arrows do it. */
export const reasons: Readonly<Record<TaskNumber, string>> = {
  1: 'Both orders share one score, but each row divides its exponential by a total of its own.',
  2: 'A longer neighbor outscores the row itself. Both orders stay equally rare: it ends at z.',
  3: '',
};

interface Mark {
  readonly kind: '' | 'done' | 'shown' | 'impossible';
  readonly sign: string;
  readonly text: string;
}

/** How far a task is. */
export function markOf({ done, shown, withMap }: Progress, task: TaskNumber): Mark {
  if (task === impossible) {
    if (withMap) return { kind: 'done', sign: '✓', text: 'done with a map' };
    if (shown.includes(task)) return { kind: 'impossible', sign: '✗', text: 'impossible' };
  } else {
    if (done.includes(task)) return { kind: 'done', sign: '✓', text: 'done' };
    if (shown.includes(task)) return { kind: 'shown', sign: '✓', text: 'shown' };
  }
  return { kind: '', sign: '', text: '' };
}

function progressOf(chain: Chain, demand: Demand): string {
  const { from, to, least, below } = demand;
  const value = `${tokenNames[to]!} after ${tokenNames[from]!}: ${percent(chain.next[from]![to]!)}`;
  if (isMet(chain, demand)) return `${value}, enough.`;
  return least === undefined ? `${value}, to be under ${100 * below!}%.` : `${value}, to be ${100 * least}%.`;
}

/** The weakest step of the road, and what is likelier there. */
function roadText(chain: Chain): string {
  const letter = weakestStep(chain);
  const row = chain.next[letter]!;
  const top = row.indexOf(Math.max(...row));
  const step = `${letters[letter + 1]!} after ${letters[letter]!}: ${percent(row[letter + 1]!)}, to be 90%.`;
  if (top === letter + 1) return step;
  return `${step} Likelier there: ${letters[top]!}${top === letter ? ' itself' : ''}, ${percent(row[top]!)}.`;
}

function lastTask(chain: Chain): string {
  const token = nearestToWall(chain);
  const name = tokenNames[token]!;
  const [own, share] = [percent(chain.next[token]![token]!), percent(chain.share[token]!)];
  if (wallOf(chain, token) === 'thud')
    return `Thud. ${name} follows itself ${own} of the time, and occurs ${share}: the wall holds.`;
  return `Nearest to its wall: ${name} follows itself ${own} of the time, and occurs ${share}.`;
}

function doneText(chain: Chain, task: TaskNumber): string {
  if (task === 1) {
    const row = chain.next[york]!;
    const top = row.indexOf(Math.max(...row));
    return `Done. Both orders score the same, but after York, ${tokenNames[top]!} scores higher: ${percent(row[top]!)}.`;
  }
  const least = percent(Math.min(...nextLetters(chain)));
  return `Done: each next letter has ${least} or more. But the road ends: z follows z.`;
}

function mapText(chain: Chain): string {
  const token = nearestToWall(chain);
  const name = tokenNames[token]!;
  const [own, share] = [percent(chain.next[token]![token]!), percent(chain.share[token]!)];
  if (!isDone(chain, impossible))
    return `The wall still holds: ${name} repeats ${own} of the time, and occurs ${share}.`;
  return `The wall is down: ${name} repeats ${own} of the time, and occurs ${share}.`;
}

/** The state in at most 25 words. */
export function verdictOf(face: Face, game: GameState, { guess, shown }: Progress): string {
  // A map stands between rows of words only.
  const task = face === 'map' ? impossible : game.task;
  const chain = chainOfTask(game, task, game.turn);
  switch (face) {
    case 'guess':
      return 'Which one? Drag the arrows if you like, then guess.';
    case 'play':
      if (task === alphabet) return roadText(chain);
      return task === impossible
        ? lastTask(chain)
        : demandsOf(task)
            .map((one) => progressOf(chain, one))
            .join(' ');
    case 'done': {
      const said = doneText(chain, task);
      return shown.includes(task) ? said.replace('Done', 'It can be done') : said;
    }
    case 'proof':
      return `It cannot be done, however the arrows lie.${guess === null ? '' : guess === impossible ? ' You guessed right.' : ` Your guess was ${guess}.`}`;
    case 'map':
      return mapText(chain);
  }
}
