/** What a lab promises, wherever it runs: the same tests on the page's thread and in a worker. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLab, loadCore, TiedError, type Core, type Lab, type StepRecord } from '../../../web/index.js';
import { disposeSymbol } from '../../../web/core/runtime/symbols.js';
import { EXPLORER, matrixOf, TOY_CHAIN, TOY_COUNTS } from '../core/support.js';

export async function rejection(promise: Promise<unknown>): Promise<TiedError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TiedError);
  return error as TiedError;
}

export const MODEL = { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' } as const;
const TRAINING = { learningRate: 0.05, seed: 1 };
const LONG = 50_000_000;

export function toyTrainer(lab: Lab) {
  return lab.createTrainer({ model: MODEL, training: TRAINING, bigramCounts: TOY_COUNTS });
}

function timeless(records: readonly StepRecord[]): Omit<StepRecord, 'tokensPerSecond'>[] {
  return records.map(({ tokensPerSecond: _, ...record }) => record);
}

export function testLab(mode: Lab['mode']): void {
  let lab: Lab;
  let core: Core;
  beforeAll(async () => {
    [lab, core] = await Promise.all([createLab(), loadCore()]);
  });
  afterAll(() => lab.dispose());

  test('reports where it runs and which build it uses', () => {
    expect(lab.mode).toBe(mode);
    expect(lab.version).toBe(core.version);
    expect(lab.simd).toBe('simd128');
  });

  test('answers as the core does', async () => {
    expect(await lab.directPath({ embedding: EXPLORER })).toEqual(core.directPath({ embedding: EXPLORER }));
    expect(await lab.symmetry(TOY_CHAIN, { worst: 2 })).toEqual(core.symmetry(TOY_CHAIN, { worst: 2 }));
    expect(await lab.directPathSymmetry({ embedding: EXPLORER })).toEqual(
      core.directPathSymmetry({ embedding: EXPLORER }),
    );
    const options = { embedding: EXPLORER, target: TOY_CHAIN };
    expect(await lab.solveUnembedding(options)).toEqual(core.solveUnembedding(options));
    expect(await lab.fitBounds(TOY_CHAIN, 2)).toEqual(core.fitBounds(TOY_CHAIN, 2));
    expect(await lab.bigramBounds(TOY_COUNTS)).toEqual(core.bigramBounds(TOY_COUNTS));
    const chance = { nullRuns: 5, seed: 3 };
    expect(await lab.irreversibility(TOY_COUNTS, chance)).toEqual(core.irreversibility(TOY_COUNTS, chance));
    expect(await lab.markovBounds(TOY_CHAIN)).toEqual(core.markovBounds(TOY_CHAIN));
    expect(await lab.writeStories({ seed: 1, length: 500 })).toBe(core.writeStories({ seed: 1, length: 500 }));
    const chain = { states: 4, seed: 2 };
    expect(await lab.randomMarkovChain(chain)).toEqual(core.randomMarkovChain(chain));
    const sample = { transition: TOY_CHAIN, length: 50, seed: 3 };
    expect(await lab.sampleMarkovChain(sample)).toEqual(core.sampleMarkovChain(sample));
    const training = { ...TRAINING, batchSize: 4 };
    expect(await lab.estimateMemory(MODEL, training)).toEqual(core.estimateMemory(MODEL, training));
  });

  test('counts as the core does, integers of any size included', async () => {
    const model = { family: 'gpt-2', vocabSize: 2 ** 53 - 1, dModel: 64, nLayers: 3 } as const;
    const count = await lab.countParameters(model, 'untied');
    expect(count).toEqual(core.countParameters(model, 'untied'));
    expect(count.groups.tables).toBe((2 ** 54 - 2) * 64);
    const batch = { sequences: 2, tokens: 5 };
    const small = { ...model, vocabSize: 1000 };
    expect(await lab.countCompute(small, batch)).toEqual(core.countCompute(small, batch));
    const context = { parameterBudget: 1_000_000 };
    expect(await lab.adviseTying(small, context)).toEqual(core.adviseTying(small, context));
    expect(await lab.knownModels()).toEqual(core.knownModels());
    const config = JSON.stringify({
      model_type: 'gpt2',
      vocab_size: 1000,
      n_embd: 64,
      n_layer: 3,
      n_head: 2,
      n_positions: 128,
    });
    expect(await lab.importConfig(config)).toEqual(core.importConfig(config));
    const file = JSON.parse(config) as { n_layer: number };
    const imported = lab.importConfig(file);
    file.n_layer = 4;
    expect(await imported).toEqual(core.importConfig(config));
    const refused = await rejection(lab.importConfig({ model_type: 'no-such-kind' }));
    expect(refused.message).toMatch(/^config\.json: model_type is 'no-such-kind'; known are /);
    expect(await lab.decodeElements('F16', Uint8Array.of(0, 0x3e), 1)).toEqual(Float32Array.of(1.5));
    const { code, message } = await rejection(lab.countParameters({ ...model, nHeads: 3 }));
    expect(code).toBe('invalid-argument');
    expect(message).toMatch(/^architecture\.nHeads is 3; expected a divisor of architecture\.dModel, 64/);
    expect(await lab.countParameters(model, 'untied')).toEqual(count);
  });

  test('returns bigrams whose own verbs are synchronous', async () => {
    const ids = Uint32Array.of(0, 1, 0, 2);
    const bigrams = await lab.bigrams(ids, 3);
    expect(bigrams).toEqual(core.bigrams(ids, 3));
    expect([...bigrams.conditional(0)]).toEqual([0, 0.5, 0.5]);
    expect(bigrams.top(1)).toEqual([{ from: 0, to: 1, count: 1 }]);
  });

  test('trains, saves, loads and frees tokenizers', async () => {
    const tokenizer = await lab.trainTokenizer('banana', { kind: 'character' });
    expect(tokenizer).toMatchObject({ kind: 'character', vocabSize: 3, tokens: ['a', 'b', 'n'] });
    const ids = await tokenizer.encode('nab');
    expect(await tokenizer.decode(ids)).toBe('nab');
    const loaded = await lab.loadTokenizer(await tokenizer.save(), { format: 'tied-embeddings' });
    expect(await loaded.encode('nab')).toEqual(ids);
    tokenizer.dispose();
    expect((await rejection(tokenizer.encode('a'))).code).toBe('disposed');
    expect(await loaded.decode(ids)).toBe('nab');
  });

  test('has trainers that match those of the core bit for bit', async () => {
    const trainer = await toyTrainer(lab);
    const twin = core.createTrainer({ model: MODEL, training: TRAINING, bigramCounts: TOY_COUNTS });
    expect(trainer.model).toEqual(twin.model);
    expect(trainer.training).toEqual(twin.training);
    expect(timeless(await trainer.run(2500, { recordEvery: 100 }))).toEqual(
      timeless(twin.run(2500, { recordEvery: 100 })),
    );
    expect(trainer.step).toBe(2500);
    expect(await trainer.matrix('embedding')).toEqual(twin.matrix('embedding'));
    expect(await trainer.parameters()).toEqual(twin.parameters());
    expect(await trainer.evaluate()).toEqual(twin.evaluate());
    expect(await trainer.gradient()).toEqual(twin.gradient());
    const from = Uint32Array.of(2, 0);
    expect(await trainer.nextTokenLogits({ from })).toEqual(twin.nextTokenLogits({ from }));
    expect(await trainer.nextTokenProbabilities({ from })).toEqual(twin.nextTokenProbabilities({ from }));
    await trainer.setMatrix('embedding', EXPLORER);
    expect(await trainer.matrix('unembedding')).toEqual(EXPLORER);
    await trainer.rewind(1000);
    expect(trainer.step).toBe(1000);
    const loaded = await lab.loadTrainer(await trainer.save());
    expect(loaded.step).toBe(1000);
    expect(await loaded.matrix('embedding')).toEqual(await trainer.matrix('embedding'));
    expect(timeless(await trainer.run(0))).toEqual([]);
  });

  test('has trainers that report the step at which their tying changed', async () => {
    const tying = { untieWhen: { inputShare: { above: 0 }, over: 4 } };
    const trainer = await lab.createTrainer({
      model: { ...MODEL, tying },
      training: TRAINING,
      bigramCounts: TOY_COUNTS,
    });
    expect(trainer.model.tying).toMatchObject({ untieWhen: { ...tying.untieWhen, from: 0 } });
    expect(trainer.tyingChangedAt).toBeNull();
    await trainer.run(5);
    expect(trainer.tyingChangedAt).toBe(4);
    expect((await lab.loadTrainer(await trainer.save())).tyingChangedAt).toBe(4);
    await trainer.rewind(3);
    expect(trainer.tyingChangedAt).toBeNull();
  });

  test('refuses as the core does, and works afterwards', async () => {
    const noFactors = await rejection(lab.directPath({ embeding: EXPLORER } as never));
    expect(noFactors.code).toBe('invalid-argument');
    expect(noFactors.message).toMatch(/^factors\.embeding is not an option; expected 'embedding'/);
    const trainer = await toyTrainer(lab);
    expect((await rejection(trainer.run(-1))).message).toBe(
      'steps is -1; expected an integer from 0 to 9007199254740991',
    );
    expect((await rejection(trainer.run(2 ** 32))).message).toMatch(
      /^steps is 4294967296 with options\.recordEvery 1,/,
    );
    expect((await rejection(trainer.run(1, null as never))).message).toMatch(/^options is null; expected an object/);
    expect(trainer.step).toBe(0);
    expect((await rejection(trainer.matrix('between'))).code).toBe('invalid-argument');
    expect((await rejection(lab.loadTrainer(new Uint8Array(9)))).code).toBe('bad-file');
    expect((await lab.symmetry(matrixOf([[1]]))).symmetric).toBe(true);
  });

  test('never detaches the arrays of its caller', async () => {
    const ids = Uint32Array.of(0, 1, 2, 0, 1);
    const trainer = await lab.createTrainer({ model: MODEL, training: { ...TRAINING, batchSize: 2 }, tokenIds: ids });
    await lab.directPath({ embedding: EXPLORER });
    await trainer.evaluate(ids);
    await trainer.setMatrix('embedding', EXPLORER);
    expect([...ids]).toEqual([0, 1, 2, 0, 1]);
    expect(EXPLORER.data).toHaveLength(6);
  });

  test('uses arguments as they are at the time of the call', async () => {
    const embedding = { rows: 1, cols: 1, data: Float32Array.of(3) };
    const answer = lab.directPath({ embedding });
    embedding.data[0] = 5;
    expect([...(await answer).data]).toEqual([9]);
  });

  test('reports progress of long runs, from time to time and at the end', async () => {
    const trainer = await toyTrainer(lab);
    const seen: [number, number][] = [];
    const records = await trainer.run(30_000, {
      recordEvery: 30_000,
      onProgress: (fraction, record) => seen.push([fraction, record.step]),
    });
    expect(records.map(({ step }) => step)).toEqual([30_000]);
    expect(seen.at(-1)).toEqual([1, 30_000]);
    for (const [fraction, step] of seen) expect(step).toBe(Math.round(fraction * 30_000));
  });

  test('returns records as columns on request', async () => {
    const trainer = await toyTrainer(lab);
    const { step, loss } = await trainer.run(6, { recordEvery: 3, columns: true });
    expect([...step]).toEqual([3, 6]);
    expect(loss).toBeInstanceOf(Float64Array);
  });

  test('cancels a run and keeps the finished steps', async () => {
    const trainer = await toyTrainer(lab);
    const controller = new AbortController();
    const run = trainer.run(LONG, {
      recordEvery: LONG,
      signal: controller.signal,
      onProgress: () => controller.abort('enough'),
    });
    const error = await rejection(run);
    expect(error).toMatchObject({ code: 'cancelled', name: 'AbortError' });
    expect(error.message).toMatch(/^the run was cancelled after \d+ of 50000000 steps$/);
    expect(error.cause).toBe('enough');
    expect(trainer.step).toBeGreaterThan(0);
    expect(trainer.step).toBeLessThan(LONG);
    const [next] = await trainer.run(1);
    expect(next!.step).toBe(trainer.step);
    expect((await rejection(trainer.run(1, { signal: controller.signal }))).code).toBe('cancelled');
    expect(trainer.step).toBe(next!.step);
  });

  test('ends a run whose listener throws, with the error that it threw', async () => {
    const trainer = await toyTrainer(lab);
    const failure = new Error('the plot is gone');
    let calls = 0;
    const run = trainer.run(LONG, {
      recordEvery: LONG,
      onProgress: () => {
        calls++;
        throw failure;
      },
    });
    await expect(run).rejects.toBe(failure);
    expect(calls).toBe(1);
    expect(trainer.step).toBeGreaterThan(0);
    expect(trainer.step).toBeLessThan(LONG);
    expect(await trainer.run(1)).toHaveLength(1);
  });

  test('cancels a run that waits for another', async () => {
    const trainer = await toyTrainer(lab);
    const controller = new AbortController();
    const first = trainer.run(3000);
    const second = rejection(trainer.run(LONG, { recordEvery: LONG, signal: controller.signal }));
    controller.abort();
    expect(await first).toHaveLength(3000);
    expect((await second).message).toMatch(/after 0 of/);
    expect(trainer.step).toBe(3000);
  });

  test('answers other calls during a run, and lets runs take turns', async () => {
    const [one, other] = await Promise.all([toyTrainer(lab), toyTrainer(lab)]);
    const controller = new AbortController();
    const options = { recordEvery: LONG, signal: controller.signal };
    const runs = [rejection(one.run(LONG, options)), rejection(other.run(LONG, options))];
    for (let i = 0; i < 20; i++) {
      await Promise.all([one.evaluate(), other.evaluate(), lab.directPath({ embedding: EXPLORER })]);
    }
    expect(one.step).toBeGreaterThan(0);
    expect(other.step).toBeGreaterThan(0);
    controller.abort();
    await Promise.all(runs);
  });

  test('applies changes of a trainer in the order of the calls', async () => {
    const trainer = await toyTrainer(lab);
    const done = [trainer.run(5000, { recordEvery: 5000 }), trainer.rewind(10), trainer.run(5)];
    await Promise.all(done);
    expect(trainer.step).toBe(15);
  });

  test('frees a trainer that is disposed of in the middle of a run', async () => {
    const trainer = await toyTrainer(lab);
    const run = rejection(trainer.run(LONG, { recordEvery: LONG }));
    await trainer.evaluate();
    trainer.dispose();
    expect((await run).code).toBe('disposed');
    expect((await rejection(trainer.run(1))).code).toBe('disposed');
  });

  test('refuses everything once it is disposed of, pending calls too', async () => {
    const short = await createLab();
    const trainer = await toyTrainer(short);
    const run = rejection(trainer.run(LONG, { recordEvery: LONG }));
    await trainer.evaluate();
    const gpt2 = { family: 'gpt-2', vocabSize: 1000, dModel: 64, nLayers: 1 } as const;
    const pending = [short.knownModels(), short.importConfig('{}'), short.adviseTying(gpt2)].map(rejection);
    short[disposeSymbol]();
    short.dispose();
    for (const { code } of await Promise.all(pending)) expect(code).toBe('disposed');
    expect((await rejection(short.knownModels())).code).toBe('disposed');
    expect(await run).toMatchObject({ code: 'disposed', message: 'the lab has been disposed of; create a new one' });
    expect((await rejection(short.symmetry(TOY_CHAIN))).code).toBe('disposed');
    expect((await rejection(trainer.evaluate())).code).toBe('disposed');
    expect((await short.closed).code).toBe('disposed');
    trainer.dispose();
  });
}
