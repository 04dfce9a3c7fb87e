import type { Direction } from '../roundabout/walk.js';
import { linesInRound, type Line, type Source } from './round.js';
import { coinReaches } from './score.js';

export const sourceNames: Readonly<Record<Source, string>> = {
  story: 'Story',
  pairs: 'Its word pairs',
  symmetric: 'Symmetric scores',
};

/** Where the lines of a round come from, beside the number of the line. */
export const sourceHints: Readonly<Record<Source, string>> = {
  story: 'from Story',
  pairs: 'by a model of Story’s word pairs',
  symmetric: 'by a model with symmetric scores',
};

/** "once in 12 billion lines"; `log`: the probability's logarithm to base 10. */
export function onceIn(log: number): string {
  if (log === -Infinity) return 'never';
  const lines = Number((10 ** -log).toPrecision(2));
  return `once in ${lines.toLocaleString('en', { notation: 'compact', compactDisplay: 'long' })} lines`;
}

/** At most 25 words. */
export function verdict(line: Line, guess: Direction): string {
  const { direction, chances, written } = line;
  const said = `${guess === direction ? 'Right' : 'Wrong'}: it ran ${direction}.`;
  if (chances === null) return `${said} Story says “${written.join(' ')}”.`;
  const [forward, backward] = [onceIn(chances.forward), onceIn(chances.backward)];
  if (forward === backward) return `${said} The model writes it ${forward}, and its reverse equally often.`;
  return `${said} The model writes “${written.join(' ')}” ${forward}, and its reverse ${backward}.`;
}

/** What a score is worth. */
export function scoreInWords(right: number): string {
  const share = coinReaches(right, linesInRound);
  return `${right} of ${linesInRound} right. A coin does as well in ${percent(share)} of such rounds.`;
}

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)}%`;
