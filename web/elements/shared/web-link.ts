/** Any http(s) page will do as a base: a relative link takes its scheme from the base, an absolute one keeps its own. */
const anyPage = 'https://page.invalid/';

/**
 * The link as it was given if it leads to a page of the web, that is, if it is relative or its scheme is http or https;
 * else null. Every address that an attribute brings into an `href` or `src` goes through here: `javascript:`, `data:`,
 * `vbscript:` and their like run code. The browser's own parser decides, so control characters, white space and case hide
 * nothing from it. `//host/path` takes the page's scheme and passes.
 */
export function webLink(text: string): string | null {
  try {
    const { protocol } = new URL(text, anyPage);
    return protocol === 'https:' || protocol === 'http:' ? text : null;
  } catch {
    return null;
  }
}
