import { fill, numberCitations, sectionTitles } from './template.mjs';

/** Keeps a number and its unit on one line. */
const tidy = (html) =>
  html
    // Indentation has no meaning except in <pre>; one space remains, as in a browser.
    .replace(/(<pre\b[\s\S]*?<\/pre>)|\n\s+/g, (_, preformatted) => preformatted ?? '\n')
    .replace(/(\d) (%|nats|bits)/g, '$1\u00a0$2')
    .replace(/(<span class="number">[^<]*<\/span>) (nats)/g, '$1\u00a0$2');

/** Assembles the page with every number, table, drawing and formula. */
export function assemblePage({ page, sections, facts, tables, drawings, palette, math }) {
  const body = numberCitations(sections.join('\n'));
  const titles = sectionTitles(body);
  const contents = titles
    .map(({ id, title, short }) => `<li><a href="#${id}" data-short="${short}"><span>${title}</span></a></li>`)
    .join('\n');
  const whole = page
    .replace('{{contents}}', () => contents)
    .replace('{{sections}}', () => body)
    .replace(/\{\{color (\w+) (light|dark)\}\}/g, (_, name, scheme) => palette[name][scheme === 'light' ? 0 : 1]);
  const rendered = math.render(whole);
  const html = tidy(fill(rendered, { facts, tables, drawings }));
  const left = /\{\{[^}]*\}\}|\sstyle="/.exec(html);
  if (left !== null) throw new Error(`The assembled page still holds: ${left[0]}`);
  return html;
}
