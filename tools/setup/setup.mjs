// npm run setup               sets up what the project needs to build: system packages, the wasm toolchain, npm packages
// npm run setup -- --tests    also everything that only tests need
//
// If everything is installed, it takes well under a second.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withLock } from '../lib/lock.mjs';
import { SetupProblem, program, runSteps } from '../lib/steps.mjs';
import { writeIfChanged } from '../lib/stamps.mjs';
import { ensureArm64 } from './arm64.mjs';
import { browserPath, ensureBrowser, ensureOtherBrowsers } from './browser.mjs';
import { ensureEmscripten, linkHeaders } from './emscripten.mjs';
import { ensureJudges, ensurePython } from './judges.mjs';
import { ensureNodePackages } from './node-packages.mjs';
import { cmakePathsFile, toolchainFile, toolchainFolder } from './paths.mjs';
import { compareVersions, debianRelease, which } from './platform.mjs';
import { ensureSchedulers } from './schedulers.mjs';
import { ensureForTests, ensureSystemPackages } from './system-packages.mjs';

const oldestNode = '20.19.0'; // what Vite needs; `engines` in package.json says the same
const llvmRelease = '19'; // the release that Emscripten 3.1.69 was built for

function systemPackages({ chromium }) {
  const release = debianRelease();
  if (release < 12) return [];
  const both = [
    'cmake',
    'ninja-build',
    'python3',
    ...['clang', 'lld', 'llvm', 'clang-format', 'clang-tidy'].map((name) => `${name}-${llvmRelease}`),
    `libclang-rt-${llvmRelease}-dev`,
  ];
  return [
    ...both,
    ...(release >= 13 ? ['emscripten', 'libxsimd-dev', 'doctest-dev', 'libeigen3-dev'] : []),
    // Included here, so one command installs everything missing.
    ...(chromium && !browserPath() ? ['chromium'] : []),
  ];
}

/** Debian's versioned compilers where installed; elsewhere those on the PATH. */
function nativeTools() {
  const llvmBin = `/usr/lib/llvm-${llvmRelease}/bin`;
  const tool = (name) => (existsSync(join(llvmBin, name)) ? join(llvmBin, name) : which(name));
  return {
    llvmBin,
    clang: tool('clang'),
    clangxx: tool('clang++'),
    clangFormat: tool('clang-format'),
    clangTidy: tool('clang-tidy'),
  };
}

function writePaths(paths) {
  writeIfChanged(toolchainFile, `${JSON.stringify(paths, null, 2)}\n`);
  const line = (name, value) => `set(${name} "${value ?? ''}")\n`;
  writeIfChanged(
    cmakePathsFile,
    '# Written by tools/setup; read by tools/cmake/*.cmake.\n' +
      line('TIED_CLANG', paths.clang) +
      line('TIED_CLANGXX', paths.clangxx) +
      line('TIED_EMSCRIPTEN_ROOT', paths.emscriptenRoot) +
      line('TIED_INCLUDE', paths.include),
  );
}

/**
 * What only some tests of `npm run test:all` need, in the order in which they need it. All but the judges are packages of Debian.
 * What cannot be installed is left out, with a text that says so.
 */
export const setupsForTests = {
  schedulers: { title: 'GNU parallel and Slurm, to distribute experiments', run: ensureSchedulers },
  zsh: { title: 'zsh, whose completion is tested', run: () => ensureForTests([['zsh']]) },
  pyTorch: {
    title: 'PyTorch, gensim, fastText and ONNX for Python, which repeat our runs and write files (about 250 MB, once)',
    run: ensurePython,
  },
  otherBrowsers: { title: 'Firefox and WebKit, for what holds in every engine', run: ensureOtherBrowsers },
  arm64: { title: 'Libraries of arm64 and an emulator, for its build', run: ensureArm64 },
  judges: {
    title: 'llama.cpp, DuckDB and others that read our files, and Node 20 to 24 (about 200 MB, once)',
    run: ensureJudges,
  },
};

/** The set-up's steps, for runSteps; `chromium` adds the browser that most tests need. */
export function setupSteps({ chromium = false } = {}) {
  if (compareVersions(process.versions.node, oldestNode) < 0) {
    throw new SetupProblem(`Node ${oldestNode} or newer is needed; this is ${process.versions.node}.`);
  }
  return [
    {
      title: chromium ? 'System packages (compilers, CMake, Chromium)' : 'System packages (compilers, CMake)',
      run: () => ensureSystemPackages(systemPackages({ chromium })),
    },
    {
      title: 'Emscripten and C++ headers (about 250 MB, once)',
      run: async () => {
        // Emscripten's scripts are CommonJS and must not inherit this project's "type": "module".
        writeIfChanged(join(toolchainFolder, 'package.json'), '{ "type": "commonjs" }\n');
        const native = nativeTools();
        const { root, headers, done } = await ensureEmscripten(native);
        writePaths({ ...native, emscriptenRoot: root, include: await linkHeaders(headers) });
        return done ? undefined : 'already there';
      },
    },
    { title: 'npm packages', run: ensureNodePackages },
    ...(chromium ? [{ title: 'A browser', run: ensureBrowser }] : []),
  ];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const setUp = (asked) => {
    const tests = asked.includes('--tests');
    return runSteps([...setupSteps({ chromium: tests }), ...(tests ? Object.values(setupsForTests) : [])]);
  };
  await program((asked) => withLock(() => setUp(asked)), { options: ['--tests'] });
}
