/**
 * Makes the text of each second- and third-level heading a link to it, so that readers can send one another a section. The link is named by the
 * heading, and a sign beside it appears on hover and focus (`styles/share.css`). A heading is reached by its own id, or by that of the section which
 * it begins; one without either gets an id made of its words.
 */

const plain = (html) =>
  html
    .replace(/<[^>]*>|\{\{[^}]*\}\}/g, ' ')
    .replace(/&[a-z]+;/g, ' ')
    .trim();

/** 'What this page does not show' -> 'what-this-page-does-not-show' */
export const slugOf = (html) =>
  plain(html)
    .toLowerCase()
    .replace(/[’']/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * @param {Record<string, string>} sections HTML by the section's id. No id may occur twice in them.
 * @returns {Record<string, string>}
 */
export function withHeadingLinks(sections) {
  const ids = new Set([...Object.values(sections).join('\n').matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
  const free = (title) => {
    const slug = slugOf(title);
    if (slug === '' || ids.has(slug)) throw new Error(`The heading "${plain(title)}" needs an id of its own`);
    ids.add(slug);
    return slug;
  };
  // A heading that opens a fold stays one.
  const heading =
    /(<summary\b[\s\S]*?<\/summary>)|(<section\b[^>]*?\sid="([\w-]+)"[^>]*>\s*)?<h([23])([^>]*)>([\s\S]*?)<\/h\4>/g;
  const linked = (whole, summary, before = '', section, level, attributes, title) => {
    if (summary !== undefined) return whole;
    if (/<(a|button)\b/.test(title)) throw new Error(`The heading "${plain(title)}" has a link or a button inside`);
    const own = /\sid="([^"]+)"/.exec(attributes)?.[1];
    const id = own ?? section ?? free(title);
    const more = own === undefined && section === undefined ? ` id="${id}"` : '';
    return `${before}<h${level}${attributes}${more}><a class="heading-link" href="#${id}">${title.trim()}</a></h${level}>`;
  };
  return Object.fromEntries(Object.entries(sections).map(([id, html]) => [id, html.replace(heading, linked)]));
}
