import * as format from './format.mjs';

const follow = (facts, path) => path.split('.').reduce((value, key) => value?.[key], facts);

/** `facts`, 'colophon.version' -> the text. */
function lookUpText(facts, path) {
  const value = follow(facts, path);
  if (typeof value !== 'string' || value === '')
    throw new Error(`The article uses the text "${path}", which is ${String(value)}`);
  return format.escapeHtml(value);
}

/** `facts`, 'colophon.source' -> the HTML that was made for it. */
function lookUpHtml(facts, path) {
  const value = follow(facts, path);
  if (typeof value !== 'string') throw new Error(`The article uses the HTML "${path}", which is ${String(value)}`);
  return value;
}

/** `facts`, 'lab.gap.tied' -> the number. Throws if it is missing, so no sentence lacks its number. */
function lookUp(facts, path) {
  const value = follow(facts, path);
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new Error(`The article uses the number "${path}", which is ${String(value)}`);
  }
  return value;
}

const formats = {
  count: format.count,
  words: format.words,
  capital: format.capital,
  times: format.times,
  nats: format.nats,
  nats3: format.nats3,
  nats4: format.nats4,
  percent: format.percent,
  percent0: format.percent0,
  percent1: format.percent1,
  percent2: format.percent2,
  angle: format.angle,
  entry: format.entry,
  parameters: format.parameters,
};

/**
 * Fills `{{nats lab.gap.tied}}` with a formatted number, `{{interval experiment.difference}}` with a mean and its interval, `{{text colophon.version}}` with words,
 * `{{html colophon.source}}`, `{{table pairs}}` and `{{drawing hero}}` with markup.
 * Unknown names are errors.
 */
export function fill(html, { facts, tables, drawings }) {
  return html.replace(/\{\{\s*([a-z0-9]+)\s+([\w.-]+)\s*\}\}/gi, (whole, kind, name) => {
    if (kind === 'table' || kind === 'drawing') {
      const markup = (kind === 'table' ? tables : drawings)[name];
      if (markup === undefined) throw new Error(`The article uses the ${kind} "${name}", which does not exist`);
      return markup;
    }
    if (kind === 'html') return lookUpHtml(facts, name);
    if (kind === 'text') return lookUpText(facts, name);
    if (kind === 'interval') {
      lookUp(facts, `${name}.mean`);
      lookUp(facts, `${name}.halfWidth`);
      return `<span class="number">${format.interval(follow(facts, name))}</span>`;
    }
    const write = formats[kind];
    if (write === undefined) throw new Error(`The article uses an unknown marker: ${whole}`);
    return `<span class="number">${write(lookUp(facts, name))}</span>`;
  });
}

/**
 * Writes "[n]" into `<a class="cite" href="#id"></a>` of every text, where n is the position of the source in the list, which one of them
 * has. `texts`: HTML by name; so is the result.
 */
export function numberCitations(texts) {
  const order = Object.values(texts).flatMap((html) => [...html.matchAll(/<li id="(source-[\w-]+)"/g)].map((match) => match[1]));
  const cited = new Set();
  const number = (html) =>
    html.replace(/<a class="cite" href="#([\w-]+)">[^<]*<\/a>/g, (_, id) => {
      const place = order.indexOf(id);
      if (place < 0) throw new Error(`The article cites "${id}", which is not among its sources`);
      cited.add(id);
      return `<a class="cite" href="#${id}" aria-label="Source ${place + 1}">[${place + 1}]</a>`;
    });
  const numbered = Object.fromEntries(Object.entries(texts).map(([name, html]) => [name, number(html)]));
  const uncited = order.filter((id) => !cited.has(id));
  if (uncited.length > 0) throw new Error(`The article lists sources that it never cites: ${uncited.join(', ')}`);
  return numbered;
}

/** [{ id, title, short }] of the sections, in order; `short` is for narrow columns. */
export const sectionTitles = (html) =>
  [...html.matchAll(/<section id="([\w-]+)" data-short="([^"]+)">\s*<h2>([\s\S]*?)<\/h2>/g)].map(
    ([, id, short, title]) => ({
      id,
      short,
      title: title.replace(/\s+/g, ' ').trim(),
    }),
  );
