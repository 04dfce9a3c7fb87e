// npm test: sets up what is needed, the tests' own needs included, builds everything and runs every test.
import { withLock } from '../lib/lock.mjs';
import { program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { runAndReport } from './report.mjs';
import {
  browserTests,
  cppTidy,
  nativeTests,
  packageTests,
  sanitizedTests,
  sizes,
  staticChecks,
  unitTests,
  wasmTests,
  wholeBuild,
} from './phases.mjs';

const phases = [
  ...staticChecks,
  nativeTests,
  cppTidy,
  ...wholeBuild,
  unitTests,
  sanitizedTests,
  wasmTests,
  sizes,
  packageTests,
  browserTests,
];

await program(() => withLock(() => runAndReport(setupSteps({ tests: true }), phases)));
