import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as format from '../../../web/article/build/format.mjs';
import { fill, numberCitations, sectionTitles } from '../../../web/article/build/template.mjs';

const sources = '<li id="source-first">A</li><li id="source-second">B</li>';
const folder = join(import.meta.dirname, '../../../web/article');
const sections = ['sections', 'chapters'].flatMap((kind) =>
  readdirSync(join(folder, kind))
    .sort()
    .map((name) => readFileSync(join(folder, kind, name), 'utf8')),
);

describe('markers of the article', () => {
  it('become formatted numbers, tables and drawings', () => {
    const parts = { facts: { a: { b: 1234.5 } }, tables: { t: '<table></table>' }, drawings: { d: '<svg></svg>' } };
    expect(fill('{{count a.b}}', parts)).toBe('<span class="number">1,235</span>');
    expect(fill('{{table t}}{{drawing d}}', parts)).toBe('<table></table><svg></svg>');
  });

  it('become escaped words', () => {
    const parts = { facts: { colophon: { author: 'A & B', date: '' } }, tables: {}, drawings: {} };
    expect(fill('By {{text colophon.author}}.', parts)).toBe('By A &amp; B.');
    expect(() => fill('{{text colophon.date}}', parts)).toThrow(/"colophon\.date"/);
  });

  it('with an unknown number, table or format stop the build', () => {
    const parts = { facts: { a: { b: NaN } }, tables: {}, drawings: {} };
    expect(() => fill('{{nats a.c}}', parts)).toThrow(/"a\.c", which is undefined/);
    expect(() => fill('{{nats a.b}}', parts)).toThrow(/"a\.b", which is NaN/);
    expect(() => fill('{{table t}}', parts)).toThrow(/table "t"/);
    expect(() => fill('{{miles a.b}}', parts)).toThrow(/unknown marker/);
  });
});

describe('numbers', () => {
  it('have true minus signs, separated thousands and a fixed number of places', () => {
    expect(format.entry(-0.5)).toBe('−0.50');
    expect(format.count(43876)).toBe('43,876');
    expect(format.nats4(0.2905)).toBe('0.2905');
    expect(format.parameters(204_800_000)).toBe('204.8 million');
  });

  it('are spelled out in a sentence if they are small', () => {
    expect([0, 3, 12, 13, 1234].map(format.words)).toEqual(['no', 'three', 'twelve', '13', '1,234']);
    expect([0, 3, 13].map(format.capital)).toEqual(['No', 'Three', '13']);
    expect([0, 1, 2, 3, 46].map(format.times)).toEqual(['never', 'once', 'twice', 'three times', '46 times']);
  });

  it('never round a small value to zero', () => {
    expect(format.nats(0.0123)).toBe('0.012');
    expect(format.nats(0.0001)).toBe('less than 0.001');
    expect(format.percent(0.0002)).toBe('less than 0.1%');
    expect(format.percent(0)).toBe('0%');
    expect(format.percent(0.038)).toBe('3.8%');
    expect(format.percent(0.4967)).toBe('50%');
  });
});

describe('citations', () => {
  it('are numbered by the position of the source in the list', () => {
    const one = '<a class="cite" href="#source-second"></a> <a class="cite" href="#source-first">[7]</a>';
    const numbered = numberCitations({ one, sources });
    expect(numbered['one']).toMatch(/href="#source-second"[^>]*>\[2\]<.*href="#source-first"[^>]*>\[1\]</);
    expect(numbered['sources']).toBe(sources);
  });

  it('of unlisted sources, and sources without a citation, stop the build', () => {
    expect(() => numberCitations({ one: `<a class="cite" href="#source-none"></a>${sources}` })).toThrow(/source-none/);
    expect(() => numberCitations({ one: `<a class="cite" href="#source-first"></a>${sources}` })).toThrow(
      /source-second/,
    );
  });
});

describe('the sections', () => {
  it('have one id and one heading each, and every link within the page has a target', () => {
    const html = sections.join('\n');
    const ids = [...html.matchAll(/\sid="([\w-]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(sectionTitles(html)).toHaveLength(sections.length);
    for (const [, target] of html.matchAll(/href="#([\w-]+)"/g)) expect(ids, target).toContain(target);
  });

  it('leave numbers of sections and letters of chapters to the outline', () => {
    for (const html of sections) expect(html).not.toMatch(/\b[Ss]ection \d|\bchapter [A-I]\b/);
  });

  it('have distinct short names for narrow places', () => {
    const shorts = sectionTitles(sections.join('\n')).map(({ short }) => short);
    expect(new Set(shorts).size).toBe(sections.length);
    for (const short of shorts) expect(short.length, short).toBeLessThanOrEqual(17);
  });

  it('say nothing that is true only in one color scheme or at one width', () => {
    const words = sections.join('\n').replace(/\s+/g, ' ');
    for (const wrong of [/darker the cell/i, /bright diagonal/i, /\bLeft: /, /\bRight: /])
      expect(words).not.toMatch(wrong);
  });

  it('use one word for each thing', () => {
    // Except for formulas and comments.
    const words = sections
      .join('\n')
      .replace(/\$[^$]*\$/g, '')
      .replace(/\s+/g, ' ');
    const others = [
      /token counts only/i,
      /all bigrams/i,
      /best symmetric logits/i,
      /what the text allows/i,
      /tied through a/i,
      /\bnumbers (a|per) token/i,
      /(?<!\d )\bnumbers (for|less|to spend)/i,
      /\bone (row )?a token/i,
    ];
    for (const other of others) expect(words).not.toMatch(other);
    // Used once, in the definition of the floor.
    expect(words.match(/bigram entropy/g)).toHaveLength(1);
  });

  it('credit all five documents that the project started from', () => {
    const html = sections.join('\n').replace(/\s+/g, ' ');
    for (const title of [
      'Tied Embeddings: Why Sharing Weights Isn’t Always Principled',
      'Weight tying does not imply embedding tying',
      'Weight Tying Biases Token Embeddings Towards the Output Space',
      'Weight Tying: Sharing Embeddings Between Input and Output Layers',
      'Weight-Tying: The Small, Gentle Read–Write Symmetry in Language Models',
    ]) {
      expect(html).toMatch(new RegExp(`<li id="start-[\\w-]+">[^]*?${title}`));
    }
  });

  it('have no style attribute, no inline script and no event attribute', () => {
    for (const html of sections) expect(html).not.toMatch(/\sstyle=|<script|\son[a-z]+=/);
  });

  it('name the models’ file by the version of the finished run, so it is fetched once', () => {
    const run = join(folder, 'assets/finished-transformer-run.json');
    const { models } = JSON.parse(readFileSync(run, 'utf8')) as { models: { url: string } };
    expect(sections.join('\n')).toContain(`weights="${models.url}"`);
  });

  it('put a finished figure inside every element, for readers without scripts', () => {
    const html = sections.join('\n');
    for (const name of ['tied-symmetry-explorer', 'tied-bigrams', 'tied-training-lab', 'tied-parameter-calculator']) {
      expect(html, name).toMatch(new RegExp(`<${name}[^>]*>\\s*<figure class="fallback">[\\s\\S]*?</${name}>`));
    }
  });
});
