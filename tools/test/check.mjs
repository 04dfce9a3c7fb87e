// npm run check: the fast loop. Format, lint, types, native C++ tests, JavaScript unit tests.
import { withLock } from '../lib/lock.mjs';
import { program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { runAndReport } from './report.mjs';
import {
  quickTidy,
  nativeTests,
  quickFormat,
  quickModules,
  lint,
  quickTemplateChecks,
  quickUnitTests,
  typeChecks,
} from './phases.mjs';

const phases = [
  ...[quickModules, nativeTests, quickUnitTests, lint, quickTemplateChecks, typeChecks],
  ...[quickTidy, ...quickFormat],
];

await program(() => withLock(() => runAndReport(setupSteps(), phases)));
