/** What a lab promises about models that write, wherever it runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type Lab, type LabTokenizer, type LabTrainer } from '../../../web/index.js';
import { rejection } from './lab-tests.js';

const TEXT = 'the cat sat on the mat — “naïve” 🐈 and slept. '.repeat(20);
const MODEL = { kind: 'transformer', dModel: 16, nLayers: 2, nHeads: 2, contextLength: 16, tying: 'tied' } as const;
const TRAINING = { learningRate: 0.01, batchSize: 4, seed: 1 };
/** More tokens than any test waits for. */
const LONG = 5_000_000;

export function testWriting(): void {
  let lab: Lab;
  let core: Core;
  let tokenizer: LabTokenizer;
  beforeAll(async () => {
    [lab, core] = await Promise.all([createLab(), loadCore()]);
    tokenizer = await lab.trainTokenizer(TEXT, { kind: 'bpe', vocabSize: 270 });
  });
  afterAll(() => lab.dispose());

  async function writer(): Promise<LabTrainer> {
    const tokenIds = await tokenizer.encode(TEXT);
    const model = { ...MODEL, vocabSize: tokenizer.vocabSize };
    return lab.createTrainer({ model, training: TRAINING, tokenIds, tokenizer });
  }

  test('matches the core for transformers', async () => {
    const mine = core.trainTokenizer(TEXT, { kind: 'bpe', vocabSize: 270 });
    const model = { ...MODEL, vocabSize: mine.vocabSize };
    const twin = core.createTrainer({ model, training: TRAINING, tokenIds: mine.encode(TEXT), tokenizer: mine });
    const trainer = await writer();
    expect(trainer.model).toEqual(twin.model);
    twin.run(10);
    await trainer.run(10);
    const ids = Uint32Array.of(3, 1, 4, 1, 5);
    expect(await trainer.evaluate()).toEqual(twin.evaluate());
    expect(await trainer.logits(ids)).toEqual(twin.logits(ids));
    expect(await trainer.hiddenStates(ids)).toEqual(twin.hiddenStates(ids));
    const withFinalNorm = twin.hiddenStates(ids, { finalNorm: true });
    expect(await trainer.hiddenStates(ids, { finalNorm: true })).toEqual(withFinalNorm);
    expect(withFinalNorm).toHaveLength(twin.hiddenStates(ids).length + 1);
    expect(await trainer.attention(ids)).toEqual(twin.attention(ids));
    expect(await trainer.toSafetensors()).toEqual(twin.toSafetensors());
    const options = { prompt: 'the cat', tokens: 30, seed: 3, temperature: 0.9, topK: 40 };
    expect(await trainer.generate(options)).toEqual(twin.generate(options));
    const copy = await trainer.tokenizer();
    expect(copy!.tokens).toEqual(mine.tokens);
    expect(await copy!.encode('the cat')).toEqual(mine.encode('the cat'));
    copy!.dispose();
    const loaded = await lab.loadTrainer(await trainer.save());
    expect(await loaded.generate(options)).toEqual(twin.generate(options));
    expect(await (await toy()).tokenizer()).toBeNull();
  });

  const toy = (): Promise<LabTrainer> =>
    lab.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
      training: TRAINING,
      tokenIds: Uint32Array.of(0, 1, 2, 0),
    });

  test('streams the text in whole characters up to the end', async () => {
    const trainer = await writer();
    await trainer.run(20);
    const told: number[] = [];
    let text = '';
    const onTokens = (ids: Uint32Array, piece: string | null): void => {
      expect(ids).toBeInstanceOf(Uint32Array);
      told.push(...ids);
      text += piece!;
    };
    const whole = await trainer.generate({ prompt: 'the', tokens: 400, onTokens });
    expect(told).toEqual([...whole.tokenIds]);
    expect(text).toBe(whole.text);
    expect(await trainer.generate({ prompt: 'the', tokens: 400 })).toEqual(whole);
  });

  test('stops writing on request, and can be called again', async () => {
    const trainer = await writer();
    const controller = new AbortController();
    const error = await rejection(
      trainer.generate({
        prompt: 'the',
        tokens: LONG,
        signal: controller.signal,
        onTokens: () => controller.abort('enough'),
      }),
    );
    expect(error.code).toBe('cancelled');
    expect(error.message).toMatch(/^the generation was cancelled after \d+ of 5000000 tokens$/);
    expect(error.cause).toBe('enough');
    const again = trainer.generate({ prompt: 'the', tokens: 5, signal: controller.signal });
    expect((await rejection(again)).message).toBe('the generation was cancelled before it began');
    expect((await trainer.generate({ prompt: 'the', tokens: 5 })).tokenIds).toHaveLength(5);
  });

  test('ends if a listener throws, with the error of the listener', async () => {
    const trainer = await writer();
    const failure = new Error('no more paper');
    const onTokens = (): void => {
      throw failure;
    };
    await expect(trainer.generate({ prompt: 'the', tokens: LONG, onTokens })).rejects.toBe(failure);
    expect((await trainer.generate({ prompt: 'the', tokens: 5 })).tokenIds).toHaveLength(5);
  });

  test('writes in the middle of a run from the weights of one step, and does not affect the run', async () => {
    const [trainer, twin] = await Promise.all([writer(), writer()]);
    // More steps than fit in a slice on any machine, so the run ends after the text.
    const steps = 2000;
    const run = trainer.run(steps);
    const written = await trainer.generate({ prompt: 'the', tokens: 200, seed: 5 });
    const { step } = trainer;
    expect(step).toBeGreaterThan(0);
    expect(step).toBeLessThan(steps);
    await run;
    await twin.run(step);
    expect(await twin.generate({ prompt: 'the', tokens: 200, seed: 5 })).toEqual(written);
    await twin.run(steps - step);
    expect(await twin.matrix('embedding')).toEqual(await trainer.matrix('embedding'));
  });

  test('makes calls that change the weights wait until a text is written', async () => {
    const [trainer, twin] = await Promise.all([writer(), writer()]);
    await Promise.all([trainer.run(5), twin.run(5)]);
    const options = { prompt: 'the', tokens: 300, seed: 6 };
    const [written] = await Promise.all([trainer.generate(options), trainer.rewind(0), trainer.run(3)]);
    expect(trainer.step).toBe(3);
    expect(written).toEqual(await twin.generate(options));
  });

  test('evaluates a long text in slices, and stops on request', async () => {
    const trainer = await writer();
    const { vocabSize } = trainer.model;
    const ids = Uint32Array.from({ length: 3_000_000 }, (_, i) => (i * i) % vocabSize);
    const controller = new AbortController();
    const evaluation = rejection(trainer.evaluate(ids, { signal: controller.signal }));
    // Other calls are answered meanwhile.
    expect(await trainer.parameters()).not.toHaveLength(0);
    controller.abort();
    expect((await evaluation).message).toMatch(/^the evaluation was cancelled after \d+ of 2999999 tokens$/);
    expect((await trainer.evaluate(ids.subarray(0, 100))).tokens).toBe(99);
  });

  test('frees a trainer that is disposed of while it writes', async () => {
    const trainer = await writer();
    const written = rejection(trainer.generate({ prompt: 'the', tokens: LONG }));
    await trainer.evaluate();
    trainer.dispose();
    expect((await written).code).toBe('disposed');
  });

  test('keeps a copy of a tokenizer that is disposed of right after the call', async () => {
    const mine = await lab.trainTokenizer('abcabc', { kind: 'character' });
    const tokenIds = await mine.encode('abcabcabc');
    const model = { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'untied' } as const;
    const made = lab.createTrainer({ model, training: TRAINING, tokenIds, tokenizer: mine });
    mine.dispose();
    expect((await (await made).generate({ prompt: 'a', tokens: 4 })).text).toHaveLength(4);
    const late = lab.createTrainer({ model, training: TRAINING, tokenIds, tokenizer: mine });
    expect((await rejection(late)).message).toBe('the tokenizer has been disposed of; expected a live one');
  });

  test('refuses a tokenizer of another lab or of a core, and values that are no tokenizer', async () => {
    const model = { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'untied' } as const;
    const data = { model, training: TRAINING, tokenIds: Uint32Array.of(0, 1, 2, 0) };
    const other = await createLab();
    const foreign = await other.trainTokenizer('abc', { kind: 'character' });
    const error = await rejection(lab.createTrainer({ ...data, tokenizer: foreign }));
    expect(error.code).toBe('invalid-argument');
    expect(error.message).toMatch(/^options\.tokenizer belongs to another lab; expected one of this lab/);
    const carried = await lab.loadTokenizer(await foreign.save(), { format: 'tied-embeddings' });
    expect((await lab.createTrainer({ ...data, tokenizer: carried })).step).toBe(0);
    other.dispose();
    const local = core.trainTokenizer('abc', { kind: 'character' });
    for (const wrong of [local, {}, 5, null, { handle: 1 }]) {
      const refused = await rejection(lab.createTrainer({ ...data, tokenizer: wrong as never }));
      expect(refused.message).toMatch(/^options\.tokenizer is .*; expected a tokenizer of this lab$/);
    }
    expect((await rejection(lab.createTrainer({ ...data, tokenizer: (await toy()) as never }))).message).toMatch(
      /^options\.tokenizer is .*; expected a tokenizer$/,
    );
    expect((await lab.createTrainer(data)).step).toBe(0);
  });

  test('refuses invalid prompts before anything is sent, and works afterwards', async () => {
    const trainer = await writer();
    expect((await rejection(trainer.generate(undefined as never))).message).toMatch(/^options is undefined; expected/);
    expect((await rejection(trainer.generate({ prompt: '', tokens: 1 }))).message).toBe(
      "options.prompt is ''; expected at least one token",
    );
    expect((await rejection(trainer.generate({ prompt: 'the', tokens: -1 }))).code).toBe('invalid-argument');
    expect((await rejection(trainer.generate({ prompt: 'the', tokens: 1, onTokens: 5 as never }))).message).toBe(
      'options.onTokens is 5; expected a function',
    );
    expect((await rejection(lab.loadModel(new Uint8Array(9), { format: 'llama2c' }))).code).toBe('bad-file');
    expect((await trainer.generate({ prompt: 'the', tokens: 2 })).tokenIds).toHaveLength(2);
  });
}
