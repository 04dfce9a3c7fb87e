/**
 * The URL under which the site will be served, ending with a slash: the environment variable SITE_URL of the build or, without it, `homepage` in
 * package.json; null if neither is set. Everything on the page that needs an absolute URL takes it from here, and is left out without one.
 *
 * @param {{ homepage?: string }} manifest
 * @param {Record<string, string | undefined>} environment
 * @returns {string | null}
 */
export function siteAddress({ homepage }, environment = process.env) {
  const fromBuild = environment.SITE_URL;
  const text = fromBuild || homepage;
  if (!text) return null;
  const name = fromBuild ? 'SITE_URL' : 'homepage of package.json';
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${name} is ${text}; expected: the URL of the site, with http or https, and without user, query or fragment`);
  }
  return url.href.replace(/\/?$/, '/');
}
