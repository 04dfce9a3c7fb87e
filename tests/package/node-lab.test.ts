// Labs in Node from the packed package: threads, and processes that end.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
beforeAll(() => {
  packed = packPackage();
});
afterAll(() => packed.remove());

/** The output of Node; a process that does not end by itself fails its test. */
function node(args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: packed.folder, encoding: 'utf8', timeout: 60_000 }).trim();
}

function runModule(source: string): string {
  writeFileSync(join(packed.folder, 'user.mjs'), source);
  return node(['user.mjs']);
}

const trainer = `lab.createTrainer({
  model: { kind: 'direct-path', vocabSize: 2, dModel: 2, tying: 'tied' },
  training: { learningRate: 0.1, seed: 1 },
  bigramCounts: { rows: 2, cols: 2, data: Float32Array.of(1, 2, 3, 4) },
})`;

const opens = "import { createLab } from 'tied-embeddings'; const lab = await createLab();";

describe('a lab in Node', () => {
  test.each(['tied-embeddings', 'tied-embeddings/slim'])('of %s runs in a thread', (entry) => {
    const source = `import { createLab } from '${entry}';
      const lab = await createLab();
      console.log(lab.mode, (await lab.knownModels()).length > 50);
      lab.dispose();`;
    expect(runModule(source)).toBe('worker true');
  });

  test('lets its process end when it is disposed of', () => {
    expect(runModule(`${opens} await (await ${trainer}).run(3); lab.dispose(); console.log('end');`)).toBe('end');
  });

  test('lets its process end even if it is not disposed of', () => {
    expect(runModule(`${opens} await (await ${trainer}).run(3); console.log(lab.mode);`)).toBe('worker');
  });

  test('keeps its process alive during a call', () => {
    const source = `${opens} void ${trainer}
      .then((trainer) => trainer.run(20_000, { recordEvery: 20_000 }))
      .then((records) => console.log(records.at(-1).step));`;
    expect(runModule(source)).toBe('20000');
  });

  test('opens in a module given on the command line', () => {
    const source = `${opens} console.log(lab.mode); lab.dispose();`;
    expect(node(['--input-type=module', '-e', source])).toBe('worker');
  });

  test('starts worker.js of the package on request', () => {
    const source = `import { createLab } from 'tied-embeddings';
      const lab = await createLab({ workerUrl: import.meta.resolve('tied-embeddings/worker') });
      console.log(lab.mode, (await lab.knownModels()).length > 50);
      lab.dispose();`;
    expect(runModule(source)).toBe('worker true');
  });

  test.each(['esm', 'cjs'] as const)('runs in a thread in a program bundled into one file (%s)', async (format) => {
    const contents = `import { createLab } from 'tied-embeddings';
      createLab().then((lab) => console.log(lab.mode));`;
    const outfile = join(packed.folder, format === 'esm' ? 'bundled.mjs' : 'bundled.cjs');
    const stdin = { contents, resolveDir: packed.folder };
    await build({ stdin, bundle: true, platform: 'node', format, outfile, logLevel: 'silent' });
    expect(node([outfile])).toBe('worker');
  });
});
