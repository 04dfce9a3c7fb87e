// Configures a preset when it has to be, and builds targets of it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { run } from '../lib/run.mjs';
import { hashOf, writeIfChanged } from '../lib/stamps.mjs';
import { cmakePathsFile } from '../setup/paths.mjs';
import { which } from '../setup/platform.mjs';

/**
 * Environment that puts ccache in front of the compiler where the machine has it: another checkout of the same sources
 * then compiles nothing again. Emscripten calls its clang by itself and has a variable of its own for that.
 */
export function cacheEnvironment(preset, ccache = which('ccache')) {
  if (!ccache) return {};
  return {
    [preset.startsWith('wasm') ? 'EM_COMPILER_WRAPPER' : 'CMAKE_CXX_COMPILER_LAUNCHER']: ccache,
    CCACHE_BASEDIR: root,
    CCACHE_NOHASHDIR: '1',
    // The headers of a fresh toolchain are minutes old.
    CCACHE_SLOPPINESS: 'time_macros,include_file_mtime,include_file_ctime',
  };
}

/**
 * Builds `targets` (all where empty) of a preset of CMakePresets.json. A preset's cache variables are only read when
 * it is configured, so a changed preset or toolchain starts it afresh; other changes are CMake's own to see.
 */
export async function buildPreset(preset, targets = []) {
  const folder = join(root, 'build', preset);
  const stamp = join(folder, '.configured');
  const read = (file) => readFileSync(file, 'utf8');
  const toolchainFiles = ['native', 'arm64', 'wasm'].map((name) => read(join(root, 'tools/cmake', `${name}.cmake`)));
  const env = cacheEnvironment(preset);
  const hash = hashOf(root, read(join(root, 'CMakePresets.json')), read(cmakePathsFile), toolchainFiles, env);
  const log = `build-${preset}`;
  if (!existsSync(stamp) || read(stamp) !== hash) {
    await run('cmake', ['--fresh', '--preset', preset], { log, env });
    writeIfChanged(stamp, hash);
  }
  await run('cmake', ['--build', folder, ...targets.flatMap((target) => ['--target', target])], {
    log,
    env,
    append: true,
  });
  return folder;
}
