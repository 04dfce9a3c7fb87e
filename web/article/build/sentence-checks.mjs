/**
 * Sentences of the page that compare numbers, each with the comparison. The build stops where a sentence no longer follows from the
 * numbers, and where a sentence has been rewritten but its check has not.
 */
import { chapterChecks } from './chapter-checks.mjs';
import { mainTextChecks } from './main-text-checks.mjs';

/** @typedef {{ says: string, holds: (facts: any) => boolean }} Check */

export const checks = [...mainTextChecks, ...chapterChecks];

const entities = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** The words of the page as written in its files: no tags, "…" for what the build fills in. @param {string} html */
export const wordsOf = (html) =>
  html
    .replace(/\{\{[^}]*\}\}/g, ' … ')
    .replace(/<[^>]*>/g, '')
    .replace(/\$([^$]*)\$/g, '$1')
    .replace(/&(lt|gt|amp);/g, (entity) => entities[entity])
    .replace(/\s+/g, ' ');

const loose = (text) => text.replace(/\s*…\s*/g, '…').replace(/\s+/g, ' ');

/** Throws if a sentence is not on the page, or does not follow from the facts. @param {string} html @param {any} facts */
export function checkSentences(html, facts) {
  const words = loose(wordsOf(html));
  for (const { says, holds } of checks) {
    if (!words.includes(loose(says))) throw new Error(`The article no longer says "${says}"; change its check, too`);
    if (!holds(facts)) throw new Error(`The article says "${says}", which does not follow from its numbers`);
  }
}
