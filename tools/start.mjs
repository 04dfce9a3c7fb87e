// npm start: sets everything up, builds, and serves the article on this machine.
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/root.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { buildSteps } from './build/build.mjs';
import { setupSteps } from './setup/setup.mjs';
import { serve } from './serve/server.mjs';

await program(async () => {
  await withLock(() => runSteps([...setupSteps(), ...buildSteps({ relaxed: false })]));
  const { url } = await serve({ folders: { '/': join(root, 'site') }, port: Number(process.env.PORT ?? 8080) });
  console.log(`\nThe article is at ${url}  (Ctrl+C ends)`);
});
