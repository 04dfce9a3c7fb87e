// Paths of the toolchain, stored by the set-up.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { SetupProblem } from '../lib/steps.mjs';

export { root };
export const toolchainFolder = join(root, '.toolchain');
export const toolchainFile = join(toolchainFolder, 'env.json');
export const cmakePathsFile = join(toolchainFolder, 'paths.cmake');

/**
 * Paths of the tools: { clang, clangxx, clangFormat, clangTidy, llvmBin, emscriptenRoot, include }. Fails with a
 * readable message where the set-up has not run.
 */
export function toolchain() {
  if (!existsSync(toolchainFile)) {
    throw new SetupProblem('The toolchain is not set up yet. Run: node tools/setup/setup.mjs');
  }
  return JSON.parse(readFileSync(toolchainFile, 'utf8'));
}
