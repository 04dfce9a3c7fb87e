/** How good a score is, beside one who rolls dice. */

export const verdicts = ['True', 'Half true', 'False'] as const;
export type Verdict = (typeof verdicts)[number];

/** The probability of at least `right` of `claims`, if each of the verdicts is as likely as the others. */
export function byDice(right: number, claims: number): number {
  const hit = 1 / verdicts.length;
  // The binomial terms from none to all, each from the one before it.
  let term = (1 - hit) ** claims;
  let sum = 0;
  for (let hits = 0; hits <= claims; hits++) {
    if (hits >= right) sum += term;
    term *= ((claims - hits) / (hits + 1)) * (hit / (1 - hit));
  }
  return Math.min(1, sum);
}

export interface Answered {
  readonly said: Verdict;
  readonly is: Verdict;
}

export function scoreSentences(answers: readonly Answered[]): string {
  const claims = answers.length;
  const right = answers.filter(({ said, is }) => said === is).length;
  const counts = verdicts.map((verdict) => answers.filter(({ is }) => is === verdict).length);
  const commonest = Math.max(...counts);
  const always = verdicts[counts.indexOf(commonest)]!;
  const chance = byDice(right, claims);
  const percent = chance >= 0.1 ? Math.round(100 * chance) : (100 * chance).toFixed(1);
  const tries = chance < 0.0005 ? 'less than once in 2,000 tries' : `in ${percent}% of tries`;
  // Dice always get none or more.
  const dice = right === 0 ? '' : `, and get ${right} or more ${tries}`;
  return `You judged ${right} of ${claims} ${claims === 1 ? 'claim' : 'claims'} as the page does. Dice average ${(claims / verdicts.length).toFixed(1)}${dice}; always saying “${always.toLowerCase()}” gets ${commonest}.`;
}
