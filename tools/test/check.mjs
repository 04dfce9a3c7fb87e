// npm run check             the fast loop: format, lint, types, native C++ tests, JavaScript unit tests, limited to what a change can affect
// npm run check -- --all    also what has passed on the same files
import { withLock } from '../lib/lock.mjs';
import { program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { runAndReport } from './report.mjs';
import {
  quickTidy,
  quickNativeTests,
  quickFormat,
  quickModules,
  quickLint,
  quickTemplateChecks,
  quickUnitTests,
  typeChecks,
} from './phases.mjs';

const phases = [
  ...[quickModules, quickNativeTests, quickUnitTests, quickLint, quickTemplateChecks, ...typeChecks],
  ...[quickTidy, ...quickFormat],
];

await program(() => withLock(() => runAndReport(setupSteps(), phases)), { options: ['--all'] });
