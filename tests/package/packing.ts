// Packs dist/ as npm would publish it, once for all package test files.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root } from '../../tools/lib/root.mjs';

export interface Packing {
  tarball: string;
  /** Size of the tarball. */
  bytes: number;
  /** Size of its files. */
  unpackedBytes: number;
  /** Its files, relative to the package. */
  files: string[];
}

declare module 'vitest' {
  export interface ProvidedContext {
    packing: Packing;
  }
}

/** Called by vitest before the first file; what it returns is called after the last. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-packing-'));
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parsed = JSON.parse(output) as unknown;
  // A list of packages or, from npm 11 on, an object keyed by name.
  const [packed] = Object.values(parsed as object) as {
    filename: string;
    size: number;
    unpackedSize: number;
    files: { path: string }[];
  }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  const files = packed.files.map(({ path }) => path);
  const { filename, size: bytes, unpackedSize: unpackedBytes } = packed;
  project.provide('packing', { tarball: join(folder, filename), bytes, unpackedBytes, files });
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
