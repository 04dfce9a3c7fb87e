import { formatNumber } from '../../charts/number-format.js';
import { capital, wholePercent } from '../shared/in-words.js';
import { measuredShare } from './cost-rows.js';
import { headIds, headOf, type HeadId } from './head-list.js';
import { gains, gainsOf, shareOfWork, targetOf, type ArmRun } from './race.js';
import type { RaceView } from './scatter.js';

/** The difference between measured and counted shares from which on the figure mentions it. */
const notable = 0.05;

const lostOf = (arms: readonly ArmRun[], head: HeadId): number =>
  arms.find((arm) => arm.head === head)?.points.at(-1)?.lost ?? 0;

/** The state in words: which cheaper heads are below the full one, and what counting the arithmetic does not tell. */
export function wordsOf(view: RaceView): { claim: string; rest: string } | null {
  const { texts, race, by, share, costs } = view;
  if (race === null) return null;
  const found = gains(race, by, share);
  // Models that have not trained yet have nothing to compare.
  if (found.length === 0 || (!race.complete && targetOf(race, by, share) === 0)) return null;
  const named = (is: (gain: readonly number[]) => boolean): string[] =>
    found.filter((one) => is(one.gains)).map(({ head }) => texts.heads[head].toLowerCase());
  const both = named((gain) => gain.every((one) => one > 0));
  const neither = named((gain) => gain.every((one) => one <= 0));
  const one = named((gain) => gain.some((each) => each > 0) && gain.some((each) => each <= 0));
  const says = texts.claims[by];
  const verdict = both.length === 0 ? says.none : both.length === 1 ? says.pays(both[0]!) : says.pay(texts.list(both));
  const claim = race.complete ? verdict : texts.soFar(verdict);
  const rest = [
    one.length === 0 ? '' : texts.mixed(capital(texts.list(one))),
    neither.length === 0 || both.length === 0 ? '' : texts.not(capital(texts.list(neither))),
    ...headIds
      .filter((head) => !headOf(head).predictsAll && lostOf(race.arms, head) > 0)
      .map((head) => texts.culledLoses(percentOf(lostOf(race.arms, head)))),
    readsPairs(),
    slowest(view),
  ];
  return { claim, rest: rest.filter((part) => part !== '').join(' ') };

  function readsPairs(): string {
    const [tied, untied] = gainsOf(race!, by, share, 'ngrams').map((gain) => signed(-gain));
    return tied === undefined || untied === undefined ? '' : texts.readsPairs(tied, untied);
  }

  /** The head whose time exceeds its arithmetic the most. */
  function slowest(of: RaceView): string {
    const heads = headIds.flatMap((head) => {
      const measured = measuredShare(of, head);
      const counted = shareOfWork(costs, head);
      return measured === null || measured - counted < notable ? [] : [{ head, measured, counted }];
    });
    const [most] = heads.sort((a, b) => b.measured - b.counted - (a.measured - a.counted));
    return most === undefined
      ? ''
      : texts.slower(texts.heads[most.head].toLowerCase(), wholePercent(most.counted), wholePercent(most.measured));
  }
}

const signed = (change: number): string => formatNumber(change, { decimals: 2, plus: true });

const percentOf = (share: number): string => (100 * share).toFixed(share < 0.1 ? 1 : 0);
