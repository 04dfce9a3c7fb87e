// npm test: sets up what is needed, the tests' own needs included, builds everything and runs every test.
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

const phases = [
  ...format,
  lint,
  ...wholeBuild,
  typeChecks,
  nativeTests,
  cppTidy,
  unitTests,
  relaxedTests,
  sanitizedTests,
  arm64Tests,
  wasmTests,
  relaxedWasmTests,
  ...fuzzing,
  sizes,
  packageTests,
  browserTests,
  engineTests,
  lossClaims,
];

await program(() => withLock(() => runAndReport(setupSteps({ tests: true }), phases)));
