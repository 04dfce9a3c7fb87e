import { escapeHtml } from './format.mjs';
import { shareCard } from './share-card.mjs';

/**
 * What other programs read of the page: search engines, reference managers, and services that show a card for a link. Whatever needs the
 * site's URL is left out without it.
 */

const tag = (kind, name, content) => `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`;
const property = (name, content) => tag('property', name, content);
const named = (name, content) => tag('name', name, content);

/** The page's own title and description; both stand once, in page.html. Entities stay as they are: neither has any. */
function titleAndDescription(page) {
  const title = /<title>([^<&]+)<\/title>/.exec(page)?.[1];
  const description = /<meta\s+name="description"\s+content="([^"&]+)"/.exec(page)?.[1];
  if (title === undefined || description === undefined) throw new Error('page.html has no title or no description');
  return { title, description };
}

/** The name of the article: its heading. */
export function headingOf(page) {
  const heading = /<h1>([^<&]+)<\/h1>/.exec(page)?.[1];
  if (heading === undefined) throw new Error('page.html has no plain heading');
  return heading;
}

/**
 * The same as one record, which is data and no script: a content security policy leaves it alone, since nothing is executed.
 * "<" is escaped so that no text can end the element.
 */
function linkedData({ name, description, colophon, address }) {
  const record = {
    '@context': 'https://schema.org',
    '@type': 'ScholarlyArticle',
    ...{ headline: name, description, inLanguage: 'en', version: colophon.version, license: colophon.license },
    author: { '@type': 'Organization', name: colophon.author },
    datePublished: colophon.isoDate,
    ...(address === null ? {} : { url: address, mainEntityOfPage: address, image: address + shareCard.file }),
  };
  return `<script type="application/ld+json">${JSON.stringify(record).replaceAll('<', '\\u003c')}</script>`;
}

/** What a link to a page looks like elsewhere. */
function forLinks({ title, description, address, path = '' }) {
  const lines = [
    property('og:type', 'article'),
    property('og:title', title),
    property('og:description', description),
    property('og:site_name', 'Tied embeddings'),
  ];
  if (address === null) return [...lines, named('twitter:card', 'summary')];
  return [
    ...lines,
    `<link rel="canonical" href="${escapeHtml(address + path)}" />`,
    property('og:url', address + path),
    property('og:image', address + shareCard.file),
    property('og:image:width', String(shareCard.width)),
    property('og:image:height', String(shareCard.height)),
    property('og:image:alt', shareCard.description),
    named('twitter:card', 'summary_large_image'),
  ];
}

/** For reference managers; they save the article, not a chapter. */
const forCitations = (title, { author, isoDate, address }) => [
  named('citation_title', title),
  named('citation_author', author),
  named('citation_publication_date', isoDate.replaceAll('-', '/')),
  named('citation_language', 'en'),
  ...(address === null ? [] : [named('citation_fulltext_html_url', address)]),
];

/**
 * @param {string} page page.html
 * @param {{ author: string, version: string, license: string, isoDate: string, address: string | null }} colophon
 * @returns {(chapter?: { path: string, title: string }) => string} the metadata of the article or, given its file and title as HTML, of a chapter
 */
export function metadataFor(page, colophon) {
  const { description } = titleAndDescription(page);
  const name = headingOf(page);
  const { address } = colophon;
  return (chapter) => {
    if (chapter !== undefined) {
      const title = chapter.title.replace(/<[^>]*>/g, '');
      return forLinks({ title, description, address, path: chapter.path }).join('\n');
    }
    return [
      ...forLinks({ title: name, description, address }),
      ...forCitations(name, colophon),
      linkedData({ name, description, colophon, address }),
    ].join('\n');
  };
}
