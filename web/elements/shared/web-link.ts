/** Any http(s) page works as a base: a relative link takes its scheme, an absolute one keeps its own. */
const anyPage = 'https://page.invalid/';

/**
 * The unchanged link if it is relative or its scheme is http or https; otherwise null. Every attribute that becomes an
 * `href` or `src` passes through here, because `javascript:`, `data:`, `vbscript:` and similar schemes run code. The
 * browser's own parser decides, so control characters, white space and case do not get around it. `//host/path` takes
 * the page's scheme and is accepted.
 */
export function webLink(text: string): string | null {
  try {
    const { protocol } = new URL(text, anyPage);
    return protocol === 'https:' || protocol === 'http:' ? text : null;
  } catch {
    return null;
  }
}
