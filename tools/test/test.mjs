// npm test: sets up what is needed, the tests' own needs included, builds everything and runs every test. What passed on the
// very same files is not run again; with --all it is.
import { withLock } from '../lib/lock.mjs';
import { program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { runAndReport } from './report.mjs';
import {
  arm64Tests,
  browserTests,
  cppTidy,
  engineTests,
  format,
  fuzzing,
  lint,
  lossClaims,
  nativeTests,
  packageTests,
  relaxedTests,
  relaxedWasmTests,
  sanitizedTests,
  sizes,
  typeChecks,
  unitTests,
  wasmTests,
  wholeBuild,
} from './phases.mjs';

// What others wait for comes first, and then what takes long.
const phases = [
  ...wholeBuild,
  browserTests,
  nativeTests,
  sanitizedTests,
  lossClaims,
  ...fuzzing,
  packageTests,
  wasmTests,
  relaxedWasmTests,
  cppTidy,
  unitTests,
  relaxedTests,
  engineTests,
  arm64Tests,
  lint,
  typeChecks,
  ...format,
  sizes,
];

await program(() => withLock(() => runAndReport(setupSteps({ tests: true }), phases)));
