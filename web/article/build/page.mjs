import { groupFolds } from './folds.mjs';
import { withHeadingLinks } from './heading-links.mjs';
import { closing, inside, minutesOf, nameOf, numberOf, parts } from './outline.mjs';
import { fill, numberCitations, sectionTitles } from './template.mjs';

/** Keeps a number and its unit on one line. */
const tidy = (html) =>
  html
    // Indentation has no meaning except in <pre>; one space remains, as in a browser.
    .replace(/(<pre\b[\s\S]*?<\/pre>)|\n\s+/g, (_, preformatted) => preformatted ?? '\n')
    .replace(/(\d) (%|nats|bits)/g, '$1\u00a0$2')
    .replace(/(<span class="number">[^<]*<\/span>) (nats)/g, '$1\u00a0$2');

const minutes = (sections) =>
  Math.max(1, Math.round(sections.reduce((total, html) => total + minutesOf(html), 0)));

const partTitle = ({ name, title }, time) =>
  `<div class="part"><p><span class="part-name">${name}</span> ${title} <span class="minutes">${time} minutes</span></p></div>`;

/** Every heading of a section shows its number. */
const withNumber = (html, id) => html.replace('<h2', `<h2 data-number="${numberOf(id)}"`);

const link = ({ id, title, short }) =>
  `<li data-number="${numberOf(id)}"><a href="#${id}" data-short="${short}"><span>${title}</span></a></li>`;

const contentsPart = ({ name, title }, time, titles) =>
  `<li><p>${name}: ${title} <span class="minutes">${time} min</span></p><ol>\n${titles.map(link).join('\n')}</ol></li>`;

/** The texts, and the models trained on them, by name: the built-in story, Shakespeare's plays, and the stories of the two small GPTs. */
const sets = { story: 'Story', plays: 'Plays', tales: 'Tales' };

function setName(name) {
  const shown = sets[name];
  if (shown === undefined) throw new Error(`The article names the set "${name}", which does not exist`);
  return `<span class="set ${name}">${shown}</span>`;
}

const teaserOf = (html) => {
  const found = /<p class="teaser">([\s\S]*?)<\/p>/.exec(html);
  if (found === null) throw new Error(`A chapter has no teaser: ${html.slice(0, 80)}`);
  return found[1].trim();
};

/** What a link may name in a chapter: ids, and figures by the name of their state. */
const holdings = (html) => ({
  ids: [...html.matchAll(/\sid="([\w-]+)"/g)].map(([, id]) => id),
  figures: [...html.matchAll(/\slink-state="([\w-]+)"/g)].map(([, name]) => name),
});

/** A chapter in the article: its heading, a sentence and a picture. A script fetches the rest when it is opened. */
function closedChapter(html, { id, title }) {
  const { ids, figures } = holdings(html);
  const own = ids.filter((one) => one !== id).join(' ');
  const data = Object.entries({ ids: own, figures: figures.join(' ') })
    .filter(([, names]) => names !== '')
    .map(([name, names]) => ` data-${name}="${names}"`);
  return `<details class="chapter" id="${id}"${data.join('')}>
<summary>{{drawing chapter-${id}}}<h2 data-number="${numberOf(id)}">${title}</h2><p class="teaser">${teaserOf(html)}</p></summary>
<p class="chapter-page"><a href="${id}.html">This chapter on a page of its own</a></p>
</details>`;
}

/** On a chapter's own page, links to the rest of the article lead there. */
function asPage(html) {
  const { ids } = holdings(html);
  return html.replace(/href="#([\w-]+)"/g, (whole, id) => (ids.includes(id) ? whole : `href="./#${id}"`));
}

/**
 * Assembles the article and the pages of its chapters, with every number, table, drawing and formula: { 'index.html': html, … }.
 * `sections`: the HTML of sections and chapters by id. `metadata`: HTML for the head of the article or, with its name and title, of a chapter.
 */
export function assemblePages({ page, chapterPage, sections, facts, tables, drawings, palette, math, metadata }) {
  const get = (id) => {
    const html = sections[id];
    if (html === undefined) throw new Error(`The article's outline names "${id}", which has no file`);
    return html;
  };
  const cited = numberCitations(sections);
  const titleOf = Object.fromEntries(sectionTitles(Object.values(cited).join('\n')).map((one) => [one.id, one]));
  const numbered = Object.fromEntries(
    Object.entries(withHeadingLinks(cited)).map(([id, html]) => [id, groupFolds(html)]),
  );
  const whole = parts.map((part) => ({
    ...part,
    time: minutes(part.sections.map(get)),
    html: part.sections.map((id) => withNumber(numbered[id], id)).join('\n'),
  }));
  const insideTime = minutes(inside.chapters.map(get));
  const body = [
    ...whole.map((part) => `${partTitle(part, part.time)}\n${part.html}`),
    `<div class="chapters" id="inside">${partTitle(inside, insideTime)}
${inside.chapters.map((id) => closedChapter(numbered[id], titleOf[id])).join('\n')}</div>`,
    ...closing.map((id) => withNumber(numbered[id], id)),
  ].join('\n');
  const contents = [
    ...whole.map((part) => contentsPart(part, part.time, part.sections.map((id) => titleOf[id]))),
    contentsPart(inside, insideTime, inside.chapters.map((id) => titleOf[id])),
    ...closing.map((id) => link(titleOf[id])),
  ].join('\n');
  const finish = (html) => {
    const named = html
      .replace(/\{\{section\s+([\w-]+)\s*\}\}/g, (_, id) => nameOf(id))
      .replace(/\{\{set\s+([\w-]+)\s*\}\}/g, (_, name) => setName(name))
      .replace(/\{\{color (\w+) (light|dark)\}\}/g, (_, name, scheme) => palette[name][scheme === 'light' ? 0 : 1]);
    const done = tidy(fill(math.render(named), { facts, tables, drawings }));
    const left = /\{\{[^}]*\}\}|\sstyle="/.exec(done);
    if (left !== null) throw new Error(`The assembled page still holds: ${left[0]}`);
    return done;
  };
  const minutesInAll = minutes([page, ...parts.flatMap((part) => part.sections.map(get))]);
  const pages = {
    'index.html': finish(
      page
        .replace('{{contents}}', () => contents)
        .replace('{{sections}}', () => body)
        .replace('{{metadata}}', () => metadata())
        .replaceAll('{{minutes}}', String(minutesInAll)),
    ),
  };
  for (const [index, id] of inside.chapters.entries()) {
    const { title } = titleOf[id];
    const next = titleOf[inside.chapters[index + 1]];
    const onward = next === undefined ? '' : `<p class="onward">Next: <a href="${next.id}.html">${next.title}</a></p>`;
    pages[`${id}.html`] = finish(
      chapterPage
        .replace('{{metadata}}', () => metadata({ path: `${id}.html`, title }))
        .replaceAll('{{title}}', title)
        .replace('{{chapter}}', () => asPage(withNumber(numbered[id], id)))
        .replace('{{onward}}', () => onward),
    );
  }
  return pages;
}
