// npm run check: the fast loop. Format, lint, types, native C++ tests, JavaScript unit tests.
import { withLock } from '../lib/lock.mjs';
import { program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { runAndReport } from './report.mjs';
import {
  cppTidy,
  nativeTests,
  quickFormat,
  lint,
  quickTemplateChecks,
  quickUnitTests,
  typeChecks,
  wasmModule,
} from './phases.mjs';

const phases = [
  ...[wasmModule, nativeTests, quickUnitTests, lint, quickTemplateChecks, typeChecks],
  ...[cppTidy, ...quickFormat],
];

await program(() => withLock(() => runAndReport(setupSteps(), phases)));
