// npm run soak: uses, removes and moves a dozen figures on a page in Chromium and kills their workers, in random order. Any
// error or leak is a failure.
//
//   npm run soak                                20 minutes, from a fresh seed
//   npm run soak -- --minutes 5 --seed 12
//   npm run soak -- --actions 300 --seed 12     the number of actions that a failure names
//   npm run soak -- --of partners               models that several workers train, which are killed: also their bits are compared
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wasmModuleStep } from './build/build.mjs';
import { withLock } from './lib/lock.mjs';
import { root } from './lib/root.mjs';
import { program, runSteps, SetupProblem } from './lib/steps.mjs';
import { setupSteps } from './setup/setup.mjs';

const files = { figures: 'soak', partners: 'soak-partners' };

await program(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string' },
      actions: { type: 'string' },
      seed: { type: 'string' },
      of: { type: 'string' },
    },
  });
  const { of = 'figures', actions, minutes = '20', seed = String(Date.now() % 2 ** 31) } = values;
  const file = files[of];
  if (file === undefined) throw new SetupProblem(`--of is '${of}'; expected ${Object.keys(files).join(' or ')}`);
  if (of !== 'figures' && actions !== undefined) throw new SetupProblem('--actions is for figures; expected --minutes');
  await withLock(() => runSteps([...setupSteps(), wasmModuleStep]));
  console.log(`seed ${seed}`);
  const length = actions === undefined ? { SOAK_MINUTES: minutes } : { SOAK_ACTIONS: actions };
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'browser', `tests/browser/${file}.test.ts`], {
    cwd: root,
    env: { ...process.env, ...length, SOAK_SEED: seed },
    stdio: 'inherit',
  });
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
});
