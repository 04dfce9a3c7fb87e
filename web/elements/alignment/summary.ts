import { formatNumber } from '../../charts/number-format.js';
import type { AlignmentStrings } from './alignment.strings.js';
import { cosine } from './cosine-axis.js';
import { neighborsCompared, type Measured, type MeasuredComparison } from './tables.js';

/** Below this, neither table is clearly ahead: cosines on held-out tokens differ by as much from seed to seed (docs/experiments/tables.tsv). */
const LEVEL_WITHIN = 0.05;

/** Whether neither table is clearly ahead, with a map for all tokens, and on tokens that the map has not seen. */
export function areLevel(pairs: Measured['pairs']): boolean {
  const { writing, reading } = pairs;
  const by = [writing.alignment.meanCosine - reading.alignment.meanCosine];
  if (writing.alignment.heldOut && reading.alignment.heldOut)
    by.push(writing.alignment.heldOut.meanCosine - reading.alignment.heldOut.meanCosine);
  return by.every((difference) => Math.abs(difference) < LEVEL_WITHIN);
}

/** The measurement in words: the claim and what it is compared with, including chance levels if `showsChance`. */
export function summaryOf(
  texts: AlignmentStrings,
  { question, pairs }: Measured,
  showsChance = true,
): { claim: string; rest: string } {
  const { writing, reading } = pairs;
  const [fitW, fitR] = [writing.alignment.meanCosine, reading.alignment.meanCosine];
  const chances = [writing, reading].map(({ alignment }) => alignment.null.meanCosine);
  const count = (overlap: number): string => formatNumber(neighborsCompared * overlap, { decimals: 1 });
  const shared = texts.shared(
    String(neighborsCompared),
    count(writing.overlap.overlap),
    count(reading.overlap.overlap),
    showsChance ? texts.sharedByChance(count(writing.overlap.null)) : '',
  );
  if (question.method === 'identity') {
    return { claim: texts.unmapped(cosine(fitW), cosine(fitR)), rest: `${texts.commonStart} ${shared}` };
  }
  const byChance = ({ alignment }: MeasuredComparison): boolean =>
    alignment.meanCosine <= Math.max(...alignment.null.runs);
  const claim =
    byChance(writing) && byChance(reading)
      ? texts.unrelated(cosine(fitW), cosine(fitR))
      : areLevel(pairs)
        ? texts.same(cosine(fitW), cosine(fitR))
        : fitW > fitR
          ? texts.closer(texts.roles.writing, cosine(fitW), texts.roles.reading, cosine(fitR))
          : texts.closer(texts.roles.reading, cosine(fitR), texts.roles.writing, cosine(fitW));
  const [one = '', other = ''] = chances.map(cosine);
  const [unseenW, unseenR] = [writing, reading].map(({ alignment }) => alignment.heldOut?.meanCosine);
  const unseen =
    unseenW === undefined || unseenR === undefined
      ? []
      : [texts.unseen(cosine(unseenW), cosine(unseenR), showsChance ? texts.unseenByChance : '')];
  return { claim, rest: [...(showsChance ? [texts.byChance(one, other)] : []), ...unseen, shared].join(' ') };
}
