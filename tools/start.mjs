// npm start            sets everything up, builds, and serves the article on this machine, at port 8080 or the next free one;
//                      rebuilds on changes of web/, cpp/, docs/ or tools/, and reloads open pages
// PORT=9000 npm start  at another port
//
// In a fresh clone the page is served first, with the numbers of the last recorded build; the other modules, the package (dist/) and the
// numbers, computed again, follow while it is served. Stop with Ctrl+C; the next start goes on from there.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/root.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { buildSteps, firstPageSteps } from './build/build.mjs';
import { firstFiles } from './serve/first-files.mjs';
import { liveReload } from './serve/live-reload.mjs';
import { serve } from './serve/server.mjs';
import { watchFolders } from './serve/watch.mjs';
import { setupSteps } from './setup/setup.mjs';

const LOW_PRIORITY = 10;

const site = join(root, 'site');
const firstPage = join(root, 'build/first-page');

/** In a separate process, which imports the build's current modules; resolves with true on success. */
function build({ inBackground = false } = {}) {
  const child = spawn(process.execPath, [join(root, 'tools/build/build.mjs'), '--page'], { stdio: 'inherit' });
  if (inBackground && child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)));
}

function watchSources(reload) {
  // web/wasm/ is an output of the build, and so are the recorded numbers.
  const folders = ['web', 'cpp', 'docs', 'tools'].map((name) => join(root, name));
  const work = async () => {
    console.log(`\n${new Date().toLocaleTimeString()}: something changed`);
    if (await build()) reload();
  };
  watchFolders(folders, work, { ignore: /^wasm\b|(^|[/\\])\.|~$|recorded-facts\.json/ });
}

/** Builds the rest while the first page is served from `folders`, and then serves the whole site. */
async function buildRest(folders, reload) {
  console.log(
    'Meanwhile, everything else is built: the other modules, the package (dist/), and the numbers, computed again.',
  );
  if (!(await build({ inBackground: true }))) return;
  const [before, after] = [firstPage, site].map((folder) => readFileSync(join(folder, 'index.html')));
  // An open page may still ask for its scripts, whose names have their hashes.
  folders['/'] = [site, firstPage];
  if (!before.equals(after)) reload();
  console.log('Everything is built.');
}

async function start() {
  const isFirst = !existsSync(join(site, 'index.html'));
  const steps = isFirst ? firstPageSteps(firstPage) : buildSteps({ relaxed: false });
  await withLock(() => runSteps([...setupSteps(), ...steps]));
  const { reload, ...live } = liveReload();
  /** @type {Record<string, string | string[]>} */
  const folders = { '/': isFirst ? firstPage : site };
  let end = () => {};
  const whole = new Promise((resolve) => (end = () => resolve(undefined)));
  const { baselineFiles: files } = await import('./lib/modules.mjs');
  const ready = isFirst ? firstFiles({ folder: firstPage, modules: join(root, 'web/wasm'), files, whole }) : undefined;
  const { url } = await serve({ folders, port: Number(process.env.PORT ?? 8080), ready, ...live });
  console.log(`\nThe article is at ${url}  (rebuilds on changes; stop with Ctrl+C)`);
  if (isFirst) await buildRest(folders, reload);
  end();
  watchSources(reload);
}

await program(start, { options: [] });
