// Finds or fetches the wasm toolchain and the three C++ header libraries (xsimd, doctest, Eigen).
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, run } from '../lib/run.mjs';
import { SetupProblem } from '../lib/steps.mjs';
import { hashOf, makeFolder } from '../lib/stamps.mjs';
import { compareVersions, debianRelease, which } from './platform.mjs';
import { toolchainFolder } from './paths.mjs';
import { unpackPackages } from './debian-archive.mjs';

const oldestEmscripten = '3.1.69';
const suite = 'trixie';
const emscriptenPackages = ['emscripten', 'binaryen', 'libc6', 'libstdc++6', 'libgcc-s1', 'node-acorn'];
const headerPackages = ['libxsimd-dev', 'doctest-dev', 'libeigen3-dev'];
// Not needed to compile a single-threaded module for the web; most of the package's size.
const leaveOut = [
  '*/emscripten/test',
  '*/emscripten/docs',
  '*/emscripten/out',
  '*/emscripten/media',
  '*/share/doc',
  '*/share/man',
  '*/lib/x86_64-linux-gnu/gconv',
  '*/libGL-*emu*',
  '*/libGL-*ofb*',
  '*/libGL-*es3*',
  '*-mt*.a',
  '*-ww*.a',
  '*asan*.a',
  '*ubsan*.a',
  '*lsan*.a',
  '*/wasm64-emscripten',
];

// On systems other than Debian: fetched by git, at these tags.
const emsdk = { repository: 'https://github.com/emscripten-core/emsdk.git', version: '3.1.69' };
const headerRepositories = [
  { name: 'xsimd', repository: 'https://github.com/xtensor-stack/xsimd.git', tag: '13.2.0', headers: 'include/xsimd' },
  { name: 'doctest', repository: 'https://github.com/doctest/doctest.git', tag: 'v2.4.11', headers: 'doctest' },
  { name: 'Eigen', repository: 'https://gitlab.com/libeigen/eigen.git', tag: '3.4.0', headers: 'Eigen' },
];

/** { root, version } of an emcc on the PATH that is new enough, or undefined. */
async function emscriptenOnPath() {
  const emcc = which('emcc', { real: true });
  if (!emcc) return undefined;
  const version = /(\d+\.\d+\.\d+)/.exec((await capture(emcc, ['--version'])) ?? '')?.[1];
  if (!version || compareVersions(version, oldestEmscripten) < 0) return undefined;
  return { root: dirname(emcc), version };
}

/** Makes the unpacked packages usable in place: Binaryen with its own libc, acorn where the scripts look for it. */
function configure(folder, finalFolder, llvmBin) {
  const scripts = join(folder, 'usr/share/emscripten');
  mkdirSync(join(scripts, 'node_modules'), { recursive: true });
  symlinkSync('../../nodejs/acorn', join(scripts, 'node_modules', 'acorn'));

  const libraryParts = readdirSync(join(folder, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
  const library = join('usr/lib', libraryParts[0]);
  const loader = readdirSync(join(folder, library)).find((name) => /^ld-linux.*\.so/.test(name));
  const binaryen = join(folder, 'binaryen', 'bin');
  mkdirSync(binaryen, { recursive: true });
  for (const name of readdirSync(join(folder, 'usr/bin')).filter((name) => name.startsWith('wasm'))) {
    const inPlace = (path) => `'${join(finalFolder, path)}'`;
    const script = `#!/bin/sh\nexec ${inPlace(join(library, loader))} --library-path ${inPlace(library)} ${inPlace(join('usr/bin', name))} "$@"\n`;
    writeFileSync(join(binaryen, name), script);
    chmodSync(join(binaryen, name), 0o755);
  }

  // Emscripten reads this file beside its scripts wherever EM_CONFIG is not set.
  writeFileSync(
    join(scripts, '.emscripten'),
    [
      `LLVM_ROOT = ${JSON.stringify(llvmBin)}`,
      `BINARYEN_ROOT = ${JSON.stringify(join(finalFolder, 'binaryen'))}`,
      `NODE_JS = ${JSON.stringify(process.execPath)}`,
      'FROZEN_CACHE = True  # the system libraries are those of the package; no variants are built',
      '',
    ].join('\n'),
  );
}

/** Debian before 13: the newer release's packages, unpacked privately. Resolves with { root, headers, done }. */
async function fromNewerDebian(found, llvmBin) {
  const packages = found ? headerPackages : [...emscriptenPackages, ...headerPackages];
  const folder = join(toolchainFolder, suite);
  const hash = hashOf('newer-debian-2', suite, packages, leaveOut, folder, llvmBin, process.execPath);
  const done = await makeFolder(folder, hash, async (partial) => {
    await unpackPackages({ suite, packages, folder: partial, scratch: join(partial, 'scratch'), leaveOut });
    if (!found) configure(partial, folder, llvmBin);
  });
  return {
    root: found?.root ?? join(folder, 'usr/share/emscripten'),
    headers: {
      xsimd: join(folder, 'usr/include/xsimd'),
      doctest: join(folder, 'usr/include/doctest'),
      Eigen: join(folder, 'usr/include/eigen3/Eigen'),
    },
    done,
  };
}

/** Debian 13 and newer: everything comes from the system's own packages. */
function fromSystem(found) {
  if (!found)
    throw new SetupProblem(
      `The package emscripten is installed, but no emcc of at least ${oldestEmscripten} is on the PATH.`,
    );
  return {
    root: found.root,
    headers: { xsimd: '/usr/include/xsimd', doctest: '/usr/include/doctest', Eigen: '/usr/include/eigen3/Eigen' },
    done: false,
  };
}

async function clone(repository, tag, folder) {
  await run('git', ['-c', 'advice.detachedHead=false', 'clone', '--depth', '1', '--branch', tag, repository, folder], {
    log: 'fetch',
    append: true,
  });
}

/** Neither Debian nor an emcc on the PATH: a pinned emsdk, and the header libraries at their tags. */
async function fromElsewhere(found) {
  for (const program of ['git', 'python3', 'cmake', 'ninja', 'clang++']) {
    if (!which(program)) {
      throw new SetupProblem(
        `This system is not Debian, and "${program}" is not on the PATH. Install git, Python 3, CMake, Ninja and clang, then run the same npm command again.`,
      );
    }
  }
  let done = false;
  if (!found) {
    const folder = join(toolchainFolder, 'emsdk');
    // emsdk writes absolute paths, so it is installed in place and not moved there; `emsdk install` resumes by itself.
    const marker = join(folder, `ready-${emsdk.version}`);
    if (!existsSync(marker)) {
      done = true;
      if (!existsSync(join(folder, 'emsdk')))
        await makeFolder(folder, hashOf(emsdk), (partial) => clone(emsdk.repository, emsdk.version, partial));
      for (const verb of ['install', 'activate'])
        await run(join(folder, 'emsdk'), [verb, emsdk.version], { log: 'fetch', append: true });
      writeFileSync(marker, '');
    }
    found = { root: join(folder, 'upstream/emscripten'), version: emsdk.version };
  }
  const headers = {};
  for (const { name, repository, tag, headers: path } of headerRepositories) {
    const folder = join(toolchainFolder, name);
    if (await makeFolder(folder, hashOf(repository, tag), (partial) => clone(repository, tag, join(partial, 'source'))))
      done = true;
    headers[name] = join(folder, 'source', path);
  }
  return { root: found.root, headers, done };
}

/** Resolves with { root, headers, done }: Emscripten's folder, the header libraries' folders, whether work was done. */
export async function ensureEmscripten({ llvmBin }) {
  const release = debianRelease();
  const found = await emscriptenOnPath();
  if (release >= 13) return fromSystem(found);
  if (release === 12) return fromNewerDebian(found, llvmBin);
  return fromElsewhere(found);
}

/** One folder of links through which every compiler finds the header libraries and nothing else of the system. */
export async function linkHeaders(headers) {
  const folder = join(toolchainFolder, 'include');
  await makeFolder(folder, hashOf('headers-1', headers), async (partial) => {
    for (const [name, path] of Object.entries(headers)) symlinkSync(realpathSync(path), join(partial, name));
  });
  return folder;
}
