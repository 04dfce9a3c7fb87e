// Requirements for building and testing for arm64 on other machines: its C++ library, and an emulator.
import { existsSync } from 'node:fs';
import { debianRelease, which } from './platform.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

// The compiler is clang; g++'s package supplies the libraries, whatever their release.
const packages = ['g++-aarch64-linux-gnu', 'qemu-user'];

/** Only tests need it, and other systems do without it, so failures are ignored. */
export async function ensureArm64() {
  if (process.arch === 'arm64') return 'this machine is arm64';
  if (debianRelease() < 12) return 'skipped: supported on Debian only';
  try {
    return await ensureSystemPackages(packages);
  } catch {
    return `skipped: ${packages.join(' and ')} cannot be installed here`;
  }
}

/** Why the arm64 build cannot be tested here; undefined if it can. */
export function arm64Obstacle() {
  if (process.arch === 'arm64') return 'arm64 on arm64: the native tests are those';
  const lacks = existsSync('/usr/aarch64-linux-gnu/lib') && which('qemu-aarch64') !== undefined ? [] : packages;
  return lacks.length === 0 ? undefined : `arm64 not tested: install ${lacks.join(' and ')}`;
}
