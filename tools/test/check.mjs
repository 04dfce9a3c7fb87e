// npm run check: the fast loop. Format, lint, types, native C++ tests, JavaScript unit tests. Types and tests that passed on
// the very same files are not run again; npm test runs all.
import { join } from 'node:path';
import { withLock } from '../lib/lock.mjs';
import { root } from '../lib/root.mjs';
import { program } from '../lib/steps.mjs';
import { setupSteps } from '../setup/setup.mjs';
import { runAndReport } from './report.mjs';
import { cppTidy, format, nativeTests, quickLint, typeChecks, unitTests, wasmModule } from './phases.mjs';
import { everything, unlessUnchanged } from './unchanged.mjs';

const scripts = ['web', 'tests', 'tools', 'bench', 'tsconfig.json', 'tsconfig.tests.json', 'package-lock.json'];
const natives = [
  'cpp',
  'tests/cpp',
  'tests/reference',
  'tests/experiments',
  'bench',
  'tools/cmake',
  'CMakeLists.txt',
  'CMakePresets.json',
  '../shared/data',
];
const quickTypes = unlessUnchanged(typeChecks, () => scripts);
// Remembered with what was built, which clang-tidy needs too.
const quickNativeTests = unlessUnchanged(nativeTests, () => natives, { memory: join(root, 'build/native-release') });
const quickUnitTests = unlessUnchanged(unitTests, everything);

await program(() =>
  withLock(() =>
    runAndReport(setupSteps(), [
      ...format,
      quickLint,
      wasmModule,
      quickTypes,
      quickNativeTests,
      cppTidy,
      quickUnitTests,
    ]),
  ),
);
