import type { Chain } from './chain.js';
import { percentInWords as percent } from './percent.js';
import type { GameState } from './link.js';
import type { Progress } from './progress.js';
import {
  city,
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
  2: 'A one-way road: York after New and City after York, each at least 95%.',
  3: 'Some token follows itself less often than it occurs.',
};

export const hints: Readonly<Record<TaskNumber, string>> = {
  1: 'a long arrow draws the others to it.',
  2: 'let each arrow be longer than the one before, and turn away from it a little.',
  3: 'try equal arrows, opposite ones, hardly any at all.',
};

/** Why a possible task is possible, of whatever arrows do it. */
export const reasons: Readonly<Record<TaskNumber, string>> = {
  1: 'Both orders share one score, but each row divides its exponential by a total of its own.',
  2: 'An arrow’s score with a longer one can exceed its score with itself. In a long text both orders are still equally common: it stays at the end of the road.',
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
  return `Done. Growing arrows make a road. But it ends: City follows City ${percent(chain.next[city]![city]!)} of the time.`;
}

function mapText(chain: Chain): string {
  const token = nearestToWall(chain);
  const name = tokenNames[token]!;
  const [own, share] = [percent(chain.next[token]![token]!), percent(chain.share[token]!)];
  if (!isDone(chain, impossible))
    return `The wall still holds: ${name} follows itself ${own} of the time, and occurs ${share}.`;
  return `The wall is down: ${name} follows itself ${own} of the time, and occurs ${share}.`;
}

/** The state in at most 25 words. */
export function verdictOf(face: Face, { task }: GameState, chain: Chain, { guess, shown }: Progress): string {
  switch (face) {
    case 'guess':
      return 'Which one? Drag the arrows if you like, then guess.';
    case 'play':
      return task === impossible
        ? lastTask(chain)
        : demandsOf(task)
            .map((one) => progressOf(chain, one))
            .join(' ');
    case 'done': {
      const said = doneText(chain, task);
      return shown.includes(task) ? said.replace('Done.', 'It can be done.') : said;
    }
    case 'proof':
      return `It cannot be done, however the arrows lie.${guess === null ? '' : guess === impossible ? ' You guessed right.' : ` Your guess was ${guess}.`}`;
    case 'map':
      return mapText(chain);
  }
}
