import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circles, importsOf, sources, violations } from './dependencies.js';

const wrong = (path: string, text: string) => violations([{ path, text }]);

test('every include and import of the project is allowed', () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(20);
  expect(violations(files)).toEqual([]);
});

test('at most two files of web/core import each other, and no others', () => {
  const files = sources().filter(({ path }) => path.startsWith('web/'));
  expect(files.length).toBeGreaterThan(600);
  const isPairOfCore = (circle: string[]): boolean =>
    circle.length === 2 && circle.every((path) => path.startsWith('web/core/'));
  expect(circles(files).filter((circle) => !isPairOfCore(circle))).toEqual([]);
});

test('files that import each other are found, types included', () => {
  const file = (name: string, ...imports: string[]) => ({
    path: `web/core/${name}.ts`,
    text: imports.map((other) => `import type { X } from './${other}.js';`).join('\n'),
  });
  const both = [file('a', 'b'), file('b', 'c'), file('c', 'b', 'd'), file('d'), file('e', 'a', 'f'), file('f', 'e')];
  expect(circles(both)).toEqual([
    ['web/core/b.ts', 'web/core/c.ts'],
    ['web/core/e.ts', 'web/core/f.ts'],
  ]);
  expect(circles([file('a', 'b'), file('b', 'd/c'), file('d/c', '../a')])).toEqual([
    ['web/core/a.ts', 'web/core/b.ts', 'web/core/d/c.ts'],
  ]);
  expect(circles([file('a', 'b'), file('b')])).toEqual([]);
});

test('web/core has rooms, and no flat file but its entries', () => {
  const flat = sources().filter(({ path }) => /^web\/core\/[^/]+$/.test(path));
  expect(flat.map(({ path }) => path.slice('web/core/'.length)).sort()).toEqual([
    'checkpoint-opener.ts',
    'core.ts',
    'experiment-runner.ts',
    'load-slim.ts',
    'load.ts',
    'types.ts',
    'wasm-files.d.ts',
  ]);
});

describe('web/core/checkpoint', () => {
  const folder = 'web/core/checkpoint';
  const files = sources().filter(({ path }) => path.startsWith(`${folder}/`));

  test('has rooms, and no flat file but those that bring them together', () => {
    const flat = files.map(({ path }) => path.slice(folder.length + 1)).filter((path) => !path.includes('/'));
    const opening = ['given-source.ts', 'open-checkpoint.ts', 'opened-checkpoint.ts', 'opening.ts', 'options.ts'];
    const header = ['companions.ts', 'directory.ts', 'shards.ts', 'tensors.ts'];
    const others = ['decoder.ts', 'file-types.ts', 'model-host.ts', 'types.ts', 'verbs.ts'];
    expect(flat.sort()).toEqual([...opening, ...header, ...others].sort());
  });

  test.each(['bytes', 'elements'])('%s imports no other room', (room) => {
    const within = files.filter(({ path }) => path.startsWith(`${folder}/${room}/`));
    expect(within.length).toBeGreaterThan(9);
    const outside = within.flatMap(({ path, text }) =>
      importsOf(text)
        .map((name) => normalize(join(dirname(path), name)))
        .filter((target) => target.startsWith(folder) && !target.startsWith(`${folder}/${room}/`)),
    );
    expect(outside).toEqual([]);
  });
});

test('a forbidden include is found', () => {
  expect(wrong('cpp/base/error.h', '#include "linalg/matmul.h"\n')).toEqual([
    'cpp/base/error.h includes linalg/matmul.h: base may not include linalg',
  ]);
  expect(wrong('cpp/direct_path/symmetry.cpp', '#include <vector>\n#  include "training/trainer.h"\n')).toHaveLength(1);
  expect(wrong('cpp/text/bpe.cpp', '#include "model/model.h"\n')).toHaveLength(1);
  expect(wrong('cpp/model/model.cpp', '#include "bindings/bindings.h"\n')).toHaveLength(1);
  expect(wrong('cpp/model/transformer_model.cpp', '#include "checkpoint/llama2c_file.h"\n')).toHaveLength(1);
});

test.each(['text/tokenizer.h', 'training/trainer.h', 'direct_path/symmetry.h', 'bindings/transfer.h'])(
  'model files may not include %s',
  (include) => {
    expect(wrong('cpp/checkpoint/llama2c_file.cpp', `#include "${include}"\n`)).toEqual([
      `cpp/checkpoint/llama2c_file.cpp includes ${include}: checkpoint may not include ${include.split('/')[0]}`,
    ]);
  },
);

test('models and training may not include text, which is in the other module', () => {
  expect(wrong('cpp/training/trainer.cpp', '#include "text/tokenizer.h"\n')).toHaveLength(1);
  expect(wrong('cpp/model/generation.cpp', '#include "text/tokenizer.h"\n')).toHaveLength(1);
  expect(wrong('cpp/training/trainer.cpp', '#include "checkpoint/safetensors_writer.h"\n')).toHaveLength(1);
});

test('native programs may include the core but not the bindings, and the core may include neither', () => {
  const both = '#include "text/tokenizer.h"\n#include "training/trainer.h"\n';
  expect(wrong('tests/experiments/main.cpp', both)).toEqual([]);
  expect(wrong('bench/training_steps.cpp', both)).toEqual([]);
  expect(wrong('tests/experiments/main.cpp', '#include "bindings/transfer.h"\n')).toHaveLength(1);
  expect(wrong('bench/bench_core.cpp', '#include <Eigen/Core>\n')).toHaveLength(1);
  expect(wrong('cpp/training/trainer.cpp', '#include "experiments/character_bpe.h"\n')).toEqual([
    'cpp/training/trainer.cpp includes experiments/character_bpe.h: training may not include experiments',
  ]);
  expect(wrong('cpp/text/bpe_learn.cpp', '#include "character_bpe.h"\n')).toHaveLength(1);
});

test('an include of an allowed folder, of the same folder or of the standard library is accepted', () => {
  const text =
    '#include "training/trainer.h"\n\n#include <vector>\n\n#include "base/error.h"\n#include "model/model.h"\n';
  expect(wrong('cpp/training/trainer.cpp', text)).toEqual([]);
});

test('a commented-out include is ignored', () => {
  expect(wrong('cpp/base/error.h', '// #include "model/model.h"\n/*\n#include "model/model.h"\n*/\n')).toEqual([]);
});

test('a folder without a rule is found', () => {
  expect(wrong('cpp/extra/thing.h', '')).toHaveLength(1);
  expect(wrong('web/extra/thing.ts', '')).toHaveLength(1);
});

test.each([
  ['cpp/linalg/matmul.cpp', '#include <xsimd/xsimd.hpp>\n'],
  ['cpp/direct_path/fit_bounds.cpp', '#include <Eigen/Eigenvalues>\n'],
  ['cpp/model/model.h', '#include <emscripten/bind.h>\n'],
  ['cpp/model/model.h', '#include <emscripten.h>\n'],
])('%s may not contain %s', (path, text) => {
  expect(wrong(path, text)).toHaveLength(1);
});

test.each([
  ['cpp/linalg/simd.h', '#include <xsimd/xsimd.hpp>\n'],
  ['cpp/linalg/decompositions.cpp', '#include <Eigen/Eigenvalues>\n'],
  ['bench/eigen_svd.cpp', '#include <Eigen/SVD>\n'],
  ['cpp/bindings/core.cpp', '#include <emscripten/bind.h>\n'],
])('%s may contain %s', (path, text) => {
  expect(wrong(path, text)).toEqual([]);
});

test('includes must name their folder', () => {
  expect(wrong('cpp/linalg/matmul.cpp', '#include "matmul.h"\n')).toHaveLength(1);
  expect(wrong('cpp/linalg/matmul.cpp', '#include "../linalg/matmul.h"\n')).toHaveLength(1);
});

test.each([
  ['web/core/core.ts', "import { createLab } from '../worker/lab.js';"],
  ['web/worker/lab.ts', "import createModule from '../wasm/core.mjs';"],
  ['web/elements/lab/lab.ts', "const bytes = await import('../../wasm/core-bytes.mjs');"],
  ['web/charts/line.ts', "import type { Matrix } from '../core/types.js';"],
  ['web/worker/lab.ts', "export * from '../elements/index.js';"],
  ['web/elements/lab/lab.ts', "import '../../article/page.js';"],
  ['web/core/core.ts', "import { x } from '../../tools/lib/root.mjs';"],
  ['web/core/core.ts', "import { wrap } from 'comlink';"],
  ['web/slim.ts', "import './wasm/core.mjs';"],
  ['web/elements/checkpoint/checkpoint.ts', "import { loadCore } from '../../wasm/core.mjs';"],
  ['web/core/training/generation.ts', "import { lab } from '../../worker/long-verbs.js';"],
])('%s may not contain %s', (path, text) => {
  expect(wrong(path, text)).toHaveLength(1);
});

test.each([
  ['web/core/load.ts', "import createModule from '../wasm/core.mjs';"],
  ['web/elements/lab/lab.ts', "import { LitElement } from 'lit';\nimport { line } from '../../charts/line.js';"],
  ['web/article/page.ts', "import '../elements/lab/lab.define.js';"],
  ['web/index.ts', "export * from './core/load.js';\nexport * from './worker/lab.js';"],
  ['web/core/core.ts', "// import '../elements/lab.js' would be wrong"],
])('%s may contain %s', (path, text) => {
  expect(wrong(path, text)).toEqual([]);
});

test('all forms of import are recognized', () => {
  const text = [
    "import a from './a.js';",
    'import type { B } from "./b.js";',
    "import './c.js';",
    "export { d } from './d.js';",
    "const e = await import('./e.js');",
    'import {',
    '  f,',
    "} from './f.js';",
  ].join('\n');
  expect(importsOf(text).sort()).toEqual(['./a.js', './b.js', './c.js', './d.js', './e.js', './f.js']);
});
