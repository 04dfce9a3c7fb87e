// Functions of core.wasm in a file of their own: docs/decisions/0064-a-core-in-two-files.md.
import { expect, test } from 'vitest';
import { TiedCore } from '../../../web/core/core.js';
import { MODULE_NAMES, wholeOf, type ModuleName } from '../../../web/core/runtime/modules.js';
import { RunningModules } from '../../../web/core/runtime/running-modules.js';
import * as main from '../../../web/index.js';
import * as slim from '../../../web/slim.js';
import { rejection } from '../worker/lab-tests.js';
import { wasmFile } from './bound-verbs.js';
import { expectError } from './support.js';

const MODEL = { kind: 'direct-path', vocabSize: 4, dModel: 2, tying: 'tied' } as const;
/** The smallest model of llama2.c, of zeros: seven sizes, then 42 weights and two tables of 2 positions. */
const llama2c = new Uint8Array(7 * 4 + 42 * 4 + 2 * 2 * 4);
llama2c.set(new Uint8Array(Int32Array.of(2, 2, 1, 1, 1, 4, 2).buffer));

const IDS = Uint32Array.of(0, 1, 2, 3, 2, 1, 0, 3);
const make = (core: main.Core, model: main.ModelConfig = MODEL): main.Trainer =>
  core.createTrainer({ model, training: { learningRate: 0.1, batchSize: 2, seed: 1 }, tokenIds: IDS });

const compile = (bytes: Uint8Array): Promise<WebAssembly.Module> => WebAssembly.compile(new Uint8Array(bytes));
async function running(...names: ModuleName[]): Promise<RunningModules> {
  const compiled = await Promise.all(names.map(async (name) => [name, await compile(wasmFile(`${name}.wasm`))]));
  return RunningModules.start({ simd: 'simd128', modules: Object.fromEntries(compiled) as never });
}
const REFUSED = /expected the files\.wasm of this same version/;

test('a core trains the same without parts, and writes the same files once they are added', async () => {
  const whole = await main.loadCore();
  const modules = await running('core', 'analysis');
  const core = new TiedCore(modules);
  const [trainer, other] = [make(core), make(whole)];
  expect(trainer.run(20)).toMatchObject(other.run(20).map(({ tokensPerSecond: _, ...record }) => record));
  expectError(() => trainer.save(), 'unsupported', /without the module 'files'/);
  trainer.run(5);
  other.run(5);
  await modules.add('files', await compile(wasmFile('files.wasm')));
  expect(trainer.save()).toEqual(other.save());
  expect(trainer.toSafetensors()).toEqual(other.toSafetensors());
  const [again, asOther] = [core.loadTrainer(other.save()), whole.loadTrainer(trainer.save())];
  for (const loaded of [again, asOther, trainer]) loaded.run(7);
  other.run(7);
  for (const loaded of [again, asOther, trainer]) expect(loaded.save()).toEqual(other.save());
});

test('parts are started after their module, in whichever order the two are listed', async () => {
  const core = new TiedCore(await running('files', 'analysis', 'core'));
  expect(core.loadTrainer(make(core).save()).step).toBe(0);
});

test('a disposed core stays disposed', async () => {
  const modules = await running('core', 'analysis', 'files');
  const core = new TiedCore(modules);
  const bytes = make(core).save();
  core.dispose();
  expectError(() => core.loadTrainer(bytes), 'disposed', /disposed of/);
});

test('models.wasm contains the functions of the part', async () => {
  const core = new TiedCore(await running('core', 'analysis', 'models'));
  const trainer = make(core, { ...MODEL, head: { kind: 'sampled', samples: 2 } });
  trainer.run(3);
  expect(core.loadTrainer(trainer.save()).step).toBe(3);
  expectError(() => make(core).save(), 'unsupported', /without the module 'files'/);
});

test.each([main, slim])('every core has its parts, whichever modules are requested', async ({ loadCore }) => {
  const core = await loadCore({ modules: [], wasmUrl: new URL('../../../web/wasm/core.wasm', import.meta.url) });
  const trainer = make(core);
  expect(core.loadTrainer(trainer.save()).toSafetensors()).toEqual(trainer.toSafetensors());
  expect(core.loadModel(llama2c, { format: 'llama2c' }).model).toMatchObject({ nLayers: 1, contextLength: 2 });
});

test('a file of another build is refused, and the core stays usable', async () => {
  const modules = await running('core', 'analysis');
  const core = new TiedCore(modules);
  const marked = new Uint8Array(wasmFile('files.wasm'));
  // The mark is at the end of the last section.
  marked[marked.length - 1]! ^= 1;
  for (const other of [marked, wasmFile('accounting.wasm')]) {
    const error = await rejection(modules.add('files', await compile(other)));
    expect(error.code).toBe('bad-file');
    expect(error.message).toMatch(REFUSED);
  }
  expect((await rejection(main.loadCore({ filesBytes: marked }))).message).toMatch(REFUSED);
  expect(make(core).run(2)).toHaveLength(2);
  await modules.add('files', await compile(wasmFile('files.wasm')));
  expect(make(core).save().length).toBeGreaterThan(100);
});

test('a part has no memory of its own, imports only from its module, and runs in browsers without reference types', async () => {
  const parts = MODULE_NAMES.filter((name) => wholeOf(name) !== undefined);
  expect(parts).toEqual(['files']);
  for (const name of parts) {
    const [part, whole] = await Promise.all([name, wholeOf(name)!].map((file) => compile(wasmFile(`${file}.wasm`))));
    expect(WebAssembly.Module.exports(part!)).toEqual([]);
    const imports = WebAssembly.Module.imports(part!);
    const exported = new Map(WebAssembly.Module.exports(whole!).map(({ name, kind }) => [name, kind]));
    for (const { module, name, kind } of imports) expect([module, exported.get(name)]).toEqual(['primary', kind]);
    const kinds = new Set(imports.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['function', 'global', 'memory', 'table']);
  }
});
