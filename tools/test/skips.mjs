// Whether a run that skips tests has failed. Tests are skipped with a line that says what is missing; where the set-up of
// `npm run test:all` installs everything, nothing can be.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { debianRelease } from '../setup/platform.mjs';

const here = () => ({
  debian: debianRelease(),
  arch: process.arch,
  isRoot: process.getuid?.() === 0,
  hasData: existsSync(join(root, '../shared/data')),
});

/** Why tests may be skipped on this machine; none of them if the list is empty. */
export function reasonsToSkip({ debian, arch, isRoot, hasData } = here()) {
  return [
    ...(debian >= 12 && arch === 'x64' ? [] : ['some programs are installed on Debian 12 or newer for x86 only']),
    ...(isRoot ? [] : ['packages of the system are installed by root only']),
    ...(hasData ? [] : ['../shared/data, which some tests read, is not there']),
  ];
}

/**
 * What is said of skipped tests at the end of a run of everything, and whether they are a failure.
 *
 * @param {number} skipped @param {readonly string[]} reasons
 */
export function verdictOnSkips(skipped, reasons = reasonsToSkip()) {
  if (skipped === 0) return { fails: false, says: undefined };
  return reasons.length > 0
    ? { fails: false, says: `Tests may be skipped here: ${reasons.join('; ')}.` }
    : { fails: true, says: 'Skipped tests are failures here: the set-up installs everything that they need.' };
}
