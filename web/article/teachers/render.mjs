// The page for teachers: a plan, and exercises with computed answers in folds.
import { staticPage } from '../../../tools/lib/static-page.mjs';
import { nameOf } from '../build/outline.mjs';
import { fill } from '../build/template.mjs';
import { teachersAnswers } from './answers.mjs';

/**
 * @param {string} source page.html of this folder
 * @param {any} facts the article's
 */
export function renderTeachers(source, facts) {
  const named = source.trim().replace(/\{\{section ([\w-]+)\}\}/g, (_, id) => nameOf(id));
  const main = fill(named, { facts: teachersAnswers(facts), tables: {}, drawings: {} });
  const left = /\{\{[^}]*\}\}/.exec(main);
  if (left !== null) throw new Error(`The page for teachers still holds: ${left[0]}`);
  return staticPage({
    title: 'For teachers',
    description:
      'A lesson of fifty minutes on tied embeddings, with ten exercises, the figure that each uses, and checked answers.',
    styles: '../api/api.css',
    kind: 'api api-plain',
    skip: 'the lesson',
    head: '<link rel="stylesheet" href="teachers.css">',
    main,
  });
}
