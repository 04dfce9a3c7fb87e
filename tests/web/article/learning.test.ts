// What the article has for learners: the glossary, the plain words, and what is stored of a visit.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { mathRenderer } from '../../../web/article/build/math.mjs';
import { closing, inside, parts } from '../../../web/article/build/outline.mjs';
import { addPlainSwitches, plainPage, readPlainWords } from '../../../web/article/learning/build/plain-words.mjs';
import {
  glossaryPage,
  markedTerms,
  markTerms,
  terms,
  undefinedTerms,
} from '../../../web/article/learning/build/terms.mjs';
import { isEmpty, parseProgress } from '../../../web/article/learning/progress.js';

const article = join(root, 'web/article');
const files = ['sections', 'chapters'].flatMap((folder) =>
  readdirSync(join(article, folder)).map((name) => readFileSync(join(article, folder, name), 'utf8')),
);
const html = [readFileSync(join(article, 'page.html'), 'utf8'), ...files].join('\n');
const wordsOf = (markup: string): string[] =>
  markup
    .replace(/<[^>]*>/g, '')
    .trim()
    .split(/\s+/);

/** The entries that an entry leads to. */
const leadsTo = (text: string): string[] => [...text.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id!);

describe('the glossary', () => {
  const page = glossaryPage(mathRenderer());

  it('has an entry for every definition of the article, and no entry that the article does not use', () => {
    expect(html.match(/<dfn>/g)!.length).toBeGreaterThan(20);
    expect(undefinedTerms(html)).toEqual([]);
    const marked = markedTerms(markTerms(html));
    // A reader also comes from one entry to another.
    const reached = new Set([
      ...marked,
      ...terms.filter(({ id }) => marked.has(id)).flatMap(({ text }) => leadsTo(text)),
    ]);
    expect(terms.filter(({ id }) => !reached.has(id)).map(({ id }) => id)).toEqual([]);
    expect([...marked].filter((id) => !terms.some((term) => term.id === id))).toEqual([]);
  });

  it('names each thing once, in words that a reader can take in at a glance', () => {
    const names = terms.flatMap(({ term, names: others = [] }) => [term, ...others]);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(terms.map(({ id }) => id)).size).toBe(terms.length);
    for (const { term, text } of terms) {
      const count = wordsOf(text).length;
      expect(count, term).toBeGreaterThanOrEqual(8);
      expect(count, term).toBeLessThanOrEqual(50);
    }
  });

  it('leads from entry to entry only', () => {
    const inner = terms.flatMap(({ text }) => leadsTo(text));
    expect(inner.length).toBeGreaterThan(10);
    for (const id of inner)
      expect(
        terms.some((term) => term.id === id),
        id,
      ).toBe(true);
    for (const { id } of terms) expect(page).toContain(`id="${id}"`);
    expect(page).not.toMatch(/\sstyle="|\$/);
  });

  it('uses the letters of docs/notation.md', () => {
    const notation = readFileSync(join(root, 'docs/notation.md'), 'utf8');
    for (const [id, letter, shape] of [
      ['embedding', 'W_E', '[V, d]'],
      ['unembedding', 'W_U', '[V, d]'],
      ['direct-path', 'A', '[V, V]'],
      ['bigram', 'J_ij', ''],
      ['loss', 'L', ''],
      ['width', 'd', ''],
    ] as const) {
      const row = notation.split('\n').find((line) => line.startsWith(`| ${letter} |`));
      expect(row, letter).toContain(shape);
      const { symbol, size = '' } = terms.find((term) => term.id === id)!;
      expect(symbol?.replace(/[{}]/g, ''), id).toContain(letter);
      if (shape !== '') expect(size.replace(/\$| /g, '')).toContain(shape.slice(1, -1).replace(', ', '\\times'));
    }
  });

  it('marks definitions and the first use in the prose of a section, and leaves headings, links, figures and formulas alone', () => {
    const before =
      '<section id="one"><h2>Logits</h2><p>The <dfn>logit</dfn>, a <a href="#x">softmax</a>, two logits and a softmax, again a softmax.</p></section>' +
      '<section id="two"><p>All logits. <b>Softmax</b> pre-softmax</p><tied-lens><p>softmax</p></tied-lens><div role="img"><p>softmax</p></div></section>';
    expect(markTerms(before)).toBe(
      '<section id="one"><h2>Logits</h2><p>The <dfn><a class="term" href="glossary/#logit">logit</a></dfn>, a <a href="#x">softmax</a>, two logits and a <a class="term" href="glossary/#softmax">softmax</a>, again a softmax.</p></section>' +
        '<section id="two"><p>All <a class="term" href="glossary/#logit">logits</a>. <b>Softmax</b> pre-softmax</p><tied-lens><p>softmax</p></tied-lens><div role="img"><p>softmax</p></div></section>',
    );
  });
});

describe('the plain words', async () => {
  const plain = await readPlainWords(root);
  const all = [...parts.flatMap(({ sections }) => sections), ...inside.chapters];
  /** They are short and plain themselves. */
  const without = ['remember', ...closing];

  test.each(all.filter((id) => !without.includes(id)))('of %s have 40 to 70 words, and no symbol', (id) => {
    const text = plain.get(id) ?? '';
    expect(wordsOf(text).length).toBeGreaterThanOrEqual(40);
    expect(wordsOf(text).length).toBeLessThanOrEqual(70);
    expect(text).not.toMatch(/\$|\{\{|softmax|logit|eigenvalue|gradient|token|vector|matri|embedding/i);
  });

  it('exist for no other place, and the page of all has each of them', () => {
    expect([...plain.keys()].filter((id) => !all.includes(id))).toEqual([]);
    const switched = addPlainSwitches(html, plain);
    // A heading may be a link itself.
    const page = plainPage(switched.replace('<h2>', '<h2><a href="#here">').replace('</h2>', '</a></h2>'), plain);
    expect(page).not.toMatch(/<a [^>]*>\s*<a /);
    for (const id of plain.keys()) {
      expect(switched.split(`href="plain/#${id}"`).length, id).toBe(2);
      expect(page, id).toContain(`<section id="${id}">`);
    }
  });
});

describe('stored progress', () => {
  it('is read as far as it is what this page stores', () => {
    const text =
      '{"read":["price",7],"guesses":{"train":3.5,"case":"high"},"answers":{"claim-map":"True","x":1},"more":1}';
    expect(parseProgress(text)).toEqual({
      read: ['price'],
      guesses: { train: 3.5 },
      answers: { 'claim-map': 'True' },
    });
  });

  test.each([null, '', 'null', '[]', '7', '{"read":{}}', '{"guesses":[1]}', '{'])('is nothing if it is %s', (text) => {
    expect(isEmpty(parseProgress(text))).toBe(true);
  });
});
