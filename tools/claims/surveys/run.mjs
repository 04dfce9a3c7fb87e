// Runs a survey, and records its outcome and what the article's figure shows.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordLines } from '../../lib/record-lines.mjs';
import { root } from '../../lib/root.mjs';
import { writeIfChanged } from '../../lib/stamps.mjs';
import { claimsFolder, readSurvey } from '../files.mjs';
import { asRecorded } from '../outcomes.mjs';

const folder = join(claimsFolder, 'surveys/outcomes');
const outcomeFile = (name) => join(folder, `${name}.json`);

/** The hash of what a survey measures; criteria and words do not change it. */
export const surveyHash = ({ claims: _, ...spec }) =>
  createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 16);

/** Null if the survey has not been run. */
export const readSurveyOutcome = (name) =>
  existsSync(outcomeFile(name)) ? JSON.parse(readFileSync(outcomeFile(name), 'utf8')) : null;

/** What the article shows of all languages. */
export const languagesFile = join(root, 'web/article/assets/languages.json');

/** A language in the order of `columns`, in whole numbers: ten-thousandths of a nat, hundredths, hundreds of characters. */
export const columns = ['name', 'price', 'halfWidth', 'chance', 'share', 'characters', 'symbols'];
export const rowOf = ({ name, price, halfWidth, chance, share, characters, symbols }) => [
  name,
  ...[price, halfWidth, chance].map((nats) => Math.round(1e4 * nats)),
  Math.round(100 * share),
  Math.round(characters / 100),
  symbols,
];

/** @param {string} name */
export async function runSurvey(name) {
  const { measureSurvey } = await import('./measure.mjs');
  const spec = readSurvey(name);
  console.log(name);
  const started = performance.now();
  const made = await measureSurvey(spec);
  if (made === null) {
    const files = spec.models?.map(({ file }) => file).join(', ');
    const missing = spec.texts === undefined ? 'models/ lacks a file' : `corpora/${spec.texts.beside} is missing`;
    const reason =
      spec.from === undefined
        ? `../shared/data/${missing}`
        : `build/models/ lacks one of ${files}, which are at ${spec.from}`;
    console.log(`${name}: not run, because ${reason}`);
    return;
  }
  const { values, claims, found, pairs, paths } = made;
  const outcome = {
    survey: name,
    specHash: surveyHash(spec),
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round((performance.now() - started) / 1000),
    ...(paths === undefined ? { texts: found.length } : { models: found.length }),
    claims,
    values,
    ...(paths === undefined ? { pairs } : { paths }),
  };
  mkdirSync(folder, { recursive: true });
  const { format } = await import('prettier');
  const recorded = asRecorded(outcome, readSurveyOutcome(name));
  writeFileSync(outcomeFile(name), await format(JSON.stringify(recorded), { parser: 'json', printWidth: 120 }));
  if (name !== 'languages') return;
  const madeBy = 'npm run claims -- languages';
  writeIfChanged(languagesFile, `${recordLines({ madeBy, columns, languages: found.map(rowOf) })}\n`);
}
