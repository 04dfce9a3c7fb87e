import { readFileSync } from 'node:fs';
import { staticPage } from '../../../../tools/lib/static-page.mjs';

/**
 * The terms of the article, in plain words; docs/notation.md has the same letters and names. `names` are the forms that the page uses,
 * `symbol` is TeX, `size` says what kind of thing it is, and `text` is HTML in which `<a href="#id">` leads to another term.
 *
 * @type {{ id: string, term: string, names?: string[], symbol?: string, size?: string, text: string }[]}
 */
export const terms = JSON.parse(readFileSync(new URL('../glossary.json', import.meta.url), 'utf8'));

/** Every form that the page uses, in lower case, with its term; longer forms first, so "logit lens" is not taken for "logit". */
const forms = terms
  .flatMap(({ id, term, names = [] }) => [term, ...names].map((name) => ({ id, name: name.toLowerCase() })))
  .toSorted((one, other) => other.name.length - one.name.length);

const idOf = (text) => {
  const name = text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ').trim().toLowerCase();
  return forms.find((form) => form.name === name)?.id;
};

/** Where no term is marked: it would be a link in a link, not be seen, or not be prose. */
const closed = /^(?:a|h[1-6]|b|i|button|code|pre|svg|math|summary|table|dfn|dt|details|select|label|article-guess|tied-[a-z-]+)$/;
const isVoid = /^(?:br|hr|img|input|link|meta|wbr)$/;
const prose = /^(?:p|li|dd)$/;

const wordPattern = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:${forms.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+')).join('|')})(?![\\p{L}\\p{N}-])`,
  'giu',
);

/** The forms that mark a further use; others are words that also mean something else. */
const plainWords = new Set(['scores', 'tie', 'lengths', 'norms', 'heads', 'final vector']);
/** Terms that every reader knows after their definition, so a mark in each section would be noise. */
const onceOnly = new Set(['token', 'tying', 'transformer', 'layer', 'symmetric', 'head', 'encoder', 'decoder']);

/** Marks first uses in the prose of one section; `seen` holds the terms that it has already marked. */
function markSection(html, seen, defined) {
  /** @type {{ name: string, isClosed: boolean }[]} */
  const open = [];
  return html.replace(/<\/?([a-z][a-z0-9-]*)[^>]*>|[^<]+/gi, (part, tag) => {
    if (tag !== undefined) {
      const name = tag.toLowerCase();
      if (part.startsWith('</')) open.splice(open.findLastIndex((one) => one.name === name));
      // Nothing in a drawing can be pressed.
      else if (!isVoid.test(name) && !part.endsWith('/>')) open.push({ name, isClosed: closed.test(name) || /\srole="img"/.test(part) });
      return part;
    }
    if (!open.some(({ name }) => prose.test(name)) || open.some(({ isClosed }) => isClosed)) return part;
    return part.replace(wordPattern, (word) => {
      const id = idOf(word);
      if (id === undefined || seen.has(id) || plainWords.has(word.toLowerCase())) return word;
      if (onceOnly.has(id) && defined.has(id)) return word;
      seen.add(id);
      defined.add(id);
      return `<a class="term" href="glossary/#${id}">${word}</a>`;
    });
  });
}

/**
 * Makes each `<dfn>` of the page a link to its entry of the glossary, and the first use of a term in each later section. Scripts open
 * the entry in place (`web/article/learning/term-notes.ts`).
 *
 * @param {string} html The page.
 */
export function markTerms(html) {
  const withDefinitions = html.replace(/<dfn>([\s\S]*?)<\/dfn>/g, (whole, text) => {
    const id = idOf(text);
    return id === undefined ? whole : `<dfn><a class="term" href="glossary/#${id}">${text}</a></dfn>`;
  });
  const defined = new Set([...withDefinitions.matchAll(/glossary\/#([\w-]+)/g)].map(([, id]) => id));
  return withDefinitions.replace(/<section id="(?!sources|remember)[\s\S]*?<\/section>/g, (section) =>
    markSection(section, new Set([...section.matchAll(/glossary\/#([\w-]+)/g)].map(([, id]) => id)), defined),
  );
}

/** The definitions that a page has and that the glossary lacks. @param {string} html */
export const undefinedTerms = (html) =>
  [...html.matchAll(/<dfn>([\s\S]*?)<\/dfn>/g)].map(([, text]) => text).filter((text) => idOf(text) === undefined);

/** The terms that a page marks, by id. @param {string} html */
export const markedTerms = (html) => new Set([...html.matchAll(/glossary\/#([\w-]+)/g)].map(([, id]) => id));

/** @param {(typeof terms)[number]} term */
function entry({ id, term, symbol, size, text }) {
  const kind = [symbol === undefined ? '' : `$${symbol}$`, size ?? ''].filter((part) => part !== '').join(', ');
  return `<div class="entry" id="${id}">
<dt>${term}</dt>
<dd>${kind === '' ? '' : `<p class="kind">${kind}</p>`}<p>${text}</p></dd>
</div>`;
}

/** The page of all terms. The article takes entries from it, too. @param {{ render: (html: string) => string }} math */
export const glossaryPage = (math) =>
  staticPage({
    title: 'Glossary',
    description: 'The terms of the article about tied embeddings, in plain words, with their symbols and shapes.',
    styles: '../learning.css',
    kind: 'plain-page',
    skip: 'the glossary',
    main: `<h1>Glossary</h1>
<p class="lead">The terms of <a href="../">the article</a>, in plain words. In the article itself, press a word with a dotted line.</p>
<dl class="glossary">
${terms
  .toSorted((one, other) => one.term.localeCompare(other.term, 'en'))
  .map((term) => math.render(entry(term)))
  .join('\n')}
</dl>`,
  });
