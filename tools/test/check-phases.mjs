// The phases of `npm run check`: those of phases.mjs, each about what has changed. A result says what is left, to the next check (`later`) or to `npm test`
// (`leaves`); what was not run counts neither as passed nor as unchanged.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { checkedFiles, elements, scripts } from './checked-files.mjs';
import { checkNative } from './native-check.mjs';
import {
  TYPED,
  checkTemplates,
  clangFormat,
  format,
  lint,
  nativeTests,
  oxlint,
  prettier,
  templateChecks,
  tidyOfEdited,
  typeChecks,
  unitTests,
  wasm,
} from './phases.mjs';
import { sinceLastCommit } from './last-commit.mjs';
import { filesAffected, templatesAffected } from './templates.mjs';
import { hasRun, runsAll } from './unchanged.mjs';
import { planUnits, runUnits } from './unit-plan.mjs';

const nothing = (instead) => ({ passed: 0, failed: 0, skipped: 0, notes: [], instead });
/** Nothing to do: what has passed here counts, what was only committed does not. */
const unchanged = (isProved) =>
  isProved ? { ...nothing(), passed: 1, unchanged: true } : nothing('as at the last commit, and not run');

let plan;
/** Decided once, before anything is built. */
const unitPlan = () => (plan ??= planUnits());

/** The modules, if a unit test that uses them will run: `npm test` always builds them. */
export const quickModules = {
  ...wasm,
  run: async () => ((await unitPlan()).useModules ? wasm.run() : nothing('no test to run uses it')),
};

/** More files than a command line should have. */
const MANY = 200;

/**
 * A phase about changed files: `dueOf(paths)` are those to check after these have changed or gone, `check(due)` does it, `leaves` says what that
 * leaves out.
 */
const aboutChanges = (phase, files, dueOf, check, leaves) => ({
  ...phase,
  run: async () => {
    const { changed, gone, isProved, passed } = files();
    const due = dueOf([...changed, ...gone]);
    const result = due.length === 0 ? unchanged(isProved) : { leaves, ...(await check(due)) };
    if (result.failed === 0) passed();
    return result;
  },
});

const [cppFormat, webFormat] = format;
const existing = (paths) => paths.filter((path) => existsSync(join(root, path)));
export const quickFormat = [
  aboutChanges(cppFormat, checkedFiles.clangFormat, existing, clangFormat),
  // Prettier takes seconds to look up all files in its own cache.
  aboutChanges(webFormat, checkedFiles.prettier, existing, (due) => prettier('--ignore-unknown', ...due)),
];

export const quickLint = aboutChanges(
  lint,
  checkedFiles.lint,
  (changed) => filesAffected(scripts(), changed),
  (due) => oxlint(...(due.length > MANY ? [] : due)),
  ['lint of files that import the changed ones through others'],
);

export const quickTemplates = aboutChanges(
  templateChecks,
  checkedFiles.templates,
  (changed) => templatesAffected(elements(), changed),
  (due) => checkTemplates(...due),
  ['templates of files that import the changed ones through others'],
);

const isBelow = (path, folders) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
/** Compiled if an input has changed, or before the first time, if one differs from the last commit. */
export const quickTypes = typeChecks.map((phase) => ({
  ...phase,
  needs: [quickModules],
  run: async () => {
    const since = runsAll || hasRun(phase) ? undefined : sinceLastCommit();
    const differs =
      since === undefined ||
      [...since.edited, ...since.added, ...since.gone].some(
        (path) => TYPED.test(path) && isBelow(path, phase.inputs()),
      );
    return differs ? phase.run() : unchanged(false);
  },
}));

/** The C++ tests of folders that a change can affect, nearest first, as far as the time goes. */
export const quickNativeTests = {
  ...nativeTests,
  background: false,
  run: async () => {
    const { changed, gone, isProved, left, passed } = checkedFiles.native();
    const all = [...changed, ...gone];
    if (all.length === 0 && left.length === 0) return unchanged(isProved);
    const { uncompiled, parts, ...result } = await checkNative(all, left);
    if (uncompiled.length > 0)
      return { ...result, later: [`${uncompiled.length} C++ sources to compile, before the C++ tests can run`] };
    if (result.failed === 0) passed({ left: parts });
    return parts.length === 0 ? result : { ...result, later: [`C++ tests of ${parts.join(', ')}`] };
  },
};

/** The flags of the build, which the native tests configure; waiting for them would add their time to each check. */
const isConfigured = existsSync(join(root, 'build/native-release/compile_commands.json'));
export const quickTidy = { ...tidyOfEdited, background: false, needs: isConfigured ? [] : [nativeTests] };

const files = ({ length }, that) =>
  length === 0 ? [] : [`${length} ${length === 1 ? 'file' : 'files'} of unit tests ${that}`];

/** The unit tests that a change can affect, the nearest first, as far as the time goes. */
export const quickUnitTests = {
  ...unitTests,
  needs: [quickModules],
  run: async () => {
    const { now, isProved, due, left, unknown, unbuilt } = await unitPlan();
    const leaves = [
      ...files(unknown, 'that never ran here, and may read what has changed'),
      ...files(unbuilt, 'that use the modules, which are older than the C++ (npm run build)'),
    ];
    if (due.length === 0)
      return { ...(leaves.length > 0 ? nothing('none that can run now') : unchanged(isProved)), leaves };
    return { ...(await runUnits(due, { now, left })), later: files(left, 'that the change can affect'), leaves };
  },
};
