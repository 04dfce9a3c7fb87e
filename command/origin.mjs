// Where a checkpoint comes from: the day on which its file was last changed, and which revision of it this is.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modelFileOf } from './checkpoint-files.mjs';
import { isUrl } from './checkpoint.mjs';
import { fileLink } from './command-parts.js';

/** A server that does not answer a question about a file gets no more time than this, in milliseconds. */
const patience = 20_000;

/** What is not known. */
const none = null;

/**
 * Nothing here is guessed: what neither the file nor its server says is null.
 * @param {string} place A file, a folder or a URL.
 * @returns {Promise<{ date: string | null, revision: string | null }>}
 */
export async function originOf(place) {
  try {
    return isUrl(place) ? await originOfUrl(place) : originOfFile(realpathSync(modelFileOf(place)));
  } catch {
    // Whoever opens it says why it cannot be read.
    return { date: none, revision: none };
  }
}

/** @param {string} file */
function originOfFile(file) {
  const ofPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))?.[1];
  const date = statSync(file).mtime.toISOString().slice(0, 10);
  if (ofPackage !== undefined) {
    const { name, version } = JSON.parse(readFileSync(join(ofPackage, 'package.json'), 'utf8'));
    // npm gives all files of all packages one date.
    return { date: none, revision: `${name}@${version}` };
  }
  // The cache of the Hub's own tools has a folder for each commit.
  const ofCache = /[/\\]snapshots[/\\]([0-9a-f]{40})[/\\]/.exec(file)?.[1];
  return { date, revision: ofCache === undefined ? commitOf(dirname(file)) : shortCommit(ofCache) };
}

const shortCommit = (/** @type {string} */ commit) => commit.slice(0, 12);

/** The commit of a clone, if the folder is one. @param {string} folder */
function commitOf(folder) {
  const git = join(folder, '.git');
  if (!existsSync(join(git, 'HEAD'))) return none;
  const head = readFileSync(join(git, 'HEAD'), 'utf8').trim();
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (ref === undefined) return /^[0-9a-f]{40}/.test(head) ? shortCommit(head) : none;
  const loose = join(git, ref);
  if (existsSync(loose)) return shortCommit(readFileSync(loose, 'utf8').trim());
  const packed = existsSync(join(git, 'packed-refs')) ? readFileSync(join(git, 'packed-refs'), 'utf8') : '';
  const line = packed.split('\n').find((one) => one.endsWith(` ${ref}`));
  return line === undefined ? none : shortCommit(line);
}

/** @param {string} place */
async function originOfUrl(place) {
  for (let link = fileLink(place); link !== null; link = /** @type {any} */ (link.otherwise)) {
    const found = await headersOf(link.url);
    if (found === null) continue;
    const day = Date.parse(found.get('last-modified') ?? '');
    return {
      date: Number.isNaN(day) ? none : new Date(day).toISOString().slice(0, 10),
      revision: revisionOf(found),
    };
  }
  return { date: none, revision: none };
}

/** The Hub names the commit, also for a branch; other servers have a tag for the bytes. @param {Headers} headers */
function revisionOf(headers) {
  const commit = headers.get('x-repo-commit');
  if (commit !== null && /^[0-9a-f]{40}$/.test(commit)) return shortCommit(commit);
  const tag = headers.get('etag');
  return tag === null ? none : `ETag ${tag.replaceAll('"', '').slice(0, 16)}`;
}

/** The headers of the first answer, which for the Hub is a redirect that names the commit. @param {string} url */
async function headersOf(url) {
  const { ok, status, headers } = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  });
  return ok || (status >= 300 && status < 400) ? headers : null;
}
