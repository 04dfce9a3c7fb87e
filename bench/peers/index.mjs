// Other libraries and programs that do the same work, as contenders.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';
import { browserPeers, openBrowserPeer } from './browser-peers.mjs';
import { bundlePages, installPeers } from './install.mjs';
import { pythonPeers } from './python-peers.mjs';
import { writeReferences } from './reference.mjs';

/** The reason in one line, with the name of the log, if any. */
const reasonOf = (error) =>
  [String(error.message).split('\n')[0], error.log && `see ${error.log}`].filter(Boolean).join('; ');

/**
 * All available peers. Needs dist/ (npm run build): peers are timed only if their losses equal those of our trainer.
 * @param {{ browser: import('playwright-core').Browser, log?: (line: string) => void }} options
 * @returns {Promise<import('../contender.d.ts').Contenders>}
 */
export async function peerContenders({ browser, log = () => {} }) {
  const contenders = [];
  const absent = [];
  const attempt = async (name, open) => {
    try {
      contenders.push(...(await open()));
    } catch (error) {
      absent.push({ name, reason: reasonOf(error) });
    }
  };
  const references = join(root, 'build/bench/reference');
  await attempt('training of peers', async () => {
    rmSync(references, { recursive: true, force: true });
    await writeReferences(join(root, 'dist/tied-embeddings.js'), references);
    return [];
  });
  await attempt('the peers in the browser', async () => {
    log('Installing the peers in the browser');
    await installPeers();
    const trains = browserPeers.filter((peer) => peer.trains);
    const scripts = [...browserPeers.map(({ page }) => page), ...trains.map(({ page }) => `cold-${page}`)];
    const folders = { '/pages/': await bundlePages(scripts), '/reference/': references };
    for (const peer of browserPeers) {
      await attempt(peer.name, async () => [await openBrowserPeer(browser, peer, folders)]);
    }
    return [];
  });
  const reported = new Set();
  const reportOnce = (line) => {
    if (!reported.has(line)) log(line);
    reported.add(line);
  };
  for (const { name, open } of pythonPeers) await attempt(name, async () => [await open(references, reportOnce)]);
  return { contenders, absent };
}
