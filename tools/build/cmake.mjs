// Configures a preset when it has to be, and builds targets of it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { run } from '../lib/run.mjs';
import { hashOf, writeIfChanged } from '../lib/stamps.mjs';
import { cmakePathsFile } from '../setup/paths.mjs';

/**
 * Builds `targets` (all where empty) of a preset of CMakePresets.json. A preset's cache variables are only read when
 * it is configured, so a changed preset or toolchain starts it afresh; other changes are CMake's own to see.
 */
export async function buildPreset(preset, targets = []) {
  const folder = join(root, 'build', preset);
  const stamp = join(folder, '.configured');
  const read = (file) => readFileSync(file, 'utf8');
  const toolchainFiles = ['native', 'arm64', 'wasm'].map((name) => read(join(root, 'tools/cmake', `${name}.cmake`)));
  const hash = hashOf(root, read(join(root, 'CMakePresets.json')), read(cmakePathsFile), toolchainFiles);
  const log = `build-${preset}`;
  if (!existsSync(stamp) || read(stamp) !== hash) {
    await run('cmake', ['--fresh', '--preset', preset], { log });
    writeIfChanged(stamp, hash);
  }
  await run('cmake', ['--build', folder, ...targets.flatMap((target) => ['--target', target])], { log, append: true });
  return folder;
}
