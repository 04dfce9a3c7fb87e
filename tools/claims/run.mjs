// Runs one claims file with the package's command, as a reader would, and records the outcome.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { SetupProblem } from '../lib/steps.mjs';
import { builtInFiles, readClaimFile, textsFolder, valuesShown } from './files.mjs';
import { outcomeOf, withValues, writeOutcome } from './outcomes.mjs';

const command = join(root, 'dist/command.js');

/** Progress goes to stderr. */
function experiment(verb, words) {
  const { status, stdout } = spawnSync(process.execPath, [command, 'experiment', verb, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new SetupProblem(`experiment ${verb} exited with ${status}; run the same command to resume.`);
  return stdout;
}

const rowsOf = (file) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

export async function runClaims(name, jobs) {
  const spec = readClaimFile(name);
  const folder = join(root, 'build/claims', name);
  mkdirSync(folder, { recursive: true });
  for (const file of [spec.text?.file, spec.then?.text.file].filter((one) => one !== undefined)) {
    if (file in builtInFiles) {
      writeFileSync(join(folder, file), builtInFiles[file]());
      continue;
    }
    const text = join(textsFolder, file);
    if (!existsSync(text)) {
      console.log(`${name}: not run, because ../shared/data/corpora/${file} is missing`);
      return;
    }
    copyFileSync(text, join(folder, file));
  }
  console.log(name);
  const claim = join(folder, 'claim.json');
  const results = ['--results', join(folder, 'results')];
  writeFileSync(claim, JSON.stringify(withValues(spec, valuesShown(name))));
  experiment('run', [claim, '--jobs', jobs, ...results]);
  const tables = join(folder, 'tables');
  const claims = JSON.parse(experiment('collect', [claim, '--json', '--out', tables, ...results]));
  const [runs, clock] = ['runs', 'clock'].map((table) => rowsOf(join(tables, `${table}.jsonl`)));
  await writeOutcome(name, outcomeOf(spec, runs, clock, claims));
}
