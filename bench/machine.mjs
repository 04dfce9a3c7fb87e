// The machine and the versions.
import { cpus, loadavg } from 'node:os';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../tools/lib/run.mjs';
import { toolchain } from '../tools/setup/paths.mjs';

/** Work waiting for the processor, averaged over the last minute. */
export const load = () => loadavg()[0];

/** { processor, vectors, cores }: its name, and the vector instructions that a native program can use. */
export function machine() {
  const all = cpus();
  let vectors = 'unknown';
  if (existsSync('/proc/cpuinfo')) {
    const flags = new Set((/^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? '').split(' '));
    vectors = ['avx512f', 'avx2', 'sse4_2'].find((flag) => flags.has(flag)) ?? 'none of these';
  }
  const clock = all[0]?.speed > 0 ? ` at ${all[0].speed} MHz` : '';
  return {
    processor: `${all[0]?.model ?? 'unknown processor'}${clock}`,
    vectors,
    cores: all.length,
  };
}

/** The measured commit, and whether files differ from it; undefined outside a repository. */
async function commit() {
  const name = (await capture('git', ['rev-parse', '--short=12', 'HEAD']))?.trim();
  if (name === undefined) return undefined;
  const changed = await capture('git', ['status', '--porcelain', '--', 'cpp', 'web', 'bench', 'CMakePresets.json']);
  return changed === '' ? name : `${name} with changes`;
}

/** Versions of the tools that build and run the core; peers report their own. */
export async function versions(browser) {
  const { clangxx, emscriptenRoot } = toolchain();
  const first = (text) => /\d+\.\d+\.\d+[\w.-]*/.exec(text ?? '')?.[0] ?? 'unknown';
  const release = join(emscriptenRoot, 'emscripten-version.txt');
  const measured = await commit();
  return {
    ...(measured === undefined ? {} : { commit: measured }),
    ...(browser === undefined ? {} : { Chromium: browser.version() }),
    Node: process.versions.node,
    emcc: existsSync(release) ? first(readFileSync(release, 'utf8')) : 'unknown',
    clang: first(await capture(clangxx, ['--version'])),
  };
}
