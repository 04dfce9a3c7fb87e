// npm run check: the fast loop. Format, lint, types, native C++ tests, JavaScript unit tests.
import { withLock } from '../lib/lock.mjs';
import { program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { wasmModuleStep } from '../build/build.mjs';
import { runAndReport } from './report.mjs';
import { cppTidy, nativeTests, staticChecks, unitTests } from './phases.mjs';

await program(() =>
  withLock(() => runAndReport([...setupSteps(), wasmModuleStep], [...staticChecks, nativeTests, cppTidy, unitTests])),
);
