// npm run check             the fast loop: format, lint, types, native C++ tests, JavaScript unit tests, limited to what a change can affect
// npm run check -- --all    also what has passed on the same files
import { withLock } from '../lib/lock.mjs';
import { program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { runAndReport } from './report.mjs';
import {
  quickFormat,
  quickLint,
  quickModules,
  quickNativeTests,
  quickTemplates,
  quickTidy,
  quickTypes,
  quickUnitTests,
} from './check-phases.mjs';

const phases = [
  ...[quickModules, quickNativeTests, quickUnitTests, quickLint, quickTemplates, ...quickTypes],
  ...[quickTidy, ...quickFormat],
];
/** What no check runs. */
const leaves = ['the browser, the package and fuzzing'];

await program(() => withLock(() => runAndReport(setupSteps(), phases, { leaves })), { options: ['--all'] });
