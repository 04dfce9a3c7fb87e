// What a survey measures. A survey trains nothing: it measures how one-way the letters of texts are, with the code of the article's figure, or the direct
// paths of public models, and judges criteria about all of them.
import { importSources } from '../../lib/import-sources.mjs';
import { publicPaths } from './paths.mjs';
import { explained, fraction, judged, median, rank } from './statistics.mjs';
import { declarations, sentences } from './texts.mjs';

/** What a price must exceed by chance, in standard deviations of the null. */
const deviations = 3;

/** Six digits: the last bits of a statistic are the engine's. */
const rounded = (value) => Number(value.toPrecision(6));

const scripts = [
  'Latin',
  'Cyrillic',
  'Arabic',
  'Greek',
  'Hebrew',
  'Devanagari',
  'Ethiopic',
  'Mongolian',
  'Tifinagh',
].map((name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'gu') }));

/** The script of most letters. @param {string} letters */
export const scriptOf = (letters) =>
  scripts
    .map(({ name, letters: pattern }) => ({ name, count: letters.match(pattern)?.length ?? 0 }))
    .reduce((most, one) => (one.count > most.count ? one : most), { name: 'another', count: 0 }).name;

/**
 * How far the order of two neighboring words can be told from all other pairs: the same as `irreversibility().heldOut`, from pairs that occur alone,
 * since a table of all words would be too large. @param {string} letters
 */
export function heldOutOfWords(letters) {
  const words = letters.split(' ');
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [at, word] of words.entries()) {
    const pair = `${word} ${words[(at + 1) % words.length]}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  let sum = 0;
  for (const [pair, count] of counts) {
    const [first, second] = pair.split(' ');
    if (first !== second) sum += count * Math.log((2 * count - 1) / (count + (counts.get(`${second} ${first}`) ?? 0)));
  }
  return sum / words.length;
}

/** Loads what the figure measures with, and a core. */
const loadMeasure = () =>
  importSources(
    'survey',
    `export { lettersOf, oneWayOf } from './web/article/figures/languages/measure.ts';
     export { softmaxRows, repetitionIn } from './web/core/experiment/path-metrics.ts';
     export { inRandomOrder } from './web/core/experiment/random-order.ts';
     export { loadCore } from './web/core/load.ts';`,
  );

const isAboveChance = ({ price, halfWidth, deviation }) => price > halfWidth && price > deviations * deviation;

/** The first so many characters, in whole words. */
const firstOf = (letters, count) =>
  letters.slice(0, letters.lastIndexOf(' ', count) < 0 ? count : letters.lastIndexOf(' ', count));

/** Half of the words, from the left or from the right. */
function halvesOf(letters) {
  const middle = letters.indexOf(' ', letters.length / 2);
  return middle < 0 ? [letters, letters] : [letters.slice(0, middle), letters.slice(middle + 1)];
}

/** Every translation that is long enough and has an alphabet, measured whole; the most one-way last. */
async function measuredDeclarations(spec, measure, core, only = (/** @type {string} */ _code) => true) {
  const found = [];
  for (const { code, name, language, text } of await declarations(spec.texts)) {
    if (!only(code)) continue;
    const letters = measure.lettersOf(text());
    const characters = [...letters];
    // Closed to a circle by a space, which is a symbol, too.
    if (characters.length + 1 < spec.least.characters || new Set(`${letters} `).size > spec.most.symbols) continue;
    found.push({ code, name, language, letters, ...(await measure.oneWayOf(letters, core)) });
  }
  return found.sort((a, b) => a.price - b.price);
}

/** Pairs of texts in one language and two scripts: each language once, its first two. */
function scriptPairs(found) {
  const byLanguage = grouped(found);
  return [...byLanguage.values()].flatMap((texts) => {
    const [first, ...others] = [...texts].sort((a, b) => (a.code < b.code ? -1 : 1));
    const other = others.find((one) => scriptOf(one.letters) !== scriptOf(first.letters));
    return other === undefined ? [] : [[first, other]];
  });
}

function grouped(found) {
  const groups = new Map();
  for (const one of found) groups.set(one.language, [...(groups.get(one.language) ?? []), one]);
  return groups;
}

const differs = ([a, b]) => Math.abs(a.price - b.price) > Math.hypot(a.halfWidth, b.halfWidth);

async function languages(spec, measure, core) {
  const found = await measuredDeclarations(spec, measure, core);
  const of = (name) => found.map((one) => one[name]);
  const partsOf = async (cut) => {
    const prices = [];
    for (const { letters } of found) prices.push((await measure.oneWayOf(cut(letters), core)).price);
    return prices;
  };
  const spaced = found.filter(({ letters }) => letters.split(' ').length >= spec.least.words);
  const pairs = scriptPairs(found);
  return {
    found,
    values: {
      'above-chance': fraction(found.map(isAboveChance)),
      'rank(price, symbols)': rank(of('price'), of('symbols')),
      'rank(price, characters)': rank(of('price'), of('characters')),
      'explained(price, symbols, characters)': explained(of('price'), [of('symbols'), of('characters')]),
      'rank(first-half, second-half)': rank(
        await partsOf((letters) => halvesOf(letters)[0]),
        await partsOf((letters) => halvesOf(letters)[1]),
      ),
      'rank(price, first-6000)': rank(of('price'), await partsOf((letters) => firstOf(letters, spec.least.characters))),
      'scripts-differ': fraction(pairs.map(differs)),
      'words-above-chance': fraction(spaced.map(({ letters }) => heldOutOfWords(letters) > 0)),
    },
    pairs: pairs.map((pair) =>
      pair.map(({ name, price, halfWidth }) => ({ name, price: rounded(price), halfWidth: rounded(halfWidth) })),
    ),
  };
}

async function otherTexts(spec, measure, core) {
  const texts = sentences(spec.texts.beside);
  if (texts === null) return null;
  const wanted = Object.entries(spec.declarations);
  const declared = await measuredDeclarations(spec, measure, core, (code) =>
    Object.values(spec.declarations).includes(code),
  );
  const found = [];
  for (const [language, code] of wanted) {
    const { name, price: declaration } = declared.find((one) => one.code === code);
    found.push({ code, name, declaration, ...(await measure.oneWayOf(measure.lettersOf(texts.get(language)), core)) });
  }
  const of = (name) => found.map((one) => one[name]);
  return {
    found,
    values: {
      'above-chance': fraction(found.map(isAboveChance)),
      'rank(price, declaration)': rank(of('price'), of('declaration')),
      'median-difference': median(found.map(({ price, declaration }) => Math.abs(price - declaration))),
    },
    pairs: [],
  };
}

const surveys = {
  languages,
  'other-texts': otherTexts,
  'public-paths': publicPaths,
  'public-paths-again': publicPaths,
};

/** Values and verdicts of a survey, and what it measured; null if a file is missing. @param {{ name: string, claims: { id: string, says: string }[] }} spec */
export async function measureSurvey(spec) {
  const measure = await loadMeasure();
  const core = await measure.loadCore({ modules: ['checkpoint'] });
  const made = await surveys[spec.name](spec, measure, core);
  core.dispose();
  if (made === null) return null;
  const values = Object.entries(made.values).map(([name, { count, ...numbers }]) => ({
    name,
    ...Object.fromEntries(Object.entries(numbers).map(([part, value]) => [part, rounded(value)])),
    count,
  }));
  const claims = spec.claims.map(({ id, says }) => ({ id, says, verdict: judged(says, made.values) }));
  return { ...made, values, claims };
}
