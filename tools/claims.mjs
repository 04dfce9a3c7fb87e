// npm run claims: runs the claims of claims/ with the package's own command, and writes the outcomes: claims/outcomes/ and
// docs/claims.md. Finished jobs are stored in build/claims/, so an interrupted run can be resumed.
//
//   npm run claims                          all of them
//   npm run claims -- backward 8 iso-bytes  experiments, surveys, or entries of docs/claims.md by their number or name
//   npm run claims -- --jobs 2              jobs at the same time; by default one per core
//   npm run claims -- --render              writes docs/claims.md again from the recorded outcomes; trains nothing
//   npm run claims -- --json FILE           also writes the outcomes to a file
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { chosenExperiments, claimFiles, surveyFiles } from './claims/files.mjs';
import { readOutcome } from './claims/outcomes.mjs';
import { writePage } from './claims/page.mjs';
import { runClaims } from './claims/run.mjs';
import { readSurveyOutcome, runSurvey } from './claims/surveys/run.mjs';
import { packageSteps } from './build/build.mjs';
import { withLock } from './lib/lock.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { setupSteps } from './setup/setup.mjs';

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      jobs: { type: 'string', default: String(availableParallelism()) },
      render: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  const chosen = chosenExperiments(positionals);
  if (!values.render) {
    await withLock(() => runSteps([...setupSteps(), ...packageSteps({ relaxed: false })]));
    for (const name of chosen) await (surveyFiles().includes(name) ? runSurvey(name) : runClaims(name, values.jobs));
  }
  writePage();
  const outcomes = chosen.flatMap((name) => readOutcome(name) ?? readSurveyOutcome(name) ?? []);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(outcomes, null, 2)}\n`);
  for (const { experiment, survey, claims } of outcomes)
    for (const { id, verdict } of claims) console.log(`${verdict.padEnd(9)} ${experiment ?? survey}: ${id}`);
  const missing = [
    ...claimFiles().filter((name) => readOutcome(name) === null),
    ...surveyFiles().filter((name) => readSurveyOutcome(name) === null),
  ];
  if (missing.length > 0) console.log(`not run yet: ${missing.join(', ')}`);
});
