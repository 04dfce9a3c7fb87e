import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { commandModules, importOf } from './tools/lib/command-modules.mjs';
import { projectFiles } from './tools/lib/files.mjs';
import { relaxedArguments } from './tools/lib/relaxed-simd.mjs';

// What hangs should fail; what is slow because the machine has other work should not.
const patient = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 60_000 } } };

const ofCommand = Object.entries(commandModules).map(([name, file]) => ({
  find: importOf(name),
  replacement: join(import.meta.dirname, file),
}));

const equality = 'tools/test/equality-setup.mjs';

/**
 * Loading modules takes a third of the time of most unit tests. Where all run, files share them (SHARE_MODULES), but for
 * tests of elements and tools, which change what is global, and tests that replace modules.
 */
const sharesModules = process.env.SHARE_MODULES === '1';
const ofElements = ['tests/web/elements/**/*.test.ts'];
/** A module that is shared has been loaded before a test could replace it. */
const replacing = projectFiles('tests/web', /\.test\.ts$/).filter(
  (path) =>
    !path.startsWith('tests/web/elements/') &&
    /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
);
const alone = ['tests/web/tools/**/*.test.ts', 'tests/web/training-lab/keys.test.ts', ...replacing];

/** Files of half a minute and more. Without records of earlier runs, vitest begins with the largest files, and a long one ends the run. */
const longest = [
  ...['article-links', 'article', 'reader', 'soak', 'gradient-ledger', 'experiment', 'lens'].map(
    (name) => `tests/browser/${name}.test.ts`,
  ),
  ...['command-replay', 'bundlers', 'schedulers', 'command', 'types', 'next'].map(
    (name) => `tests/package/${name}.test.ts`,
  ),
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      return found === -1 ? longest.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** `npm test` builds no relaxed modules. What imports them still loads, and fails only where it uses them. */
const relaxedOnDemand = {
  name: 'relaxed-on-demand',
  resolveId(id: string): string | null {
    const isThere = existsSync(join(import.meta.dirname, 'web/wasm', basename(id)));
    return id.endsWith('-relaxed-bytes.mjs') && !isThere ? '\0relaxed-bytes' : null;
  },
  load: (id: string): string | null =>
    id === '\0relaxed-bytes'
      ? "throw new Error('the relaxed modules are not built; npm run test:all builds them')"
      : null,
};

interface UnitTests {
  name: string;
  include: string[];
  exclude?: string[];
  isolate?: boolean;
  pool?: 'threads';
}
const unit = (tests: UnitTests) => ({
  plugins: [relaxedOnDemand],
  resolve: { alias: ofCommand },
  test: {
    setupFiles: [equality, 'tools/test/reads-setup.mjs'],
    environment: 'node',
    // vitest would leave one core to itself: half of a machine with two.
    maxWorkers: availableParallelism(),
    ...patient,
    ...tests,
  },
});

// Projects, run apart by the tools: `unit` (seconds, nothing built but the core), `relaxed` (the same for the relaxed
// build, in a Node that runs it), `judges` (needs the programs of tests/judges), `package` (needs dist/), `browser` (needs dist/, site/ and Chromium), `engines` (needs
// dist/; in Firefox and WebKit, as far as they are there).
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      // What other programs read of our files, and other releases of Node compute (tests/judges/package.json).
      unit({ name: 'judges', include: ['tests/judges/**/*.test.ts'] }),
      unit({
        name: 'unit',
        include: ['tests/web/**/*.test.ts'],
        exclude: ['tests/web/relaxed/**', ...(sharesModules ? [...ofElements, ...alone] : [])],
        isolate: !sharesModules,
      }),
      ...(sharesModules
        ? [
            // A thread begins 0.4 s sooner than a process, which tests of tools need.
            unit({ name: 'unit-elements', include: ofElements, pool: 'threads' }),
            unit({ name: 'unit-alone', include: alone }),
          ]
        : []),
      {
        test: {
          name: 'relaxed',
          setupFiles: [equality],
          include: ['tests/web/relaxed/**/*.test.ts'],
          environment: 'node',
          execArgv: relaxedArguments,
          ...patient,
        },
      },
      {
        test: {
          name: 'package',
          setupFiles: [equality],
          include: ['tests/package/**/*.test.ts'],
          globalSetup: ['tests/browser/chromium.ts', 'tests/package/packing.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // They run programs, and wait for them.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'browser',
          setupFiles: [equality],
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: 'tests/browser/chromium.ts',
          testTimeout: 240_000,
          hookTimeout: 120_000,
          expect: patient.expect,
          // Pages wait much of the time, for frames and for what a reader would wait for.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'engines',
          setupFiles: [equality],
          include: ['tests/engines/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
