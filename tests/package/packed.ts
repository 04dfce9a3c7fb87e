// The package as a user gets it: packed, and unpacked into the node_modules of an empty folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/lib/root.mjs';

export interface PackedPackage {
  /** An empty project of a user, with the package in its node_modules. */
  folder: string;
  /** What the tarball holds, relative to the package. */
  files: string[];
  tarball: string;
  /** Size of the tarball. */
  bytes: number;
  manifest: {
    exports: Record<string, string | { types: string; default: string }>;
    dependencies?: Record<string, string>;
  };
  remove: () => void;
}

/** Packs dist/ as npm would publish it. Its dependencies are those of this project, linked, not fetched. */
export function packPackage(): PackedPackage {
  const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-package-'));
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parsed = JSON.parse(output) as unknown;
  // A list of packages, or from npm 11 on, an object keyed by name.
  const [packed] = Object.values(parsed as object) as { filename: string; size: number; files: { path: string }[] }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', modules]);
  execFileSync('mv', [join(modules, 'package'), join(modules, 'tied-embeddings')]);
  const manifestFile = join(modules, 'tied-embeddings/package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as PackedPackage['manifest'];
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  return {
    folder,
    tarball: join(folder, packed.filename),
    files: packed.files.map(({ path }) => path),
    bytes: packed.size,
    manifest,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
