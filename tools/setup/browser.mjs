// Browsers for the tests: Debian's Chromium, or one on the PATH; Firefox and WebKit for tests in every engine.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
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

const headlessShell = 'chromium-headless-shell';

/**
 * Full path of Chromium's headless shell or, without one, of the whole Chromium. Both have the same engine, but
 * the shell opens a context in a sixth of the CPU time, because it opens no window.
 */
export function headlessPath() {
  return process.env.CHROMIUM_PATH ?? which(headlessShell) ?? browserPath();
}

/** Makes sure that a browser for the tests exists; on Debian it is a system package. */
export async function ensureBrowser() {
  if (!browserPath()) {
    throw new SetupProblem('The browser tests need Chromium or Chrome on the PATH, or its path in CHROMIUM_PATH.');
  }
  if (headlessPath() !== browserPath() || debianRelease() < 12) return 'already there';
  // Without permissions or the package, all tests run in the whole Chromium.
  await ensureSystemPackages([headlessShell]).catch(() => undefined);
  return undefined;
}

/** Full path of Firefox, or undefined. FIREFOX_PATH wins. */
export function firefoxPath() {
  return process.env.FIREFOX_PATH ?? which('firefox-esr') ?? which('firefox');
}

/** Full path of the small browser of WebKitGTK, or undefined. WEBKIT_PATH wins. */
export function webkitPath() {
  if (process.env.WEBKIT_PATH) return process.env.WEBKIT_PATH;
  for (const library of existsSync('/usr/lib') ? readdirSync('/usr/lib') : []) {
    if (!library.endsWith('-linux-gnu')) continue;
    for (const version of ['webkit2gtk-4.1', 'webkit2gtk-4.0', 'webkitgtk-6.0']) {
      const file = join('/usr/lib', library, version, 'MiniBrowser');
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}

/** Full path of the virtual display server that WebKit needs, or undefined. */
export function displayPath() {
  return which('Xvfb');
}

/** Installs Firefox and WebKit where possible, and reports what is missing. Nothing depends on them. */
export async function ensureOtherBrowsers() {
  const wanted = () => [
    { name: 'Firefox', packages: firefoxPath() ? [] : ['firefox-esr'] },
    { name: 'WebKit', packages: webkitPath() && displayPath() ? [] : ['libwebkit2gtk-4.1-0', 'xvfb'] },
  ];
  const absent = () => wanted().filter(({ packages }) => packages.length > 0);
  if (absent().length === 0) return 'already there';
  for (const { packages } of debianRelease() >= 12 ? absent() : []) {
    // Without permissions or the package, its tests are skipped.
    await ensureSystemPackages(packages).catch(() => undefined);
  }
  const names = absent().map(({ name }) => name);
  return names.length === 0 ? undefined : `${names.join(' and ')} cannot be installed here; their tests are skipped`;
}
