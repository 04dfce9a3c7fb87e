// npm start: sets everything up, builds, and serves the article on this machine. Rebuilds on changes and reloads open
// pages.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/root.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { buildSteps } from './build/build.mjs';
import { liveReload } from './serve/live-reload.mjs';
import { serve } from './serve/server.mjs';
import { watchFolders } from './serve/watch.mjs';
import { setupSteps } from './setup/setup.mjs';

/** In a separate process, which imports the build's current modules; resolves with true on success. */
function buildAgain() {
  console.log(`\n${new Date().toLocaleTimeString()}: something changed`);
  const build = spawn(process.execPath, [join(root, 'tools/build/build.mjs'), '--page'], { stdio: 'inherit' });
  return new Promise((resolve) => build.on('close', (code) => resolve(code === 0)));
}

await program(async () => {
  await withLock(() => runSteps([...setupSteps(), ...buildSteps({ relaxed: false })]));
  const { reload, ...live } = liveReload();
  const port = Number(process.env.PORT ?? 8080);
  const { url } = await serve({ folders: { '/': join(root, 'site') }, port, ...live });
  // web/wasm/ is an output of the build.
  const folders = ['web', 'cpp', 'docs', 'tools'].map((name) => join(root, name));
  const work = async () => {
    if (await buildAgain()) reload();
  };
  watchFolders(folders, work, { ignore: /^wasm\b|(^|[/\\])\.|~$/ });
  console.log(`\nThe article is at ${url}  (rebuilds on changes; stop with Ctrl+C)`);
});
