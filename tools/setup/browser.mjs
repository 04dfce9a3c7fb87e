// The browser of the browser tests: Debian's Chromium, or one on the PATH.
import { SetupProblem } from '../lib/steps.mjs';
import { debianRelease, which } from './platform.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

/** Full path of Chromium or Chrome, or undefined. CHROMIUM_PATH wins. */
export function browserPath() {
  return (
    process.env.CHROMIUM_PATH ??
    ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].map((name) => which(name)).find(Boolean)
  );
}

/** Makes sure that there is a browser for the tests. */
export async function ensureBrowser() {
  if (browserPath()) return 'already there';
  if (debianRelease() > 0) return ensureSystemPackages(['chromium']);
  throw new SetupProblem('The browser tests need Chromium or Chrome on the PATH, or its path in CHROMIUM_PATH.');
}
