// Native PyTorch and numpy, if a Python on this machine has them.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { capture } from '../../tools/lib/run.mjs';
import { startLines } from '../hosts/lines.mjs';
import { productCases, trainingCases } from './browser-peers.mjs';

const worker = (name) => fileURLToPath(new URL(`python/${name}.py`, import.meta.url));

const decompositions = ['svd', 'singular-values', 'symmetric-eigen', 'symmetric-eigenvalues', 'polar'].flatMap((kind) =>
  [256, 512].map((size) => `decompose/${kind}/${size}`),
);

const readouts = ['logit-lens', 'tuned-lens', 'ledger', 'ledger-start', 'losses', 'path'].flatMap((verb) =>
  ['512x64', '50257x768'].map((sizes) => `readout/${verb}/${sizes}`),
);

const diagnostics = [
  ...['align/orthogonal', 'align/linear', 'spectrum', 'isotropy', 'cka', 'neighbors'],
  ...['norm-frequency', 'hidden-states'],
].map((verb) => `diagnose/${verb}/50257x768`);

const bigrams = ['facts/512', 'facts/50257', 'irreversibility/512', 'cycles/512'].map((name) => `bigrams/${name}`);

/** Variables about vectors and caches that are not passed on: each peer's name states its settings. */
const asFoundByItself = { ATEN_CPU_CAPABILITY: undefined, OPENBLAS_CORETYPE: undefined, OPENBLAS_L2_SIZE: undefined };

/** Whether the processor has 512-bit vectors, for which both libraries have kernels. */
function hasAvx512() {
  if (process.platform !== 'linux') return false;
  const processor = readFileSync('/proc/cpuinfo', 'utf8');
  return ['f', 'bw', 'dq', 'vl'].every((part) => new RegExp(`^flags.*\\bavx512${part}\\b`, 'm').test(processor));
}

// PyTorch has kernels for them, but does not use them by default on every processor; OpenBLAS does.
const widest = { ...asFoundByItself, ...(hasAvx512() && { ATEN_CPU_CAPABILITY: 'avx512' }) };
const avx2 = { ...asFoundByItself, ATEN_CPU_CAPABILITY: 'avx2', OPENBLAS_CORETYPE: 'Haswell' };

const torch = { module: 'torch', script: 'torch_worker' };
const peers = [
  { name: 'PyTorch', ...torch, vectors: widest, cases: [...productCases, ...trainingCases] },
  { name: 'PyTorch, AVX2', ...torch, vectors: avx2, cases: trainingCases },
  {
    name: 'numpy',
    module: 'numpy',
    script: 'numpy_worker',
    vectors: widest,
    cases: [
      ...productCases,
      ...decompositions,
      ...readouts,
      ...diagnostics,
      'diagnose/spectral-distance/512x64',
      ...bigrams,
    ],
  },
];

/** The first Python with the module; the system's Python, with Debian's packages, need not be the first on the PATH. */
async function pythonWith(module) {
  const candidates = [process.env.TIED_BENCH_PYTHON, 'python3', '/usr/bin/python3'].filter(Boolean);
  for (const python of candidates) {
    if ((await capture(python, ['-c', `import ${module}`])) !== undefined) return python;
  }
  throw new Error(
    `no Python that can import ${module} (Debian: python3-${module}; TIED_BENCH_PYTHON names another Python)`,
  );
}

/**
 * A folder with OpenBLAS as libblas.so.3 and liblapack.so.3: Debian's python3-torch and python3-numpy load the
 * reference implementation unless the system prefers OpenBLAS, even if OpenBLAS is installed.
 */
function openBlasFolder() {
  if (process.env.TIED_BENCH_BLAS) return process.env.TIED_BENCH_BLAS;
  const libraries = '/usr/lib';
  if (process.platform !== 'linux') return undefined;
  for (const architecture of readdirSync(libraries)) {
    for (const variant of ['openblas-serial', 'openblas-pthread', 'openblas-openmp']) {
      const folder = join(libraries, architecture, variant);
      if (existsSync(join(folder, 'libblas.so.3'))) return folder;
    }
  }
  return undefined;
}

async function openPythonPeer({ name, module, script, vectors, cases }, references, log) {
  const python = await pythonWith(module);
  const blas = openBlasFolder();
  const path = [blas, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  const env = { ...vectors, ...(path && { LD_LIBRARY_PATH: path }) };
  const lines = startLines(python, [worker(script), references], { env });
  const { version, isReference } = await lines.ask('describe');
  if (isReference) {
    log(
      'PyTorch and numpy multiply with the reference BLAS here, many times slower than they could: install OpenBLAS ' +
        '(Debian: libopenblas0-pthread), or name the folder that holds its libblas.so.3 in TIED_BENCH_BLAS',
    );
  }
  return {
    name,
    host: 'Python',
    version,
    clock: 'processor',
    cases: () => cases,
    measure: (id, milliseconds) => lines.ask(`measure ${milliseconds} ${id}`),
    close: lines.close,
  };
}

/**
 * The Python peers by name, each as a function that opens it. On a processor with wider vectors than AVX2, PyTorch is
 * listed twice: with them and without.
 */
export const pythonPeers = peers
  .filter(({ vectors }) => vectors !== avx2 || hasAvx512())
  .map((peer) => ({ name: peer.name, open: (references, log) => openPythonPeer(peer, references, log) }));
