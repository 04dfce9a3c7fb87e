import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The recorded texts, and what the surveys of claims/ found in them. */

/** Those of the page's table, in which readers may look for theirs. */
const shown = [
  ...['Kabyle', 'Italian', 'French', 'Turkish', 'Spanish', 'English', 'Finnish', 'Arabic, Standard', 'Russian'],
  ...['German, Standard (1996)', 'Polish', 'Swahili', 'Hindi', 'Thai', 'Zhuang, Yongbei', 'Burmese', 'Shan'],
];

/** @param {any} file @param {any} here - the outcome of the survey of these texts @param {any} elsewhere - and of others @param {any} hidden - the experiment of hidden tokens */
function languagesFacts({ columns, languages }, here, elsewhere, hidden) {
  const column = (name) => columns.indexOf(name);
  const [price, halfWidth, chance, share] = ['price', 'halfWidth', 'chance', 'share'].map(column);
  const all = languages.map((row) => ({
    name: row[0],
    price: row[price] / 1e4,
    halfWidth: row[halfWidth] / 1e4,
    chance: row[chance] / 1e4,
    share: row[share] / 100,
  }));
  const valueOf = ({ survey, values }, name, key = 'name') => {
    const found = values.find((one) => one[key] === name);
    if (found === undefined) throw new Error(`the outcome of ${survey} has no ${name}`);
    return found;
  };
  const scripts = valueOf(here, 'scripts-differ');
  const named = (name) => {
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`languages.json has no ${name}`);
    return found;
  };
  // Of one table, with half of the tokens hidden.
  const costOf = (side) => {
    const name = `loss(tied-${side}-50) - loss(untied-${side}-50)`;
    return valueOf({ survey: 'hidden-tokens', ...hidden }, name, 'value').points[0].mean;
  };
  const shares = all.map((one) => one.share);
  return {
    texts: all.length,
    least: all[0],
    middle: all[Math.floor(all.length / 2)],
    most: all.at(-1),
    english: named('English'),
    shares: [Math.min(...shares), Math.max(...shares)],
    explained: valueOf(here, 'explained(price, symbols, characters)').value,
    halves: valueOf(here, 'rank(first-half, second-half)').value,
    held: here.claims.filter(({ verdict }) => verdict === 'holds').length,
    verdicts: Object.fromEntries([...here.claims, ...elsewhere.claims].map(({ id, verdict }) => [id, verdict])),
    criteria: here.claims.length,
    oneWay: valueOf(here, 'above-chance').value,
    serbian: here.pairs.find(([one]) => one.name.startsWith('Serbian')),
    scripts: { differ: Math.round(scripts.value * scripts.count), all: scripts.count },
    elsewhere: {
      texts: elsewhere.texts,
      oneWay: valueOf(elsewhere, 'above-chance').value,
      difference: valueOf(elsewhere, 'median-difference').value,
    },
    hidden: { forward: costOf('forward'), either: costOf('either') },
    shown: shown.map(named).sort((one, other) => one.price - other.price),
  };
}

/** @param {string} root */
export async function readLanguagesFacts(root) {
  const files = ['web/article/assets/languages', 'claims/surveys/outcomes/languages', 'claims/surveys/outcomes/other-texts', 'claims/outcomes/hidden-tokens'];
  const [record, ...outcomes] = await Promise.all(files.map((name) => readFile(join(root, `${name}.json`), 'utf8')));
  const [here, elsewhere, hidden] = outcomes.map((text) => JSON.parse(text));
  return languagesFacts(JSON.parse(record), here, elsewhere, hidden);
}
