// npm run fuzz: calls every verb of the core and of labs with valid and invalid arguments, and every reader with valid and
// corrupted files; each call must succeed or be refused with a message.
//
//   npm run fuzz                                      a million calls, a million files, 500,000 checkpoints, 100,000 verdicts,
//                                                     20,000 experiments and arguments of their command, 50,000 calls of labs
//   npm run fuzz -- calls --verb trainer.run          one kind, one verb (files: one reader)
//   npm run fuzz -- --seed 5 --calls 20000
//   npm run fuzz -- native --seconds 600              the decoders in C++, with libFuzzer and the sanitizers
//   npm run fuzz -- --replay calls/5/12/834           call 834 of episode 12 with seed 5, with its arguments
import { wasmModuleStep } from './build/build.mjs';
import { fuzzerObstacle, fuzzNatively } from './fuzz/native.mjs';
import { fuzzOptions } from './fuzz/options.mjs';
import { fuzz } from './fuzz/pool.mjs';
import { noteOf } from './fuzz/tests.mjs';
import { withLock } from './lib/lock.mjs';
import { program, runSteps } from './lib/steps.mjs';
import { setupSteps } from './setup/setup.mjs';

const PROGRESS_MS = 2_000;

function showProgress(kind, calls) {
  let reported = 0;
  return (done, faults) => {
    if (done < calls && Date.now() - reported < PROGRESS_MS) return;
    reported = Date.now();
    const share = Math.floor((100 * done) / calls);
    const line = `${kind}: ${done.toLocaleString('en')} of ${calls.toLocaleString('en')} (${share}%), faults: ${faults}`;
    process.stdout.write(process.stdout.isTTY ? `\r${line} ${done === calls ? '\n' : ''}` : `${line}\n`);
  };
}

async function fuzzDecoders(seconds, seed) {
  const obstacle = await fuzzerObstacle();
  if (obstacle !== undefined) return console.log(`native: skipped, ${obstacle}`);
  await fuzzNatively({ seconds, seed }, ({ name, inputs, failed, note }) => {
    console.log(`native: ${name}, ${inputs.toLocaleString('en')} inputs, ${failed ? 'a fault' : 'no faults'}`);
    if (!failed) return;
    console.log(note);
    process.exitCode = 1;
  });
}

await program(async (words) => {
  const { seed, verbs, runs, replay, native } = fuzzOptions(words);
  let files;
  const build = {
    title: 'Building the fuzzer',
    run: async () => void (files = await (await import('./fuzz/build.mjs')).buildFuzzer()),
  };
  await withLock(() => runSteps([...setupSteps(), ...(runs.length > 0 ? [wasmModuleStep, build] : [])]));
  console.log(`seed ${seed}`);
  for (const { kind, calls } of runs) {
    const onProgress = replay ? undefined : showProgress(kind, calls);
    const { table, faults } = await fuzz({ kind, seed, calls, verbs, replay, files }, onProgress);
    if (!replay) console.table(table);
    for (const fault of faults) console.log(`\n${noteOf(fault)}`);
    if (faults.length > 0) process.exitCode = 1;
    else console.log(`${kind}: no faults`);
  }
  if (native !== undefined) await fuzzDecoders(native, seed);
});
