import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { readTableFacts } from '../../../web/article/build/alignment-facts.mjs';
import { readDriftFacts } from '../../../web/article/build/drift-facts.mjs';
import { readExperimentFacts } from '../../../web/article/build/experiment-facts.mjs';
import { gptFacts } from '../../../web/article/build/gpt-facts.mjs';
import { readReadoutFacts } from '../../../web/article/build/readout-facts.mjs';
import { checks, checkSentences, wordsOf } from '../../../web/article/build/sentence-checks.mjs';
import { readWidthFacts } from '../../../web/article/build/width-facts.mjs';

const article = join(root, 'web/article');
const html = [
  readFileSync(join(article, 'page.html'), 'utf8'),
  ...['sections', 'chapters'].flatMap((kind) =>
    readdirSync(join(article, kind)).map((name) => readFileSync(join(article, kind, name), 'utf8')),
  ),
].join('\n');

/** The facts that come from recorded data; the others are computed when the page is built, which checks all sentences. */
const recorded = {
  ...(await readTableFacts(root)),
  experiment: await readExperimentFacts(root),
  widths: await readWidthFacts(root),
  readouts: await readReadoutFacts(root),
  drift: await readDriftFacts(root),
  gpt: gptFacts(
    JSON.parse(readFileSync(join(article, 'assets/finished-transformer-run.json'), 'utf8')) as Parameters<
      typeof gptFacts
    >[0],
  ),
};

/** Whether a sentence needs only these facts; those that read others throw. */
function resultOf({ holds }: (typeof checks)[number], facts: object): boolean | undefined {
  try {
    return holds(facts);
  } catch {
    return undefined;
  }
}

it('every checked sentence is on the page, once', () => {
  const words = wordsOf(html).replace(/\s*…\s*/g, '…');
  for (const { says } of checks) {
    const wanted = says.replace(/\s*…\s*/g, '…');
    expect(words.split(wanted).length, says).toBeGreaterThan(1);
  }
  expect(new Set(checks.map(({ says }) => says)).size).toBe(checks.length);
});

it('those about recorded runs follow from the recorded numbers', () => {
  const judged = checks.filter((check) => resultOf(check, recorded) !== undefined);
  expect(judged.length).toBeGreaterThan(14);
  for (const check of judged) expect(resultOf(check, recorded), check.says).toBe(true);
});

it.each([
  [
    'untying late closes the gap',
    Object.fromEntries(
      ['tiedMap', 'tiedWide', 'untiedLate', 'tiedInputTimes5', 'tiedScaled', 'untied'].map((name) => [
        name,
        { mean: 3.8 },
      ]),
    ),
    'No remedy brought one table level',
  ],
  ['a wider tied model wins', { tiedWide: { least: 3.5 }, untied: { most: 3.8 } }, 'second table used parameters'],
])('if %s, a sentence no longer holds', (_, experiment, start) => {
  const check = checks.find(({ says }) => says.includes(start))!;
  expect(resultOf(check, recorded)).toBe(true);
  expect(resultOf(check, { ...recorded, experiment })).toBe(false);
});

it('the build stops at a sentence that does not hold, and at one that has gone', () => {
  const only = (text: string) => `<p>${text}</p>`;
  expect(() => checkSentences(only('Other words.'), {})).toThrow('no longer says');
  const [first] = checks;
  const facts = { hero: { words: ['New'], shared: [[0.1]], text: [[0.2]] } };
  expect(() => checkSentences(only(first!.says), facts)).toThrow('does not follow from its numbers');
});
