// npm run check             the fast loop: format, lint, types, native C++ tests, JavaScript unit tests, limited to what is near a change; its last
//                           lines say what it has left to the next check and to npm test
// npm run check -- --all    all files, whether they have passed or not; C++ and unit tests are still limited in time
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

/** The longest first, after the few that others need or that end in a second. */
const phases = [
  ...[quickModules, quickLint, quickNativeTests, quickTidy, quickTemplates, ...quickTypes],
  ...[quickUnitTests, ...quickFormat],
];
/** What no check runs. */
const leaves = ['the browser, the package and fuzzing'];

await program(() => withLock(() => runAndReport(setupSteps(), phases, { leaves })), { options: ['--all'] });
