// npm test: sets up everything, including what only tests need, builds, and runs every test. Phases that have passed on the
// same files are skipped, except with --all.
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
  judgesTests,
  lint,
  lossClaims,
  nativeFuzzers,
  nativeTests,
  packageTests,
  relaxedTests,
  relaxedWasmTests,
  sanitizedTests,
  sizes,
  templateChecks,
  typeChecks,
  unitTests,
  wasmTests,
  wholeBuild,
} from './phases.mjs';

// Phases that others need come first, then those that take long by themselves: the files of the package tests run one after another,
// with waits, so they end last if they begin late.
// Short phases at the end leave no core idle.
const phases = [
  ...wholeBuild,
  browserTests,
  packageTests,
  nativeTests,
  sanitizedTests,
  cppTidy,
  wasmTests,
  relaxedWasmTests,
  unitTests,
  judgesTests,
  lint,
  ...fuzzing,
  lossClaims,
  nativeFuzzers,
  arm64Tests,
  relaxedTests,
  engineTests,
  templateChecks,
  typeChecks,
  ...format,
  sizes,
];

await program(() => withLock(() => runAndReport(setupSteps({ tests: true }), phases)));
