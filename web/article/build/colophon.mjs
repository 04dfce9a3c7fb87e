import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { escapeHtml } from './format.mjs';
import { repositoryAddress } from './repository.mjs';
import { siteAddress } from './site-address.mjs';

/**
 * Author, version and date: from package.json, and from the changelog's heading of that version (`## 0.2.0,
 * 2026-12-01`). Before a release, the date is that of the last commit to the article, which is the same for everyone
 * who builds it. Without a Git history there is no date, only a year (`isoDate` has either). `source` is a sentence. `howPublished` is a field of
 * the BibTeX entry; it is empty if neither the site nor the repository has a public URL. `address` is the site's URL, or null.
 */
export async function colophonFacts(root) {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { name, version, author, license } = manifest;
  const repository = await repositoryAddress(root, manifest);
  const address = siteAddress(manifest);
  const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const date = dateOf(changes, version) ?? (await commitDate(root));
  const licence = await readFile(join(root, 'LICENSE'), 'utf8');
  const year = date?.slice(0, 4) ?? /Copyright \(c\) (\d{4})/.exec(licence)?.[1] ?? '';
  return {
    ...{ name, version, author, license, date: date === null ? year : inWords(date), year, isoDate: date ?? year },
    ...{ source: sourceSentence(repository), howPublished: howPublished({ site: address, repository }), address },
  };
}

/** HTML. */
export function sourceSentence(address) {
  if (address === null) {
    return 'This copy was built from a repository without a public URL; the package contains the code with its source maps.';
  }
  const url = escapeHtml(address);
  return `The source code is at <a href="${url}">${url.replace('https://', '')}</a>.`;
}

/** HTML of a line in a BibTeX entry: where this page is or, if that is not known, its source. */
export function howPublished({ site, repository }) {
  if (site !== null) return `\n  url    = {${escapeHtml(site)}},`;
  return repository === null ? '' : `\n  howpublished = {\\url{${escapeHtml(repository)}}},`;
}

/** '2026-11-22' -> '22 November 2026'. */
export const inWords = (date) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The date in the heading of a version, or null. */
export function dateOf(changes, version) {
  const heading = changes.split('\n').find((line) => line.startsWith(`## ${version}`));
  return /\d{4}-\d{2}-\d{2}/.exec(heading ?? '')?.[0] ?? null;
}

async function commitDate(root) {
  try {
    const { stdout } = await promisify(execFile)('git', ['log', '-1', '--format=%cs', '--', 'web/article'], { cwd: root });
    return /^\d{4}-\d{2}-\d{2}/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
}
