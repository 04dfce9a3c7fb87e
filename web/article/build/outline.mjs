/**
 * The order of the article. Its text names sections by number and chapters by letter, and both come from here:
 * `{{section layers}}` becomes "section 11", `{{section pull}}` "chapter A".
 */

/** Read in this order; `minutesOf` says how long together. */
export const parts = [
  {
    name: 'Part I',
    title: 'What one table can say',
    sections: ['two-tables', 'direct-path', 'symmetry', 'probabilities', 'price', 'repeating', 'train', 'ways-out'],
  },
  { name: 'Part II', title: 'Does it matter?', sections: ['case', 'savings', 'layers', 'when', 'limits', 'remember'] },
];

/** Part III: closed in the article, each with a page of its own. */
export const inside = {
  name: 'Part III',
  title: 'Inside trained models',
  chapters: ['pull', 'trained', 'lens', 'word', 'opened', 'three-tables', 'heads', 'files', 'models-all', 'law', 'leak', 'languages'],
};

/** After the parts. */
export const closing = ['sources'];

const numbered = [...parts.flatMap(({ sections }) => sections), ...closing];

/** Section `id` as a heading shows it: "9" or "A". */
export function numberOf(id) {
  const section = numbered.indexOf(id);
  if (section >= 0) return String(section + 1);
  const chapter = inside.chapters.indexOf(id);
  if (chapter < 0) throw new Error(`The article has no section "${id}"`);
  return String.fromCharCode('A'.charCodeAt(0) + chapter);
}

export const isChapter = (id) => inside.chapters.includes(id);

/** "section 9" or "chapter A". */
export const nameOf = (id) => `${isChapter(id) ? 'chapter' : 'section'} ${numberOf(id)}`;

/** Words of plain prose that people read in a minute. */
const wordsPerMinute = 230;

/**
 * What the reader does, in minutes beyond the words counted: a figure is read, about 70 words, and tried; a guess is made; so is the
 * choice whether a claim is true.
 */
const minutesPer = { figure: 0.5, 'article-guess': 0.25, dt: 0.1 };

/** Minutes for a section with its folds closed: to read its prose, to read and try each figure, to guess and to choose. */
export function minutesOf(html) {
  let open = html;
  // Innermost first.
  for (let before = ''; before !== open;) {
    before = open;
    open = open.replace(/<details(?:(?!<details)[\s\S])*?<\/details>/g, '');
  }
  const done = Object.entries(minutesPer).map(([tag, each]) => each * (open.match(new RegExp(`<${tag}\\b`, 'g'))?.length ?? 0));
  const prose = open.replace(/<figure\b[\s\S]*?<\/figure>/g, ' ').replace(/<[^>]*>/g, ' ');
  const words = prose.match(/\S+/g)?.length ?? 0;
  return done.reduce((sum, one) => sum + one, words / wordsPerMinute);
}
