// Configures a preset if needed, and builds its targets.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { run } from '../lib/run.mjs';
import { hashOf, writeIfChanged } from '../lib/stamps.mjs';
import { cmakePathsFile } from '../setup/paths.mjs';
import { which } from '../setup/platform.mjs';

/**
 * Environment that makes the build use ccache if it is installed, so another checkout of the same sources is not
 * compiled again. Emscripten runs its own clang and has a separate variable.
 */
export function cacheEnvironment(preset, ccache = which('ccache')) {
  if (!ccache) return {};
  return {
    [preset.startsWith('wasm') ? 'EM_COMPILER_WRAPPER' : 'CMAKE_CXX_COMPILER_LAUNCHER']: ccache,
    CCACHE_BASEDIR: root,
    CCACHE_NOHASHDIR: '1',
    // Headers of a fresh toolchain are new, and most sources use precompiled ones.
    CCACHE_SLOPPINESS: 'pch_defines,time_macros,include_file_mtime,include_file_ctime',
  };
}

/**
 * Configures a preset of CMakePresets.json, if needed; resolves with its folder. Cache variables are only read on the first
 * configuration, so a changed preset or toolchain starts over; CMake notices other changes.
 */
export async function configurePreset(preset) {
  const folder = join(root, 'build', preset);
  const stamp = join(folder, '.configured');
  const read = (file) => readFileSync(file, 'utf8');
  const toolchainFiles = ['native', 'arm64', 'wasm'].map((name) => read(join(root, 'tools/cmake', `${name}.cmake`)));
  const env = cacheEnvironment(preset);
  const hash = hashOf(root, read(join(root, 'CMakePresets.json')), read(cmakePathsFile), toolchainFiles, env);
  if (!existsSync(stamp) || read(stamp) !== hash) {
    await run('cmake', ['--fresh', '--preset', preset], { log: `build-${preset}`, env });
    writeIfChanged(stamp, hash);
  }
  return folder;
}

/** Configures a preset and builds `targets` (all if empty); resolves with its folder. */
export async function buildPreset(preset, targets = []) {
  const folder = await configurePreset(preset);
  await run('cmake', ['--build', folder, ...targets.flatMap((target) => ['--target', target])], {
    log: `build-${preset}`,
    env: cacheEnvironment(preset),
    append: true,
  });
  return folder;
}
