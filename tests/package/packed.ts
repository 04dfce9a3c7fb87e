// The package as users get it: packed, and unpacked into the node_modules of an empty folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import type { Packing } from './packing.js';

export interface PackedPackage extends Packing {
  /** A user's empty project with the package in its node_modules. */
  folder: string;
  manifest: {
    exports: Record<string, string | { types: string; default: string }>;
    dependencies?: Record<string, string>;
  };
  remove: () => void;
}

/** What npm would publish. Its dependencies are linked from this project, not fetched. */
export function packPackage(): PackedPackage {
  const packing = inject('packing');
  const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-package-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', packing.tarball, '-C', modules]);
  execFileSync('mv', [join(modules, 'package'), join(modules, 'tied-embeddings')]);
  const manifestFile = join(modules, 'tied-embeddings/package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as PackedPackage['manifest'];
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  return {
    ...packing,
    folder,
    manifest,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
