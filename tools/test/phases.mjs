// The phases of `npm test` and `npm run test:all` (sets.mjs). Each resolves with { passed, failed, skipped, notes },
// and names the phases that it needs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildSteps, packageStep } from '../build/build.mjs';
import { buildPreset } from '../build/cmake.mjs';
import { root } from '../lib/root.mjs';
import { cppFiles, projectFiles } from '../lib/files.mjs';
import { CommandFailed, run, tail } from '../lib/run.mjs';
import { arm64Obstacle } from '../setup/arm64.mjs';
import { headlessPath } from '../setup/browser.mjs';
import { toolchain } from '../setup/paths.mjs';
import { hashes } from './affected.mjs';
import { checkedFiles, cppInputs, recording } from './checked-files.mjs';
import { clangTidy } from './clang-tidy.mjs';
import { doctestPrograms, runDoctests } from './doctest.mjs';
import { longUnitFiles, quickEnvironment, quickFiles, usualUnitFiles } from './sets.mjs';
import { arm64Tools, judges, otherBrowsers, pyTorch, schedulers, zsh } from './setup-phases.mjs';
import { templateArguments } from './templates.mjs';
import { everything, hasRun, unlessUnchanged } from './unchanged.mjs';
import { runUnits } from './unit-plan.mjs';
import { runVitest } from './vitest.mjs';

const nodeTool = (path) => join(root, 'node_modules', path);

/** A phase that is one command: one pass or one failure. */
async function oneCommand(command, args, log) {
  const { code, log: file } = await run(command, args, { log, allowFailure: true });
  return code === 0
    ? { passed: 1, failed: 0, skipped: 0, notes: [] }
    : { passed: 0, failed: 1, skipped: 0, notes: [tail(file, 60)] };
}

/** Counts a failed build, or another failed command, as one failure, with its output as the note. */
export async function asPhase(work) {
  try {
    return await work();
  } catch (error) {
    const notes =
      error instanceof CommandFailed ? [tail(error.log, 60), error.message] : [String(error.stack ?? error)];
    return { passed: 0, failed: 1, skipped: 0, notes };
  }
}

const passedOnce = { passed: 1, failed: 0, skipped: 0, notes: [] };

/** What the quick set does not run until the whole has run in this checkout. */
const leftToAll = (why) => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  notes: [],
  instead: `${why}; npm run test:all does`,
});

export const clangFormat = (files) =>
  oneCommand(toolchain().clangFormat, ['--dry-run', '-Werror', ...files], 'clang-format');
const cppFormat = { title: 'Format of C++', run: () => clangFormat(cppFiles()) };

export const prettier = (...args) =>
  oneCommand(process.execPath, [nodeTool('prettier/bin/prettier.cjs'), '--check', ...args], 'prettier');

const webFormat = {
  title: 'Format of everything else',
  run: () => prettier('--cache', '--cache-location=build/prettier-cache', '.'),
};

export const oxlint = (...files) =>
  oneCommand(
    process.execPath,
    [nodeTool('oxlint/bin/oxlint'), '--deny-warnings', '--report-unused-disable-directives', ...files],
    'lint',
  );
/** Every file each time, because rules that use types depend on other files too: it takes seconds (decision 67). */
export const lint = recording(checkedFiles.lint, { title: 'Lint', run: () => oxlint() });

/** What the compiler reads, and names of other files. */
export const TYPED = /\.(ts|mjs|js|json)$/;
const UNTYPED = /\.(?!(ts|mjs|js|json)$)\w+$/;

/** One checker: several would each compute the types that all files share. */
const typesOf = (config, title, inputs) =>
  unlessUnchanged(
    {
      title: `Types of ${title}`,
      needs: [wasm],
      run: () =>
        oneCommand(
          process.execPath,
          [nodeTool('typescript-native/bin/tsc'), '-p', config, '--checkers', '1'],
          `types-${config}`,
        ),
    },
    () => ['web', 'package-lock.json', 'tsconfig.json', config, ...inputs()],
    { ignore: UNTYPED },
  );

export const checkTemplates = (...files) =>
  oneCommand(process.execPath, templateArguments(...files), 'types-of-templates');
const templates = recording(checkedFiles.templates, {
  title: 'Types of templates',
  run: () => checkTemplates('web/**/*.ts'),
});

const tidyOf = (options) => ({
  title: 'clang-tidy',
  run: async () => {
    const { checked, unchecked, failed } = await clangTidy(options);
    const logs = failed.map((path) => join(root, 'build/logs', `clang-tidy-${path.replaceAll('/', '-')}.log`));
    if (failed.length > 0)
      return { passed: 0, failed: failed.length, skipped: 0, notes: logs.map((log) => tail(log, 40)) };
    if (checked > 0) return passedOnce;
    return unchecked === 0
      ? { ...passedOnce, unchanged: true }
      : leftToAll('no source is edited, and most never passed here');
  },
});

/** Builds the preset, or `targets` if given, and runs its doctest programs. */
function doctestPhase(preset, title, targets = []) {
  return {
    title,
    run: async () => {
      await buildPreset(preset, targets);
      return runDoctests(preset);
    },
  };
}

/** @param {{ files?: () => string[], env?: Record<string, string>, report?: string }} [more] */
const vitestPhase = (project, title, more = {}) => ({
  title,
  run: () => runVitest(project, more.files?.() ?? [], more.env, more.report),
});

/** A step of the build as a phase: it passes or fails like a test, and the phases after it still run. */
const asBuildPhase = ({ title, run }) => ({
  title,
  run: async () => {
    await run();
    return passedOnce;
  },
});

/**
 * A compute-heavy phase that no long phase waits for. It yields to builds, browsers and phases with time limits, so phases
 * that spend time waiting begin and end early.
 */
const inBackground = (phase) => ({ ...phase, background: true });

export const [wasm, relaxedWasm, wholePackage, article] = buildSteps().map(asBuildPhase);
wholePackage.needs = [wasm, relaxedWasm];
article.needs = [wholePackage];
// Computing the article's numbers takes a minute, during which this process could start nothing else.
const buildArticle = (...options) =>
  run(process.execPath, [join(root, 'tools/build/site.mjs'), ...options], { log: 'build-site' });
article.run = async () => {
  await buildArticle('--compare');
  return passedOnce;
};
/** In the quick set. Phases that need the whole package or the article need these there, since they have the same titles. */
export const baselinePackage = { ...asBuildPhase(packageStep({ relaxed: false })), needs: [wasm] };
export const recordedArticle = {
  ...article,
  run: async () => {
    await buildArticle('--recorded');
    return passedOnce;
  },
};

const everythingBuilt = () => [...everything(), 'dist', 'site'];
/** Tests that never open the relaxed build are proved without it. */
export const withoutRelaxed = { ignore: /web\/wasm\/[a-z]+-relaxed/ };

export const format = [recording(checkedFiles.clangFormat, cppFormat), recording(checkedFiles.prettier, webFormat)];

/** Reads the glue in web/wasm/, so the module is built before it. */
const typedTemplates = { ...templates, needs: [wasm] };
export const templateChecks = unlessUnchanged(typedTemplates, () => [
  'web',
  'tools',
  'package-lock.json',
  'tsconfig.json',
]);
const scripts = () => ['tools', 'command', 'bench', 'vitest.config.ts', ...projectFiles('tests', /\.mjs$/)];
export const typeChecks = [
  typesOf('tsconfig.tests.json', 'tests', () => ['tests', ...scripts()]),
  typesOf('tsconfig.json', 'the package', () => ['tests/web/elements/table-size']),
  typesOf('tsconfig.tools.json', 'scripts', scripts),
];

// Recorded in the build folder, which clang-tidy also needs, so deleting the folder deletes the record.
export const nativeTests = inBackground(
  unlessUnchanged(recording(checkedFiles.native, doctestPhase('native-release', 'C++ tests, native')), cppInputs, {
    memory: join(root, 'build/native-release'),
  }),
);
export const cppTidy = inBackground({ ...tidyOf({}), needs: [nativeTests] });
/** Where nothing has passed yet, edited since the last commit. */
export const tidyOfEdited = tidyOf({ onlyEdited: true });
export const sanitizedTests = inBackground(
  unlessUnchanged(doctestPhase('native-sanitize', 'C++ tests, sanitized'), cppInputs),
);
export const sanitizedIfChanged = {
  ...sanitizedTests,
  run: async () => (hasRun(sanitizedTests) ? sanitizedTests.run() : leftToAll('never run here')),
};

/** All vector code, with the hashes of its results. In the emulator this takes about a minute; training would take many. */
const arm64InEmulator = unlessUnchanged(
  {
    title: 'C++ of the arm64 build',
    run: async () => {
      await buildPreset('arm64', ['core_tests']);
      return runDoctests('arm64', { parts: ['base', 'linalg'] });
    },
  },
  cppInputs,
);
export const arm64Tests = {
  ...inBackground(arm64InEmulator),
  needs: [arm64Tools],
  run: async () => {
    const obstacle = arm64Obstacle();
    return obstacle ? { passed: 0, failed: 0, skipped: 1, notes: [obstacle] } : arm64InEmulator.run();
  },
};

// Two builds in one folder would conflict, so the modules of a preset are built before its tests.
export const wasmTests = unlessUnchanged(
  inBackground({ ...doctestPhase('wasm', 'C++ tests as wasm in Node', doctestPrograms), needs: [wasm] }),
  cppInputs,
);
export const relaxedWasmTests = unlessUnchanged(
  inBackground({
    ...doctestPhase('wasm-relaxed', 'C++ tests as wasm with relaxed multiply-add', doctestPrograms),
    needs: [relaxedWasm],
  }),
  cppInputs,
);

export const unitTests = unlessUnchanged(
  {
    title: 'JavaScript unit tests',
    run: () => runUnits(usualUnitFiles(), { now: hashes(), isProved: true, env: { SHARE_MODULES: '1' } }),
    needs: [wasm, relaxedWasm],
  },
  everything,
  withoutRelaxed,
);
export const longUnitTests = unlessUnchanged(
  {
    ...vitestPhase('unit', 'JavaScript unit tests, the longest', { files: () => longUnitFiles, report: 'unit-long' }),
    needs: [wasm, zsh],
  },
  everything,
  withoutRelaxed,
);
export const relaxedTests = unlessUnchanged(
  { ...vitestPhase('relaxed', 'JavaScript tests of the relaxed build'), needs: [wasm, relaxedWasm] },
  everything,
);
export const judgesTests = unlessUnchanged(
  { ...vitestPhase('judges', 'Our files and numbers, judged by other programs'), needs: [wasm, judges, pyTorch] },
  everything,
);
export const packageTests = unlessUnchanged(
  { ...vitestPhase('package', 'Package tests'), needs: [wholePackage, schedulers, zsh, pyTorch, otherBrowsers] },
  everythingBuilt,
);
export const quickPackageTests = unlessUnchanged(
  {
    ...vitestPhase('package', 'Package tests: packed, imported, bundled, compiled', {
      files: () => quickFiles.package,
      env: quickEnvironment,
    }),
    needs: [wholePackage],
  },
  everythingBuilt,
);
// Debian's launcher prints other messages, which are shown only if it fails.
const browserRelease = {
  also: () => execFileSync(headlessPath(), ['--version'], { encoding: 'utf8', stdio: 'pipe' }),
};
export const browserTests = unlessUnchanged(
  { ...vitestPhase('browser', 'Browser tests (Chromium)'), needs: [article] },
  everythingBuilt,
  browserRelease,
);
export const quickBrowserTests = unlessUnchanged(
  {
    ...vitestPhase('browser', 'Browser tests (Chromium), some of each area', {
      files: () => quickFiles.browser,
      env: quickEnvironment,
    }),
    needs: [article],
  },
  everythingBuilt,
  browserRelease,
);
export const engineTests = {
  ...vitestPhase('engines', 'The same in Firefox and WebKit'),
  needs: [wholePackage, otherBrowsers],
};

/**
 * Trains the default transformer on real text, tied, untied and both with scaled lookup, with one of the three recorded seeds: the
 * numbers of docs/experiments come out again, to the last decimal. A unit test checks whether they support the claims.
 */
const losses = {
  // It builds its program in the same folder.
  needs: [nativeTests],
  title: 'Losses and tables of small transformers, as recorded',
  run: async () => {
    const { buildExperiments, claimVariants, text, train } = await import('../experiments/runs.mjs');
    const { recordedRows, repeated } = await import('../experiments/recorded.mjs');
    if (!existsSync(text)) {
      return { passed: 0, failed: 0, skipped: 1, notes: ['../shared/data/corpora/tiny-shakespeare.txt is not there'] };
    }
    const executable = await buildExperiments();
    const jobs = claimVariants.map((variant) => `${variant}:0`);
    const results = repeated(await train(executable, 'reference', jobs, () => undefined), recordedRows());
    const wrong = results.filter(([, holds]) => !holds);
    const notes = wrong.map(([sentence, , found]) => `does not hold: ${sentence}; ${found}`);
    return { passed: results.length - wrong.length, failed: wrong.length, skipped: 0, notes };
  },
};

export const lossClaims = unlessUnchanged(inBackground(losses), () => [
  ...cppInputs(),
  'tools/experiments',
  'docs/experiments',
]);

/** Download sizes against their budgets; one test per budget. */
export const sizes = {
  title: 'Payload sizes',
  needs: [wholePackage],
  run: async () => {
    const { measureSizes } = await import('../lib/sizes.mjs');
    const rows = measureSizes().filter(({ budget }) => budget !== undefined);
    const over = rows.filter(({ bytes, budget }) => bytes > budget);
    return {
      passed: rows.length - over.length,
      failed: over.length,
      skipped: 0,
      notes: over.map(({ what, bytes, budget }) => `${what}: ${bytes} bytes gzip; the budget is ${budget}`),
    };
  },
};

/** Lines of each folder against their budgets; one test per budget. The table is a note of every run. */
export const lines = {
  title: 'Lines against their budgets',
  run: async () => {
    const { budgetsHeld, tableOfLines } = await import('./lines.mjs');
    const { over, held } = budgetsHeld();
    return { passed: held.length, failed: over.length, skipped: 0, notes: over, table: tableOfLines() };
  },
};
