/** What a page finds in a browser without a driver: it posts to /begun as soon as it runs, and its findings to /report. */
import { serve } from '../../tools/serve/server.mjs';
import type { OtherBrowser } from './browsers.js';

export interface Reported<Findings> {
  /** Undefined if the browser cannot even open a page here, perhaps for lack of permissions: that proves nothing about the package. */
  readonly found: Findings | undefined;
  /** Ends the browser and the server. */
  close(): Promise<void>;
}

/** How long a browser may take to open the page before it counts as unavailable here. */
const BEGIN_LIMIT_MS = 60_000;

/** Opens a page that runs the script at this address; `served` has it. */
export async function reportOf<Findings>(
  { name, open }: OtherBrowser,
  script: string,
  served: Omit<Parameters<typeof serve>[0], 'pages' | 'posts'>,
): Promise<Reported<Findings>> {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An engine</title>
<link rel="icon" href="data:,"><script type="module" src="${script}"></script></head><body></body></html>`;
  const posts: Record<string, (text: string) => void> = {};
  const [begun, reported] = ['/begun', '/report'].map(
    (path) => new Promise<string>((resolve) => (posts[path] = resolve)),
  );
  const server = await serve({ ...served, pages: { '/': html }, posts });
  const browser = await open(server.url);
  const close = async (): Promise<void> => {
    await browser.close();
    await server.close();
  };
  const limit = new Promise((resolve) => setTimeout(resolve, BEGIN_LIMIT_MS).unref());
  if ((await Promise.race([begun!.then(() => true), browser.ended, limit])) !== true)
    return { found: undefined, close };
  const ended = browser.ended.then(() => Promise.reject(new Error(`${name} ended before its page had reported`)));
  return { found: JSON.parse(await Promise.race([reported!, ended])) as Findings, close };
}
