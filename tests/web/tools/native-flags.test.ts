// Its processes read: tools/cmake
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';

/** The flags of the native toolchain on a machine with this CPU. */
function targetFlags(processor: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tied-flags-'));
  try {
    const script = join(folder, 'flags.cmake');
    writeFileSync(
      script,
      `set(CMAKE_HOST_SYSTEM_PROCESSOR ${processor})\n` +
        `include("${join(root, 'tools/cmake/native.cmake')}")\n` +
        `file(WRITE "${join(folder, 'flags')}" "\${TIED_TARGET_FLAGS}")\n`,
    );
    execFileSync('cmake', ['-P', script]);
    return readFileSync(join(folder, 'flags'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(['x86_64', 'AMD64', 'amd64'])('vectors are enabled on %s', (processor) => {
  expect(targetFlags(processor)).toBe('-msse4.2');
});

test.each(['arm64', 'aarch64'])('no flags of other machines are used on %s', (processor) => {
  expect(targetFlags(processor)).toBe('');
});

test('the presets name no CPU, so they work on any machine', () => {
  const presets = readFileSync(join(root, 'CMakePresets.json'), 'utf8');
  expect(presets).not.toMatch(/-m(sse|avx|arch|cpu|fpu)/);
});
