// Facts about this machine that the set-up needs.
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** { id, versionId, codename } from os-release; empty strings without it. */
export function distribution(file = '/etc/os-release') {
  const fields = {};
  if (existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const match = /^([A-Z_]+)=(.*)$/.exec(line);
      if (match) fields[match[1]] = match[2].replace(/^"|"$/g, '');
    }
  }
  return { id: fields.ID ?? '', versionId: fields.VERSION_ID ?? '', codename: fields.VERSION_CODENAME ?? '' };
}

/** Debian's release number; 0 elsewhere. Testing and unstable have no number and count as newest. */
export function debianRelease(of = distribution()) {
  if (of.id !== 'debian') return 0;
  return of.versionId === '' ? 99 : Number.parseInt(of.versionId, 10);
}

/** Full path of a program on the PATH (links followed when `real`), or undefined. */
export function which(name, { real = false } = {}) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return real ? realpathSync(file) : file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** -1, 0 or 1 for dotted version numbers. */
export function compareVersions(a, b) {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}
