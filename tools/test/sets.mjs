// What `npm test` and `npm run test:all` run: the one list. A phase is in the quick set, in the whole, or in both; a phase that is
// only in the quick set is a smaller form of one that is only in the whole. See docs/testing.md.
import { projectFiles } from '../lib/files.mjs';

/**
 * Every phase in the order of the run, by its key in tools/test (phases.mjs, fuzz-phases.mjs, setup-phases.mjs). Phases that others need come first, then those that take
 * long by themselves: the files of the package tests run one after another, with waits, so they end last if they begin late.
 * Short phases at the end leave no core idle.
 * @type {readonly (readonly [string, 'quick' | 'all' | 'both'])[]}
 */
export const phaseSets = [
  ['wasm', 'both'],
  ['relaxedWasm', 'all'],
  // Without the relaxed build.
  ['baselinePackage', 'quick'],
  ['wholePackage', 'all'],
  // With the numbers as recorded; the whole computes them, and compares.
  ['recordedArticle', 'quick'],
  ['article', 'all'],
  // What only some tests need is installed while others run.
  ['schedulers', 'all'],
  ['zsh', 'all'],
  ['pyTorch', 'all'],
  ['judges', 'all'],
  ['otherBrowsers', 'all'],
  ['arm64Tools', 'all'],
  ['quickBrowserTests', 'quick'],
  ['browserTests', 'all'],
  ['quickPackageTests', 'quick'],
  ['packageTests', 'all'],
  ['nativeTests', 'both'],
  // Where they passed before, until the C++ changes: a fresh clone leaves them to the whole.
  ['sanitizedIfChanged', 'quick'],
  ['sanitizedTests', 'all'],
  // The sources that were edited since they passed.
  ['tidyOfEdited', 'quick'],
  ['cppTidy', 'all'],
  ['wasmTests', 'all'],
  ['relaxedWasmTests', 'all'],
  ['unitTests', 'both'],
  ['longUnitTests', 'all'],
  ['judgesTests', 'all'],
  ['lint', 'both'],
  ['quickFuzzing', 'quick'],
  ['fuzzing', 'all'],
  ['lossClaims', 'all'],
  ['nativeFuzzers', 'all'],
  ['arm64Tests', 'all'],
  ['relaxedTests', 'all'],
  ['engineTests', 'all'],
  ['templateChecks', 'both'],
  ['typeChecks', 'both'],
  ['format', 'both'],
  ['sizes', 'both'],
  ['lines', 'both'],
];

/** The keys of the phases of a set, in order. */
export const keysOf = (set) => phaseSets.filter(([, where]) => where === set || where === 'both').map(([key]) => key);

/** Calls of the fuzzer by kind, from the same fixed seed. Only the many show whether every verb returns at all. */
export const fuzzCalls = {
  calls: { quick: 5000, all: 200_000 },
  files: { quick: 5000, all: 200_000 },
  checkpoints: { quick: 2000, all: 30_000 },
  verdicts: { quick: 500, all: 4000 },
  experiments: { quick: 500, all: 4000 },
  labs: { quick: 1000, all: 20_000 },
};

/** Files of the quick set: each area has some, and each base class of the figures has one figure. */
export const quickFiles = {
  browser: [
    // The core, the worker, the package, and the harness itself.
    ...['core', 'modules', 'package', 'harness', 'example-figure'],
    // Of all figures: addresses, the keyboard, the size of what is pressed.
    ...['links', 'followed-links', 'focus', 'targets'],
    // TiedElement, SeededTwinElement, TwinMeasurement, PromptElement, ArchitectureElement, the training lab.
    ...['bigrams', 'direct-path', 'alignment', 'lens', 'compute-calculator', 'training-lab-layout'],
    // In one width (ARTICLE_WIDTHS).
    'article',
  ].map((name) => `tests/browser/${name}.test.ts`),
  // Packed, imported in Node, bundled by esbuild, its types compiled; nothing is installed for them.
  package: ['package', 'node-lab', 'custom-elements'].map((name) => `tests/package/${name}.test.ts`),
};

/** What the tests of the quick set leave out. */
export const quickEnvironment = { ARTICLE_WIDTHS: '768', BASELINE_ONLY: '1' };

/** Unit tests of the whole only: they take half a minute each, or a program that only the whole installs. */
export const longUnitFiles = ['core/hostile-arguments', 'command/completion-zsh', 'tools/new'].map(
  (name) => `tests/web/${name}.test.ts`,
);

/** The vitest project of each folder of tests; `unit` has the rest of tests/web. */
const folders = {
  relaxed: 'tests/web/relaxed',
  judges: 'tests/judges',
  package: 'tests/package',
  browser: 'tests/browser',
  engines: 'tests/engines',
};

const testFiles = (folder) => projectFiles(folder, /\.test\.ts$/);

/** All test files of a vitest project. */
export const filesOf = (project) =>
  project === 'unit'
    ? testFiles('tests/web').filter((path) => !path.startsWith(`${folders.relaxed}/`))
    : testFiles(folders[project]);

/** The unit tests of both sets. */
export const usualUnitFiles = () => filesOf('unit').filter((path) => !longUnitFiles.includes(path));
