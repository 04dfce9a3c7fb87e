// Starts browsers other than Chromium at a URL without a driver: the page itself reports its findings.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { displayPath, firefoxPath, webkitPath } from '../../tools/setup/browser.mjs';

export interface OpenedBrowser {
  /** When it has ended, by itself or by `close`. */
  ended: Promise<unknown>;
  /** Ends it, and deletes its files. */
  close(): Promise<void>;
}

export interface OtherBrowser {
  name: string;
  /** False if this machine does not have it. */
  here: boolean;
  open(url: string): Promise<OpenedBrowser>;
}

/** A new profile without questions, news, or requests other than the page's. */
const FIREFOX_SETTINGS: Record<string, boolean | string | number> = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

/** A folder for everything that a browser writes. */
function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-browser-'));
  mkdirSync(join(folder, 'profile'));
  return folder;
}

interface Program {
  /** Output on its fourth stream, if it has one. */
  output: Readable | null;
  ended: Promise<unknown>;
  end(): void;
}

/** Leads its own process group, so its helper processes end with it. */
function start(program: string, args: string[], env: Record<string, string>, pipe = false): Program {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', pipe ? 'pipe' : 'ignore'],
    detached: true,
  });
  return {
    output: child.stdio[3] as Readable | null,
    ended: new Promise((resolve) => child.once('exit', resolve).once('error', resolve)),
    end() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Ended by itself.
      }
    },
  };
}

function opened(folder: string, browser: Program, ...others: Program[]): OpenedBrowser {
  const programs = [browser, ...others];
  return {
    ended: browser.ended,
    async close() {
      for (const program of programs) program.end();
      await Promise.all(programs.map(({ ended }) => ended));
      // Helper processes may still be writing while they end.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function openFirefox(url: string): Promise<OpenedBrowser> {
  const folder = scratchFolder();
  const profile = join(folder, 'profile');
  const lines = Object.entries(FIREFOX_SETTINGS).map(
    ([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const firefox = start(firefoxPath()!, ['--headless', '--no-remote', '--profile', profile, url], { HOME: folder });
  return opened(folder, firefox);
}

/** The number of a display that nobody sees. */
async function openDisplay(): Promise<{ server: Program; display: string }> {
  const args = ['-displayfd', '3', '-screen', '0', '800x600x24', '-nolisten', 'tcp'];
  const server = start(displayPath()!, args, {}, true);
  let text = '';
  for await (const chunk of server.output ?? []) {
    text += String(chunk);
    if (text.endsWith('\n')) break;
  }
  return { server, display: `:${text.trim()}` };
}

async function openWebKit(url: string): Promise<OpenedBrowser> {
  const folder = scratchFolder();
  const { server, display } = await openDisplay();
  const browser = start(webkitPath()!, [url], {
    DISPLAY: display,
    HOME: folder,
    XDG_RUNTIME_DIR: join(folder, 'profile'),
    // A browser run by root has no sandbox; only our own page is opened.
    ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}),
  });
  return opened(folder, browser, server);
}

export const otherBrowsers: OtherBrowser[] = [
  { name: 'Firefox', here: firefoxPath() !== undefined, open: openFirefox },
  { name: 'WebKit', here: webkitPath() !== undefined && displayPath() !== undefined, open: openWebKit },
];
