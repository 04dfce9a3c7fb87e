import type { View } from './angle-plot.js';
import { tableNames, type Measured, type Target } from './measure.js';
import { cosine, degrees, ratio } from './in-words.js';

/** Two cosines that differ by less than this are called the same. */
const sameWithin = 0.05;

/** What one position shows, and what remains of h over the prompt; with chance levels unless they are hidden. */
export function summaryOf(
  { texts, tokens, splits, at, here, baseline }: View,
  chance: Measured['chance'],
  target: Target,
): { claim: string; rest: string; left: string } {
  const [after, tied, untied] = [tokens[at] ?? '', here.tied.target, here.writing.target];
  const [inTied = '', writing = '', reading = ''] = tableNames.map((name) => degrees(here[name].cosine));
  const { other, centeredOther } = splits.tied.median;
  const byChance = chance.tied.other;
  const same = tied === untied ? texts.both(after, tied) : texts.each(after, tied, untied);
  const random =
    baseline === null
      ? ''
      : ` ${texts.byChance(ratio(chance.tied.ratio), ratio(baseline), ratio(splits.tied.otherPosition))}`;
  const beside = other > byChance + sameWithin ? texts.leftMore : texts.leftLess;
  return {
    claim: target === 'next' ? texts.follows(after, tied) : same,
    rest: texts.angles(inTied, writing, reading) + random,
    left: [
      baseline === null ? texts.leftPlain(cosine(other)) : beside(cosine(other), cosine(byChance)),
      (Math.abs(other - centeredOther) < sameWithin ? texts.meanSame : texts.meanOther)(cosine(centeredOther)),
    ].join(' '),
  };
}
