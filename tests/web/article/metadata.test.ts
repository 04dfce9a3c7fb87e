// What other programs read of the page, with and without a URL of the site; the card; links of headings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPng } from '../../../tools/lib/png.mjs';
import { root } from '../../../tools/lib/root.mjs';
import { colophonFacts, howPublished } from '../../../web/article/build/colophon.mjs';
import { slugOf, withHeadingLinks } from '../../../web/article/build/heading-links.mjs';
import { headingOf, metadataFor } from '../../../web/article/build/metadata.mjs';
import { cardLines, drawShareCard, fingerprintOf, shareCard } from '../../../web/article/build/share-card.mjs';
import { siteAddress } from '../../../web/article/build/site-address.mjs';
import { palette } from '../../../web/elements/shared/palette.js';

const page = readFileSync(join(root, 'web/article/page.html'), 'utf8');
const colophon = { author: 'A & B', version: '1.2.3', license: 'MIT', isoDate: '2026-11-29' };
const contents = (html: string): Map<string, string> =>
  new Map(
    [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
  );
const record = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)![1]!) as Record<string, unknown>;

describe('the URL of the site', () => {
  it('is that of the build, or else the homepage of the package, and ends with a slash', () => {
    const manifest = { homepage: 'https://example.org/tied' };
    expect(siteAddress(manifest, {})).toBe('https://example.org/tied/');
    expect(siteAddress(manifest, { SITE_URL: 'https://example.com/' })).toBe('https://example.com/');
    expect(siteAddress({}, { SITE_URL: 'http://localhost:8080' })).toBe('http://localhost:8080/');
    expect(siteAddress({}, {})).toBeNull();
    expect(siteAddress({}, { SITE_URL: '' })).toBeNull();
  });

  it.each([
    'example.org',
    'ftp://example.org/',
    'https://user@example.org/',
    'https://example.org/#readme',
    'https://example.org/?a=1',
  ])('stops the build if it is %s', (url) => {
    expect(() => siteAddress({}, { SITE_URL: url })).toThrow(`SITE_URL is ${url}; expected`);
    expect(() => siteAddress({ homepage: url }, {})).toThrow(`homepage of package.json is ${url}; expected`);
  });
});

describe('the metadata', () => {
  it('without a URL say only what is true without one', () => {
    const html = metadataFor(page, { ...colophon, address: null })();
    const found = contents(html);
    expect(found.get('og:title')).toBe(headingOf(page));
    expect(found.get('citation_title')).toBe(headingOf(page));
    expect(found.get('citation_author')).toBe('A &amp; B');
    expect(found.get('citation_publication_date')).toBe('2026/11/29');
    expect(found.get('twitter:card')).toBe('summary');
    expect([...found.keys()].filter((key) => /url|image/.test(key))).toEqual([]);
    expect(html).not.toContain('canonical');
    // Only the name of the vocabulary.
    expect(html.match(/https?:[^"]*/g)).toEqual(['https://schema.org']);
  });

  it('with one name page and card by it', () => {
    const html = metadataFor(page, { ...colophon, address: 'https://example.org/tied/' })();
    const found = contents(html);
    expect(html).toContain('<link rel="canonical" href="https://example.org/tied/" />');
    for (const key of ['og:url', 'citation_fulltext_html_url'])
      expect(found.get(key)).toBe('https://example.org/tied/');
    expect(found.get('og:image')).toBe(`https://example.org/tied/${shareCard.file}`);
    expect(found.get('twitter:card')).toBe('summary_large_image');
    expect(record(html)).toMatchObject({
      url: 'https://example.org/tied/',
      image: `https://example.org/tied/${shareCard.file}`,
    });
  });

  it('of a chapter are those of a link, without a citation of its own', () => {
    const html = metadataFor(page, { ...colophon, address: 'https://example.org/tied/' })({
      path: 'lens.html',
      title: 'How <i>early</i>?',
    });
    const found = contents(html);
    expect(found.get('og:title')).toBe('How early?');
    expect(found.get('og:url')).toBe('https://example.org/tied/lens.html');
    expect(html).toContain('<link rel="canonical" href="https://example.org/tied/lens.html" />');
    expect([...found.keys()].filter((key) => key.startsWith('citation'))).toEqual([]);
  });

  it('hold one record that cannot be ended by a text in it', () => {
    const html = metadataFor(page, { ...colophon, author: '</script>A & B', address: null })();
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(record(html)).toMatchObject({ headline: headingOf(page), author: { name: '</script>A & B' } });
  });

  it('have the date of the colophon, and the entry for BibTeX the URL of the site before that of the source', async () => {
    const facts = await colophonFacts(root);
    expect(facts.isoDate).toMatch(/^20\d\d(-\d\d-\d\d)?$/);
    expect(facts.isoDate.startsWith(facts.year)).toBe(true);
    expect(howPublished({ site: 'https://example.org/tied/', repository: 'https://example.com/' })).toBe(
      '\n  url    = {https://example.org/tied/},',
    );
  });
});

describe('the card', () => {
  const { hero } = JSON.parse(readFileSync(join(root, 'web/article/assets/recorded-facts.json'), 'utf8')) as {
    hero: { words: string[]; text: number[][]; shared: number[][] };
  };
  const drawing = drawShareCard({ hero, palette, lines: cardLines(headingOf(page)) });

  it('is the drawing of the numbers on the page; if not, run: node tools/images.mjs card', () => {
    const png = readFileSync(join(root, 'web/article/assets', shareCard.file));
    const { width, height, texts } = readPng(png);
    expect({ width, height }).toEqual({ width: shareCard.width, height: shareCard.height });
    expect(png.length).toBeLessThanOrEqual(60_000);
    expect(texts.get('Fingerprint')).toBe(fingerprintOf(drawing));
  });

  it('has the whole title, and the shares that the maps show', () => {
    expect(cardLines(headingOf(page)).join(' ')).toBe(headingOf(page));
    for (const line of cardLines(headingOf(page))) expect(drawing).toContain(`>${line}</text>`);
    const [from, to] = [hero.words.indexOf('New'), hero.words.indexOf('York')] as [number, number];
    for (const values of [hero.text, hero.shared]) {
      expect(drawing).toContain(`>${Math.round(100 * values[from]![to]!)}%</text>`);
      expect(drawing).toContain(`>${Math.round(100 * values[from]![from]!)}%</text>`);
    }
  });
});

const linked = (html: string): string => withHeadingLinks({ section: html })['section']!;

describe('the links of headings', () => {
  it('lead to the section, to the heading’s own id, or to one made of its words', () => {
    expect(linked('<section id="a" data-short="A">\n  <h2>What?</h2>')).toContain(
      '<h2><a class="heading-link" href="#a">What?</a></h2>',
    );
    expect(linked('<h3 id="b">Who <i>is</i> it?</h3>')).toBe(
      '<h3 id="b"><a class="heading-link" href="#b">Who <i>is</i> it?</a></h3>',
    );
    expect(linked('<h3>What it doesn’t show</h3>')).toBe(
      '<h3 id="what-it-doesnt-show"><a class="heading-link" href="#what-it-doesnt-show">What it doesn’t show</a></h3>',
    );
    expect(slugOf('A &amp; B: <b>{{count a.b}}</b> ways')).toBe('a-b-ways');
  });

  it('leave headings that open a fold alone', () => {
    const html = '<details><summary><h3 id="c">More</h3></summary></details>';
    expect(linked(html)).toBe(html);
  });

  it('stop the build where two would have one id, or a link would be inside a link', () => {
    expect(() => linked('<p id="more">x</p><h3>More</h3>')).toThrow(/"More" needs an id/);
    expect(() => linked('<h3>See <a href="#x">x</a></h3>')).toThrow(/link or a button inside/);
  });
});
