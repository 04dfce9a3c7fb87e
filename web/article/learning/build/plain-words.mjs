import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { staticPage } from '../../../../tools/lib/static-page.mjs';

/** Each section once more for readers of fourteen: `plain/<id of a section or of a heading>.html`. */
const folder = 'web/article/learning/plain';

/** @param {string} root @returns {Promise<Map<string, string>>} HTML by id */
export async function readPlainWords(root) {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.html'));
  return new Map(
    await Promise.all(
      names.map(
        async (name) =>
          /** @type {[string, string]} */ ([name.slice(0, -5), await readFile(join(root, folder, name), 'utf8')]),
      ),
    ),
  );
}

/** A section's heading, or one within a section that has an id; groups: what precedes it, the id in either, its text. */
const headings = /(<section id="([\w-]+)"[^>]*>\s*<h2[^>]*>([\s\S]*?)<\/h2>|<h3 id="([\w-]+)"[^>]*>([\s\S]*?)<\/h3>)/g;

/** Puts a switch after each heading that has a version in plain words. Without scripts it leads to the page of all. */
export const addPlainSwitches = (html, plain) =>
  html.replace(headings, (whole, heading, section, _text, inner) => {
    const id = section ?? inner;
    return plain.has(id) ? `${heading}\n<a class="plain-switch" href="plain/#${id}">In plain words</a>` : whole;
  });

/** In the order of the page, with its headings. @param {string} html The page. @param {Map<string, string>} plain */
export function plainPage(html, plain) {
  const parts = [...html.matchAll(headings)].flatMap(([, , section, sectionTitle, inner, innerTitle]) => {
    const id = section ?? inner;
    const text = plain.get(id);
    // A heading may be a link, or have one.
    const title = (sectionTitle ?? innerTitle)
      ?.replace(/<\/?a\b[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    return text === undefined
      ? []
      : [`<section id="${id}">\n<h2><a href="../#${id}">${title}</a></h2>\n${text.trim().replace(/\s+/g, ' ')}\n</section>`];
  });
  return staticPage({
    title: 'In plain words',
    description: 'What a language model gains and loses with one table of words, in plain words, section by section.',
    styles: '../learning.css',
    kind: 'plain-page',
    skip: 'the text',
    main: `<h1>One table that reads and writes, in plain words</h1>
<p class="lead">Every section of <a href="../">the article</a> in a few sentences, without formulas. “List” means a table of words, “arrow” the row of a word.</p>
${parts.join('\n')}`,
  });
}
