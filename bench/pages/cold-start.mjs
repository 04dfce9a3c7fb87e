// Cold starts: from navigation to the first finished result, in a browser without a cache, as on a visitor's first view
// of a page. The server is local, so the network costs only decompression.
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

const types = { '.html': 'text/html; charset=utf-8', '.wasm': 'application/wasm' };
const typeOf = (path) => types[extname(path)] ?? 'text/javascript; charset=utf-8';

/**
 * Serves compressed files on this machine and forbids caching. `folders` maps address prefixes to folders, `pages` maps
 * addresses to text, '/' to HTML (the rest of the path is left to the page). Resolves with { url, sent, close }; `sent`
 * lists the responses since it was last emptied: { path, bytes, gzipBytes }.
 * @param {{ folders?: Record<string, string>, pages: Record<string, string>, headers?: Record<string, string> }} options
 */
export async function serveCompressed({ folders = {}, pages, headers = {} }) {
  const kept = new Map();
  const sent = [];
  const contentOf = (path) => {
    if (Object.hasOwn(pages, path)) {
      return { content: Buffer.from(pages[path]), type: typeOf(path === '/' ? 'index.html' : path) };
    }
    for (const [prefix, folder] of Object.entries(folders)) {
      const file = normalize(join(folder, path.slice(prefix.length)));
      if (!path.startsWith(prefix) || !file.startsWith(normalize(folder + sep))) continue;
      if (statSync(file, { throwIfNoEntry: false })?.isFile())
        return { content: readFileSync(file), type: typeOf(file) };
    }
    return undefined;
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    // Compressed once, before the measurements.
    if (!kept.has(path)) {
      const found = contentOf(path);
      kept.set(
        path,
        found && { ...found, bytes: found.content.length, content: gzipSync(found.content, { level: 9 }) },
      );
    }
    const answer = kept.get(path);
    if (answer === undefined) return response.writeHead(404).end();
    sent.push({ path, bytes: answer.bytes, gzipBytes: answer.content.length });
    response.writeHead(200, {
      ...headers,
      'Content-Type': answer.type,
      'Content-Encoding': 'gzip',
      'Content-Length': answer.content.length,
      'Cache-Control': 'no-store',
    });
    response.end(answer.content);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, sent, close };
}

/**
 * Opens the address in a new context, and resolves with the seconds from navigation until the page has set
 * `globalThis.finished = performance.now()`. Rejects with the value of `globalThis.failed` or an uncaught error.
 * @param {import('playwright-core').Browser} browser
 */
async function startOnce(browser, url) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(url);
    const outcome = await page
      .waitForFunction(() => globalThis.finished ?? globalThis.failed, undefined, { timeout: 60_000 })
      .then((handle) => handle.jsonValue())
      .catch((error) => error.message.split('\n')[0]);
    if (typeof outcome !== 'number') throw new Error([outcome, ...problems].join('; '));
    return outcome / 1000;
  } finally {
    await context.close();
  }
}

/**
 * Cold starts for at least the given milliseconds, as a contender's `measure`; the facts list the transferred bytes.
 * @param {Awaited<ReturnType<typeof serveCompressed>>} server
 * @returns {Promise<import('../contender.d.ts').Measurement>}
 */
export async function measureColdStarts(browser, server, address, milliseconds) {
  let seconds = 0;
  let calls = 0;
  do {
    server.sent.length = 0;
    seconds += await startOnce(browser, server.url + address);
    calls++;
  } while (seconds * 1000 < milliseconds);
  const gzipBytes = server.sent.reduce((sum, one) => sum + one.gzipBytes, 0);
  return { seconds, calls, facts: { 'bytes sent, gzip': gzipBytes } };
}

/**
 * A contender from pages that start something: `addresses` maps ids of cases to addresses on the server.
 * @param {import('playwright-core').Browser} browser
 * @param {{ name: string, version?: string, folders?: Record<string, string>, pages: Record<string, string>,
 *   addresses: Record<string, string> }} options
 * @returns {Promise<import('../contender.d.ts').Contender>}
 */
export async function coldContender(browser, { name, version, folders, pages, addresses }) {
  const server = await serveCompressed({ folders, pages });
  return {
    name,
    host: 'Chromium',
    version,
    clock: 'wall',
    cases: () => Object.keys(addresses),
    measure: (id, milliseconds) => measureColdStarts(browser, server, addresses[id], milliseconds),
    close: server.close,
  };
}

/** A page with one script, as for all contenders. */
export const pageOf = (script) =>
  `<!doctype html><meta charset="utf-8"><title>Cold start</title><script type="module" src="${script}"></script>`;

/** The time of a page without any library. */
export function emptyPage(browser) {
  return coldContender(browser, {
    name: 'empty page',
    pages: { '/': pageOf('/nothing.mjs'), '/nothing.mjs': 'globalThis.finished = performance.now();' },
    addresses: { 'cold/empty': '/' },
  });
}
