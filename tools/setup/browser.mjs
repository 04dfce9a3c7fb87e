// The browser of the browser tests: Debian's Chromium, or one on the PATH.
import { SetupProblem } from '../lib/steps.mjs';
import { which } from './platform.mjs';

/** Full path of Chromium or Chrome, or undefined. CHROMIUM_PATH wins. */
export function browserPath() {
  return (
    process.env.CHROMIUM_PATH ??
    ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].map((name) => which(name)).find(Boolean)
  );
}

/** Makes sure that there is a browser for the tests; on Debian it is one of the system packages. */
export function ensureBrowser() {
  if (browserPath()) return 'already there';
  throw new SetupProblem('The browser tests need Chromium or Chrome on the PATH, or its path in CHROMIUM_PATH.');
}
