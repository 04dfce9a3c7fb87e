// Runs one vitest project and counts its tests.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../lib/root.mjs';
import { run, tail } from '../lib/run.mjs';

/** A stack without the frames of the runner and of Node. */
function withoutForeignFrames(message) {
  const lines = message.split('\n');
  return lines.filter((line) => !/^\s+at .*(node_modules|node:internal|new Promise)/.test(line)).join('\n');
}

/** { passed, failed, skipped, notes } of vitest's JSON report. `ending`: how its log ends. */
export function countsOf(report, ending = '') {
  const notes = [];
  let suitesThatFailed = 0;
  for (const file of report.testResults) {
    const tests = file.assertionResults;
    for (const { fullName } of tests.filter(({ status }) => status === 'skipped' || status === 'pending')) {
      notes.push(`skipped: ${fullName}`);
    }
    for (const test of tests.filter(({ status }) => status === 'failed')) {
      notes.push(`${file.name} > ${test.fullName}\n${withoutForeignFrames((test.failureMessages ?? []).join('\n'))}`);
    }
    // A file that could not be loaded has no tests to count; of a hook that failed only the log says why.
    if (file.status === 'failed' && !tests.some(({ status }) => status === 'failed')) {
      suitesThatFailed++;
      notes.push(`${file.name}\n${file.message || ending}`);
    }
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + suitesThatFailed,
    skipped: report.numPendingTests + report.numTodoTests,
    notes,
  };
}

const reportFileOf = (report) => join(root, 'build', `vitest-${report}.json`);

/** How long each file of the last run of that name took, by its path; none if it ended before its report. */
export function secondsOf(report) {
  if (!existsSync(reportFileOf(report))) return {};
  const { testResults } = JSON.parse(readFileSync(reportFileOf(report), 'utf8'));
  return Object.fromEntries(
    testResults.map(({ name, startTime, endTime }) => [relative(root, name), (endTime - startTime) / 1000]),
  );
}

/** Runs the tests of a project of vitest.config.ts, or those in `files`; fails if there are none. `report` names its report and log. */
export async function runVitest(project, files = [], env = {}, report = project) {
  const reportFile = reportFileOf(report);
  rmSync(reportFile, { force: true });
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', `${project}*`, ...files];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { code, log } = await run(process.execPath, [...args, ...reporters], {
    log: `vitest-${report}`,
    allowFailure: true,
    env: { NO_COLOR: '1', ...env },
  });
  if (!existsSync(reportFile)) {
    return { passed: 0, failed: 1, skipped: 0, notes: [tail(log, 60)] };
  }
  const counts = countsOf(JSON.parse(readFileSync(reportFile, 'utf8')), tail(log, 60));
  // Something outside the tests, such as an unhandled rejection.
  if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1, notes: [tail(log, 60)] };
  return counts;
}
