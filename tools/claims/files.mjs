// The claims files, and where to find what belongs to them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { SetupProblem } from '../lib/steps.mjs';
import { catalogue } from './catalogue.mjs';

export const claimsFolder = join(root, 'claims');
/** The folder of the texts that claims name as files. */
export const textsFolder = join(root, '../shared/data/corpora');

/** Texts of the package, which every clone has, by the names that claims give their files. */
export const builtInFiles = {
  'a-year-in-new-york.txt': () =>
    JSON.parse(readFileSync(join(root, 'web/texts/a-year-in-new-york/paragraphs.json'), 'utf8')).join('\n\n'),
};

/** Names of the experiments. */
export const claimFiles = () =>
  readdirSync(claimsFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''))
    .sort();

const surveysFolder = join(claimsFolder, 'surveys');

/** Names of the surveys, which measure texts and train nothing. */
export const surveyFiles = () =>
  readdirSync(surveysFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''))
    .sort();

export const readSurvey = (name) => JSON.parse(readFileSync(join(surveysFolder, `${name}.json`), 'utf8'));

export const readClaimFile = (name) => JSON.parse(readFileSync(join(claimsFolder, `${name}.json`), 'utf8'));

/** The values that the catalogue asks for, in addition to an experiment's claims. */
export const valuesShown = (name) => [
  ...new Set(
    catalogue.flatMap(({ values = [], kept = [] }) =>
      [...values, ...kept]
        .filter(([experiment]) => experiment === name)
        .flatMap(([, value, { chance = null } = {}]) => (chance === null ? [value] : [value, chance])),
    ),
  ),
];

/** Experiments and surveys by name or by catalogue entry; without words, all of them. */
export function chosenExperiments(words) {
  const all = [...claimFiles(), ...surveyFiles()];
  if (words.length === 0) return all;
  const named = words.flatMap((word) => {
    if (all.includes(word)) return [word];
    const entry = catalogue.find(({ id }) => id === word);
    if (entry === undefined) {
      const known = [...all, ...catalogue.map(({ id }) => id)].join(', ');
      throw new SetupProblem(`There is no claim '${word}'. Known claims: ${known}.`);
    }
    return [...(entry.criteria ?? []), ...(entry.values ?? []), ...(entry.surveys ?? [])].map(([name]) => name);
  });
  return all.filter((name) => named.includes(name));
}
