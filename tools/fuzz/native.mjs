// Runs the libFuzzer programs (tests/fuzzers), each for a number of seconds, with the address and undefined-behavior sanitizers.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPreset } from '../build/cmake.mjs';
import { root } from '../lib/root.mjs';
import { capture, run, tail } from '../lib/run.mjs';
import { toolchain } from '../setup/paths.mjs';

/** Each takes any bytes and reads them as what it is named after. */
const NATIVE_FUZZERS = ['elements', 'llama2c', 'moments'];
const LONGEST_INPUT = 4096;
/** An input that takes longer counts as a hang. */
const SECONDS_PER_INPUT = 20;

/** Why these programs cannot be built here; undefined if they can. */
export async function fuzzerObstacle() {
  const none = 'no libFuzzer: install libclang-rt-19-dev';
  if (process.platform !== 'linux') return `${none}, on Linux`;
  const folder = await capture(toolchain().clangxx, ['-print-runtime-dir']);
  // Debian has one folder for all architectures, and the architecture in the file name.
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const found = [folder?.trim(), join(folder?.trim() ?? '', '../linux')].some((place) =>
    ['libclang_rt.fuzzer.a', `libclang_rt.fuzzer-${machine}.a`].some((name) => existsSync(join(place ?? '', name))),
  );
  return found ? undefined : none;
}

/** What libFuzzer says of its inputs at the end, such as 'stat::number_of_executed_units: 1234'. */
export function inputsOf(output) {
  return Number(/stat::number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? 0);
}

/**
 * Runs one program; resolves with { name, inputs, failed, note }. Inputs that libFuzzer keeps are stored in build/ and tried
 * first the next time; an input that ends the program is stored beside them.
 */
async function runNativeFuzzer(folder, name, { seconds, seed }) {
  const corpus = join(root, 'build/fuzz-inputs', name);
  const faults = join(root, 'build/fuzz-inputs', `${name}-faults`);
  mkdirSync(corpus, { recursive: true });
  rmSync(faults, { recursive: true, force: true });
  mkdirSync(faults, { recursive: true });
  // By default, inputs that take 10 seconds would be kept and counted as faults: on a busy machine many are slow.
  const slow = ['timeout', 'report_slow_units'].map((name) => `-${name}=${SECONDS_PER_INPUT}`);
  const limits = [`-max_total_time=${seconds}`, ...slow, `-max_len=${LONGEST_INPUT}`];
  const { code, log } = await run(
    join(folder, 'tests/fuzzers', `fuzz_${name}`),
    [...limits, `-seed=${seed}`, '-print_final_stats=1', `-artifact_prefix=${faults}/`, corpus],
    { log: `fuzz-${name}`, allowFailure: true },
  );
  const output = tail(log, 200);
  const [fault] = readdirSync(faults);
  const inputs = inputsOf(output);
  const failed = code !== 0 || fault !== undefined || inputs === 0;
  const again = fault === undefined ? '' : `\n  build/native-fuzz/tests/fuzzers/fuzz_${name} ${join(faults, fault)}`;
  return { name, inputs, failed, note: failed ? `${tail(log, 40)}${again}` : undefined };
}

/**
 * Runs all programs, one after another.
 * @param {{ seconds: number, seed: number }} options
 * @param {(result: { name: string, inputs: number, failed: boolean, note: string | undefined }) => void} [onDone]
 */
export async function fuzzNatively(options, onDone) {
  const folder = await buildPreset(
    'native-fuzz',
    NATIVE_FUZZERS.map((name) => `fuzz_${name}`),
  );
  const results = [];
  for (const name of NATIVE_FUZZERS) {
    results.push(await runNativeFuzzer(folder, name, options));
    onDone?.(results.at(-1));
  }
  return results;
}
