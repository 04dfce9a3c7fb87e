// The page of all claims as the site serves it: docs/claims.md in the article's style, without scripts.
import { Marked } from 'marked';
import { staticPage } from '../lib/static-page.mjs';

const idOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** Links lead to files of the repository, which are not on the site, so only their names remain. */
const marked = new Marked({
  renderer: {
    link({ href, text, tokens }) {
      const inner = this.parser.parseInline(tokens);
      return href.includes(text) ? inner : `${inner}: ${href}`;
    },
  },
});

/** @param {import('marked').Token[]} tokens */
const html = (tokens) => marked.parser(tokens);

/** A table that is wider than a phone's screen scrolls in its frame, also by keyboard. */
const framed = (table, label) =>
  `<div class="table-frame" role="region" aria-label="${label}" tabindex="0">${html([table])}</div>`;

/** @param {import('marked').Tokens.Generic[]} tokens */
function sectionHtml([heading, ...tokens], verdict) {
  const tables = tokens.filter(({ type }) => type === 'table');
  const others = tokens.filter(({ type }) => type !== 'table' && type !== 'space');
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const kinds = tables.map((table, index) =>
    framed(
      table,
      `${table.header[1].text === 'value' ? 'Values' : 'Criteria'} of claim “${heading.text}”, ${index + 1}`,
    ),
  );
  const details =
    tables.length === 0
      ? ''
      : `<details><summary>${rows} ${rows === 1 ? 'row' : 'rows'}, seed by seed</summary>${kinds.join('\n')}</details>`;
  return `<section id="${idOf(heading.text)}">
<h2>${heading.text}</h2>
${verdict === undefined ? '' : `<p><strong>${verdict}</strong></p>`}
${html(others)}
${details}
</section>`;
}

/** The sections, which start with a second-level heading, and what precedes them. */
function partsOf(tokens) {
  const starts = tokens.flatMap(({ type, depth }, index) => (type === 'heading' && depth === 2 ? [index] : []));
  return {
    before: tokens.slice(0, starts[0]),
    sections: starts.map((start, index) => tokens.slice(start, starts[index + 1])),
  };
}

/** @param {string} markdown What `npm run claims` writes. */
export function renderClaims(markdown) {
  const { before, sections } = partsOf(marked.lexer(markdown));
  const overview = before.find(({ type }) => type === 'table');
  const verdicts = new Map(overview.rows.map(([claim, outcome]) => [claim.text, outcome.text]));
  const link = (title) => `<a href="#${idOf(title)}">${title}</a>`;
  const rows = [...verdicts].map(
    ([claim, outcome]) => `<tr><th scope="row">${link(claim)}</th><td>${outcome}</td></tr>`,
  );
  return staticPage({
    title: 'Claims and outcomes',
    description:
      'Every claim about tied embeddings that the article makes or examines: its criterion, every seed, the interval, chance, and the verdict.',
    styles: '../api/api.css',
    kind: 'api api-plain',
    skip: 'the claims',
    main: `${html(before.filter((token) => token !== overview))}
<div class="table-frame" role="region" aria-label="All claims" tabindex="0"><table>
<thead><tr><th scope="col">Claim</th><th scope="col">Outcome</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>
${sections.map((section) => sectionHtml(section, verdicts.get(section[0].text))).join('\n')}`,
  });
}
