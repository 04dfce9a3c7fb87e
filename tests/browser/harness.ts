// Shared by browser tests: Chromium, pages under the strict policy, and a list of every problem on them.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, inject } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { serve } from '../../tools/serve/server.mjs';
import { bundleScript, bundleWorker } from './fixture-bundles.js';

export interface OpenOptions {
  /** The color scheme of the reader's system. Default 'light'. */
  colorScheme?: 'light' | 'dark';
  /** Size of the window, in CSS pixels. Default 1280 x 900. */
  width?: number;
  height?: number;
  reducedMotion?: boolean;
  /** A touch screen in place of a mouse. */
  touch?: boolean;
  /** Screen pixels per CSS pixel. Default 1. */
  density?: number;
  /** The reader's system determines all colors. */
  forcedColors?: boolean;
  /** Number of cores that the page sees, whatever the machine has. Default 2. */
  cores?: number;
  /** Figures as readers first see them, with most of their controls behind a button. Default: all controls are shown. */
  atRest?: boolean;
  /** Appended to the URL of a fixture, such as a hash. */
  path?: string;
  /** Content security policy of the served page; '' is none. Default: the strict one. */
  policy?: string;
  /** Further headers of all that a fixture's server sends, such as `ISOLATED`. */
  headers?: Record<string, string>;
}

/** Headers with which a page and its workers can share memory. */
export const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export interface OpenedPage {
  page: Page;
  /** The URL of the server, ending with a slash. */
  url: string;
  /** Console errors and warnings, uncaught errors, failed requests and policy violations so far; a correct page has none. */
  problems: string[];
  close: () => Promise<void>;
}

/** How long a page is waited for, as the polls of vitest.config.ts: what hangs should fail, not what is slow because the machine has other work. */
const PATIENCE_MS = 60_000;

let browser: Promise<Browser> | undefined;
const open = new Set<OpenedPage>();

/** Connects to the browser for this slot among the test files that run at the same time, which vitest counts from 1. */
function connect(): Promise<Browser> {
  const browsers = inject('chromium');
  browser ??= chromium.connect(browsers[(Number(process.env.VITEST_POOL_ID) - 1) % browsers.length]!);
  return browser;
}

// Registered in every test file that imports this one, so nothing is left running. A page opened by a test ends with the test, since
// figures continue to train and draw; a page opened in beforeAll lasts for all tests.
let ofAll: ReadonlySet<OpenedPage> = new Set();
beforeEach(() => {
  ofAll = new Set(open);
});
afterEach(async () => {
  await Promise.all([...open].filter((opened) => !ofAll.has(opened)).map((opened) => opened.close()));
});
afterAll(async () => {
  await Promise.all([...open].map((opened) => opened.close()));
  await (await browser)?.close();
  browser = undefined;
});

/** Figures show all their controls, so that a test can use any of them; those of `atRest` see them as readers first do. */
function openAllOptions(): void {
  const open = (root: ParentNode): void => {
    for (const one of root.querySelectorAll('*')) {
      if (one.localName.startsWith('tied-')) one.setAttribute('options-open', '');
    }
  };
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes)
        if (node instanceof Element && node.parentElement !== null) open(node.parentElement);
    }
  }).observe(document, { childList: true, subtree: true });
}

async function openPage(server: { url: string; close: () => Promise<void> }, path: string, options: OpenOptions) {
  const context = await (
    await connect()
  ).newContext({
    colorScheme: options.colorScheme ?? 'light',
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    hasTouch: options.touch ?? false,
    deviceScaleFactor: options.density ?? 1,
    forcedColors: options.forcedColors ? 'active' : 'none',
  });
  await context.addInitScript((cores) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: cores });
  }, options.cores ?? 2);
  if (options.atRest !== true) await context.addInitScript(openAllOptions);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      problems.push(`console ${message.type()}: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    // Aborted by the page itself, or because the test left the page while figures further down were loading.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`request failed: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  // Violations also reach the console, but only this event names the directive and the source.
  await page.exposeFunction('reportPolicyViolation', (text: string) => problems.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = (window as unknown as { reportPolicyViolation: (text: string) => void }).reportPolicyViolation;
      report(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`);
    });
  });
  const opened: OpenedPage = {
    page,
    url: server.url,
    problems,
    close: async () => {
      open.delete(opened);
      await context.close();
      await server.close();
    },
  };
  open.add(opened);
  await page.goto(server.url + path);
  return opened;
}

/** Opens a page with the given HTML; `folders` maps URL prefixes to served folders, as in { '/dist/': '...' }. */
export async function openHtml(
  html: string,
  folders: Record<string, string>,
  options: OpenOptions = {},
): Promise<OpenedPage> {
  const { path = '', policy } = options;
  return openPage(await serve({ folders, pages: { '/': html }, policy }), path, options);
}

/** Opens the index.html of a folder, or `path` in it; only this folder is served. `policy` is the policy that its server sends. */
export async function openFolder(folder: string, policy: string, options: OpenOptions = {}): Promise<OpenedPage> {
  return openPage(await serve({ folders: { '/': folder }, policy }), options.path ?? '', options);
}

/** Opens a page from disk, without a server. */
export function openFile(file: string, options: OpenOptions = {}): Promise<OpenedPage> {
  return openPage({ url: pathToFileURL(file).href, close: () => Promise.resolve() }, '', options);
}

/**
 * Opens a page of the built article (site/). A test that scrolls must not name a section in `path`: until the reader
 * scrolls by hand, Chromium returns to that section, sometimes a second after the page has loaded.
 */
export async function openSite(path = '', options: OpenOptions = {}): Promise<OpenedPage> {
  const site = join(root, 'site');
  if (!existsSync(join(site, 'index.html'))) throw new Error('site/ is not built; run: npm run build');
  return openPage(await serve({ folders: { '/': site } }), path, options);
}

export interface Fixture {
  /** HTML of the body. */
  body: string;
  /** The page's module script in TypeScript; imports are relative to the project root. Default: all elements. */
  script?: string;
  /** Trainers ask for partners after their first step. */
  asksEarly?: boolean;
  title?: string;
}

/** Opens a page with bundled sources of web/, by default under the article's policy. */
export async function openFixture(fixture: Fixture, options: OpenOptions = {}): Promise<OpenedPage> {
  const script = fixture.script ?? "import './web/elements/index.ts';";
  const [folder, worker] = await Promise.all([bundleScript(script), bundleWorker(fixture.asksEarly)]);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${fixture.title ?? 'Fixture'}</title>
<link rel="icon" href="data:,">
<script type="module" src="fixture.js"></script>
</head>
<body><main><h1>${fixture.title ?? 'Fixture'}</h1>${fixture.body}</main></body>
</html>`;
  const { path = '', policy, headers = {} } = options;
  const served = {
    folders: { '/worker.js': worker, '/': folder },
    pages: { '/': html },
    headers,
    ...(policy === undefined ? {} : { policy }),
  };
  return openPage(await serve(served), path, options);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations found by axe-core, one line per element; empty if there are none. */
export async function axeViolations(page: Page, within = 'html'): Promise<string[]> {
  await page.evaluate(axeSource);
  await transitionsEnd(page);
  return page.evaluate(async (selector) => {
    interface Violation {
      id: string;
      help: string;
      nodes: { target: unknown; failureSummary?: string }[];
    }
    type Run = (of: string, options: object) => Promise<{ violations: Violation[] }>;
    const { axe } = window as unknown as { axe: { run: Run } };
    // Otherwise every passing element would be listed with its selector, which takes a tenth of the time.
    const { violations } = await axe.run(selector, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}): ${JSON.stringify(target)} ${failureSummary ?? ''}`),
    );
  }, within);
}

/** Waits for color transitions to end, in shadow trees too: halfway through, text may have no contrast. */
const transitionsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const roots: (Document | ShadowRoot)[] = [document];
    // The list grows during the iteration.
    for (const root of roots) {
      for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot);
    }
    const transitions = roots.flatMap((root) => root.getAnimations()).filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });

/** By how many CSS pixels the page is wider than its window; 0 for a page that never scrolls sideways. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
