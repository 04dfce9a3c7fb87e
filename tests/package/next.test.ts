// The packed package in an app of Next.js: a client component with a figure, in a page that the server renders.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../tools/serve/server.mjs';
import { root } from '../../tools/lib/root.mjs';
import { openFolder } from '../browser/harness.js';
import { installBundlers } from './bundlers/builders.js';
import { packPackage, type PackedPackage } from './packed.js';

/** The component of docs/pages.md. */
const [, figure = ''] = /^```tsx\n([^]*?)^```$/m.exec(readFileSync(join(root, 'docs/pages.md'), 'utf8')) ?? [];

const post = `'use client';
import { useState } from 'react';
import { Figure } from './figure';

export function Post() {
  const [symmetric, setSymmetric] = useState('unknown');
  const [heard, setHeard] = useState('nothing');
  return (
    <>
      <Figure onChange={(change) => setSymmetric(String(change.symmetric))} />
      <p id="symmetric">{symmetric}</p>
      <tied-symmetry-explorer mode="untied" heading-level="3" className="wide" strings={{ title: 'Our title' }} ontied-change={(event) => setHeard(event.detail.mode)}>
        Shown until the figure is there
      </tied-symmetry-explorer>
      <p id="heard">{heard}</p>
    </>
  );
}

// The build fails if any of these is accepted.
export const refused = () => [
  // @ts-expect-error no such mode
  <tied-symmetry-explorer key="mode" mode="tide" />,
  // @ts-expect-error no number
  <tied-symmetry-explorer key="level" heading-level="second" />,
  // @ts-expect-error the detail has no such field
  <tied-symmetry-explorer key="event" ontied-change={(event) => event.detail.symmetrical} />,
  // @ts-expect-error no such element
  <tied-symmetry-explorers key="tag" />,
];
`;

const files: Record<string, string> = {
  'package.json': '{ "name": "app", "private": true, "type": "module" }\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ strict: true, noEmit: true, target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', types: [] },
      ...{ lib: ['ES2022', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'], skipLibCheck: true, jsx: 'react-jsx' },
      ...{ esModuleInterop: true, isolatedModules: true, resolveJsonModule: true, allowJs: true, incremental: true },
      plugins: [{ name: 'next' }],
    },
    include: ['**/*.ts', '**/*.tsx'],
    exclude: ['node_modules'],
  }),
  // Turbopack reads nothing outside its root, which has the app and what is installed.
  'next.config.ts': `import { dirname } from 'node:path';
import type { NextConfig } from 'next';
const config: NextConfig = { output: 'export', turbopack: { root: dirname(import.meta.dirname) } };
export default config;
`,
  'app/layout.tsx': `import type { ReactNode } from 'react';
export const metadata = { title: 'A post', icons: { icon: 'data:,' } };
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  'app/page.tsx': `import { Post } from './post';
export default function Page() {
  return <main><h1>A post</h1><Post /></main>;
}
`,
  'app/figure.tsx': figure,
  'app/post.tsx': post,
};

let packed: PackedPackage;
let app: string;
beforeAll(async () => {
  const modules = await installBundlers();
  packed = packPackage();
  app = mkdtempSync(join(dirname(modules), 'next-'));
  const own = join(app, 'node_modules');
  mkdirSync(own);
  // Copied, since links would lead out of Turbopack's root.
  const copy = (from: string, name: string) => cpSync(join(from, name), join(own, name), { recursive: true });
  copy(join(packed.folder, 'node_modules'), 'tied-embeddings');
  for (const name of ['lit', 'lit-element', 'lit-html', '@lit', '@lit-labs']) copy(join(root, 'node_modules'), name);
  mkdirSync(join(app, 'app'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
}, 600_000);
afterAll(() => {
  rmSync(app, { recursive: true, force: true });
  packed.remove();
});

/** Builds the app; throws with what Next.js says if it does not. */
async function build(): Promise<void> {
  const program = join(dirname(app), 'node_modules/next/dist/bin/next');
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' } as const;
  try {
    await promisify(execFile)(process.execPath, [program, 'build'], { cwd: app, env });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

test('next build compiles a figure in a strict TypeScript app, with its tag in the HTML, and the page works', async () => {
  await build();
  const html = readFileSync(join(app, 'out/index.html'), 'utf8');
  expect(html).toContain('<tied-symmetry-explorer mode="untied" heading-level="2"></tied-symmetry-explorer>');
  expect(html).toContain('<tied-symmetry-explorer mode="untied" heading-level="3" class="wide">Shown until');
  expect(html).toContain('<p id="symmetric">unknown</p>');

  // Next.js puts scripts into its pages.
  const policy = contentSecurityPolicy.replace("script-src 'self'", "$& 'unsafe-inline'");
  const { page, problems, close } = await openFolder(join(app, 'out'), policy);
  page.setDefaultTimeout(300_000);
  const [first, second] = [0, 1].map((place) => page.locator('tied-symmetry-explorer').nth(place)) as [
    Locator,
    Locator,
  ];
  const makeEqual = async (figure: Locator): Promise<void> => {
    await figure.scrollIntoViewIfNeeded();
    await figure.getByRole('button', { name: 'Make both tables equal' }).click();
  };
  await first.locator('svg').first().waitFor();
  await expect.poll(() => page.workers().length, { timeout: 300_000 }).toBeGreaterThan(0);

  // React gives a custom element no listener and no property while it hydrates. When this fails, docs/pages.md may say less.
  await second.evaluate((figure: HTMLElement) =>
    figure.addEventListener('tied-change', () => (figure.dataset.changed = 'yes')),
  );
  await makeEqual(second);
  await page.locator('[data-changed]').waitFor();
  expect(await page.locator('#heard').textContent()).toBe('nothing');
  expect(await second.getByText('Our title').count()).toBe(0);

  await makeEqual(first);
  await page.locator('#symmetric:text("true")').waitFor();
  // The component has rendered again.
  await second.getByText('Our title').first().waitFor();
  expect(problems).toEqual([]);
  await close();
}, 900_000);
