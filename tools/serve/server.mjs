// A small static server, reachable from this machine only, for the article during development and for browser tests.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.cjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** The policy under which page and package must work: no inline script or style, no eval, no other hosts. */
export const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function fileFor(folders, path) {
  const all = Object.entries(folders).flatMap(([prefix, of]) => [of].flat().map((folder) => ({ prefix, folder })));
  for (const { prefix, folder } of all) {
    if (!path.startsWith(prefix)) continue;
    const file = normalize(join(folder, path.slice(prefix.length)));
    if (file !== normalize(folder) && !file.startsWith(normalize(folder + sep))) continue;
    for (const candidate of [file, join(file, 'index.html')]) {
      const stats = statSync(candidate, { throwIfNoEntry: false });
      if (stats?.isFile()) return { file: candidate, size: stats.size, tag: `"${stats.mtimeMs}-${stats.size}"` };
    }
  }
  return undefined;
}

/**
 * Serves on 127.0.0.1. `folders` maps URL prefixes to folders ('/' : site), or lists of them, `pages` maps URLs to HTML. If
 * `port` is taken, the next free one is used; 0 lets the system choose. `headers` are sent with every response. `posts`
 * maps URLs to functions that receive the posted text, `routes` maps URLs to functions that answer GET
 * requests (request, response, the common headers), and `changeHtml` transforms the HTML of files. `ready` may return a promise
 * for a file that is being made; the answer waits for it. `folders` is read at each request. Resolves with { url, close }.
 * @param {{ folders?: Record<string, string | string[]>, pages?: Record<string, string>, port?: number, policy?: string,
 *   headers?: Record<string, string>, posts?: Record<string, (text: string) => void>, changeHtml?: (html: string) => string,
 *   routes?: Record<string, (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse,
 *     headers: Record<string, string>) => void>, ready?: (path: string) => Promise<unknown> | undefined }} options
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export function serve({
  folders = {},
  pages = {},
  port = 0,
  policy = contentSecurityPolicy,
  headers: more = {},
  posts = {},
  routes = {},
  changeHtml,
  ready = () => undefined,
}) {
  const answerFile = (path, request, response, headers) => {
    const found = fileFor(folders, path);
    if (!found) {
      response.writeHead(404, { ...headers, 'Content-Type': types['.txt'] }).end('Not found\n');
    } else if (request.headers['if-none-match'] === found.tag) {
      response.writeHead(304, { ...headers, ETag: found.tag }).end();
    } else if (changeHtml && extname(found.file) === '.html') {
      const html = changeHtml(readFileSync(found.file, 'utf8'));
      response.writeHead(200, { ...headers, ETag: found.tag, 'Content-Type': types['.html'] });
      response.end(request.method === 'HEAD' ? undefined : html);
    } else {
      const type = types[extname(found.file)] ?? 'application/octet-stream';
      response.writeHead(200, { ...headers, ETag: found.tag, 'Content-Type': type, 'Content-Length': found.size });
      if (request.method === 'HEAD') response.end();
      else createReadStream(found.file).pipe(response);
    }
  };
  const server = createServer((request, response) => {
    let path;
    try {
      path = decodeURIComponent(request.url.split(/[?#]/)[0]);
    } catch {
      response.writeHead(400).end();
      return;
    }
    const headers = {
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
      ...more,
    };
    if (request.method === 'POST' && Object.hasOwn(posts, path)) {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        response.writeHead(204, headers).end();
        posts[path](text);
      });
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
    } else if (Object.hasOwn(routes, path)) {
      routes[path](request, response, headers);
    } else if (Object.hasOwn(pages, path)) {
      response.writeHead(200, { ...headers, 'Content-Type': types['.html'] });
      response.end(request.method === 'HEAD' ? undefined : pages[path]);
    } else {
      const waits = ready(path);
      if (waits === undefined) answerFile(path, request, response, headers);
      else void waits.then(() => answerFile(path, request, response, headers));
    }
  });
  return new Promise((resolve, reject) => {
    let candidate = port;
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code !== 'EADDRINUSE' || port === 0 || candidate > port + 100) return reject(error);
      server.listen(++candidate, '127.0.0.1');
    });
    server.on('listening', () => {
      const close = () =>
        new Promise((done) => {
          server.close(done);
          server.closeAllConnections();
        });
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({ url: `http://127.0.0.1:${address.port}/`, close });
    });
    server.listen(candidate, '127.0.0.1');
  });
}
