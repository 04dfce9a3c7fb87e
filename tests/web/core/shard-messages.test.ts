// What workers call to compute each other's shards. The messages are tested in tests/cpp.
import { expect, test } from 'vitest';
import { completeModel, type AnyModel } from '../../../web/core/model/model-options.js';
import { modelNumbers, trainingNumbers } from '../../../web/core/model/option-numbers.js';
import { instantiate } from '../../../web/core/runtime/instantiate.js';
import { MODULES } from '../../../web/core/runtime/modules.js';
import type { Runtime } from '../../../web/core/runtime/runtime.js';
import type { CoreModule, HandleAddress } from '../../../web/core/runtime/wasm-module.js';
import { completeTraining } from '../../../web/core/training/training-options.js';
import type { TextModelConfig } from '../../../web/index.js';
import { wasmFile } from './bound-verbs.js';
import { TRAINING, TRANSFORMER } from './refusals.js';
import { errorOf } from './support.js';

const IDS = Uint32Array.from({ length: 60 }, (_, i) => (i * i) % 3);

/** A core and its trainer with shards, as in a worker of its own. */
class Replica {
  constructor(
    private readonly runtime: Runtime<CoreModule>,
    private readonly trainer: HandleAddress,
  ) {}

  static async start(name: 'core' | 'models', model: TextModelConfig, shards: number): Promise<Replica> {
    const compiled = await WebAssembly.compile(new Uint8Array(wasmFile(`${name}.wasm`)));
    const runtime = await instantiate<CoreModule>(`${name}.wasm`, MODULES[name].binds, compiled);
    const training = completeTraining({ ...TRAINING, shards }, false);
    const numbers = [modelNumbers(completeModel(model as AnyModel as TextModelConfig)), trainingNumbers(training)];
    const trainer = runtime.call(
      [...numbers, IDS],
      (module, [m, t, ids]) => module.createTrainerFromTokens(m!, t!, ids!, IDS.length, 0, 0, 0, 0),
      (_, handle) => handle,
    );
    return new Replica(runtime, trainer);
  }

  compute(first: number, end: number): Uint8Array {
    return this.runtime.call(
      [],
      (module) => module.computeShards(this.trainer, first, end),
      (answer) => {
        const [gradients, bytes, runs] = [answer.read('number'), answer.bytes(), answer.ids()];
        const pieces = Array.from({ length: runs.length / 2 }, (_, i) =>
          answer.viewAt(gradients + 4 * runs[2 * i]!, 4 * runs[2 * i + 1]!),
        );
        return new Uint8Array(Buffer.concat([bytes, ...pieces]));
      },
    );
  }

  give(first: number, end: number, message: Uint8Array): void {
    this.runtime.call(
      [message],
      (module, [at]) => module.giveShards(this.trainer, first, end, at!, message.length),
      () => undefined,
    );
  }

  step(): void {
    this.runtime.call(
      [],
      (module) => module.run(this.trainer, 1, 0, false),
      () => undefined,
    );
  }

  embedding(): Float32Array {
    return this.runtime.call(
      [],
      (module) => module.readParameter(this.trainer, 0),
      (answer) => answer.floatView().slice(),
    );
  }
}

test.each([
  ['core', TRANSFORMER],
  ['core', { ...TRANSFORMER, dropout: 0.1, tying: 'untied' }],
  ['models', { ...TRANSFORMER, head: { kind: 'sampled', samples: 2 } }],
] as const)('two cores of %s.wasm that exchange shards of %o have the bits of one', async (name, model) => {
  const [one, other, alone] = await Promise.all([1, 2, 3].map(() => Replica.start(name, model as TextModelConfig, 4)));
  for (let i = 0; i < 5; ++i) {
    const [left, right] = [one!.compute(0, 2), other!.compute(2, 4)];
    one!.give(2, 4, right);
    // The third step of one of them computes what did not arrive.
    if (i !== 2) other!.give(0, 2, left);
    for (const replica of [one!, other!, alone!]) replica.step();
    expect(one!.embedding()).toEqual(alone!.embedding());
    expect(other!.embedding()).toEqual(alone!.embedding());
  }
});

test('shards and messages that do not fit are refused with names', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => Replica.start('core', TRANSFORMER, 4)));
  const message = one!.compute(0, 2);
  expect(errorOf(() => other!.give(0, 3, message)).message).toMatch(
    /^shards is 0 to 3; expected a node of the tree of sums/,
  );
  expect(errorOf(() => other!.give(2, 4, message)).message).toMatch(
    /^message is not a valid file: of other shards; expected what computeShards wrote/,
  );
  expect(errorOf(() => other!.give(0, 2, message.slice(1))).code).toBe('bad-file');
  other!.step();
  expect(errorOf(() => other!.give(0, 2, message)).message).toMatch(
    /^message is not a valid file: of another state; expected /,
  );
});
