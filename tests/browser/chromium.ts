// One Chromium for each browser test file that runs at the same time; each test has its own context. Two files in one Chromium would
// share its clipboard and mix their traces. Package tests open their bundles in full Chromium; the others run in its headless shell.
import { rmSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { browserPath, headlessPath } from '../../tools/setup/browser.mjs';
import { staleBundles } from './fixture-bundles.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where playwright connects to each Chromium. */
    chromium: string[];
  }
}

/** Called by vitest before the first file; what it returns is called after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  for (const folder of staleBundles()) rmSync(folder, { recursive: true, force: true });
  const launch = () =>
    chromium.launchServer({
      executablePath: project.name === 'package' ? browserPath() : headlessPath(),
      // A browser run by root has no sandbox; only our own pages are opened.
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  const servers = await Promise.all(Array.from({ length: Number(project.config.maxWorkers) }, launch));
  project.provide(
    'chromium',
    servers.map((server) => server.wsEndpoint()),
  );
  return async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
}
