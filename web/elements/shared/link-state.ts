/**
 * An element's state as a link: `#tied=<name>&mode=untied&...`. The name is the author's `link-state`, so a page
 * with several figures opens the right one.
 */

const marker = 'tied';

export function encodeLinkState(name: string, settings: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams({ [marker]: name, ...settings });
  return `#${parameters.toString()}`;
}

/** The settings of the element called `name`, or null if the hash refers to something else. */
export function decodeLinkState(hash: string, name: string): Record<string, string> | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  if (parameters.get(marker) !== name) return null;
  parameters.delete(marker);
  return Object.fromEntries(parameters);
}

const escapeAttribute = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

/** HTML that shows an element with these attributes on any page. An empty value is an attribute without one. */
export function embedCode(tag: string, settings: Readonly<Record<string, string>>, scriptUrl: string): string {
  const attributes = Object.entries(settings)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('');
  return `<script src="${escapeAttribute(scriptUrl)}" defer></script>\n<${tag}${attributes}></${tag}>`;
}
