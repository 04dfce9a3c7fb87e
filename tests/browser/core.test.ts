// The core and the lab in a real browser: the same bits as in Node, a real worker, and working cancellation.
import { expect, test } from 'vitest';
import { SEED_BITS } from '../web/seed-bits.js';
import { openFixture } from './harness.js';

/** Runs `body` with its imports and returns its result. The page must have no problems. */
async function inBrowser(body: string): Promise<unknown> {
  const opened = await openFixture({
    body: '<p id="out">waiting</p>',
    script: `
      import { createLab, loadCore } from './web/index.ts';
      import { seedBits } from './tests/web/seed-bits.ts';
      async function run() { ${body} }
      void seedBits;
      const out = document.querySelector('#out')!;
      run().then(
        (value) => (out.textContent = JSON.stringify({ value })),
        (error) => (out.textContent = JSON.stringify({ error: String(error) })),
      );
      void [createLab, loadCore];`,
  });
  await opened.page.locator('#out:not(:text("waiting"))').waitFor();
  const { value, error } = JSON.parse((await opened.page.locator('#out').textContent())!);
  expect(error).toBeUndefined();
  expect(opened.problems).toEqual([]);
  await opened.close();
  return value;
}

test('the same seeds give the same bits in Chromium as in Node', async () => {
  expect(await inBrowser('return seedBits(await loadCore());')).toEqual(SEED_BITS);
});

test('a run in the worker reports progress, can be cancelled, and continues from there', async () => {
  const value = await inBrowser(`
    const lab = await createLab();
    const transition = await lab.randomMarkovChain({ states: 200, seed: 1 });
    const tokenIds = await lab.sampleMarkovChain({ transition, length: 50_000, seed: 2 });
    const trainer = await lab.createTrainer({
      model: { kind: 'direct-path', vocabSize: 200, dModel: 32, tying: 'untied' },
      training: { learningRate: 0.01, batchSize: 256, seed: 3 },
      tokenIds,
    });
    const controller = new AbortController();
    const seen = [];
    const { code } = await trainer
      .run(10_000_000, {
        recordEvery: 10_000_000,
        signal: controller.signal,
        onProgress: (fraction, record) => {
          seen.push(record.step);
          if (seen.length === 3) controller.abort();
        },
      })
      .catch((error) => error);
    const stopped = trainer.step;
    const [next] = await trainer.run(1);
    lab.dispose();
    return { mode: lab.mode, code, rises: seen[0] < seen[1] && seen[1] < seen[2] && seen[2] <= stopped, on: next.step - stopped };
  `);
  expect(value).toEqual({ mode: 'worker', code: 'cancelled', rises: true, on: 1 });
});

test('a transformer in the worker streams its text, the same as on the page, and stops on request', async () => {
  const value = await inBrowser(`
    const text = 'the cat sat on the mat — naïve 🐈. '.repeat(30);
    const [lab, core] = await Promise.all([createLab(), loadCore()]);
    const make = async (where) => {
      const tokenizer = await where.trainTokenizer(text, { kind: 'bpe', vocabSize: 262 });
      return where.createTrainer({
        model: { kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 16, nHeads: 2, nLayers: 2, contextLength: 16, tying: 'tied' },
        training: { learningRate: 0.01, batchSize: 4, seed: 3 },
        tokenIds: await tokenizer.encode(text),
        tokenizer,
      });
    };
    const [remote, local] = await Promise.all([make(lab), make(core)]);
    await remote.run(20);
    local.run(20);
    let told = '';
    const options = { prompt: 'the', tokens: 300, seed: 5 };
    const whole = await remote.generate({ ...options, onTokens: (ids, piece) => (told += piece) });
    const controller = new AbortController();
    const { code } = await remote
      .generate({ prompt: 'the', tokens: 5_000_000, signal: controller.signal, onTokens: () => controller.abort() })
      .catch((error) => error);
    const { bitsPerByte } = await remote.evaluate();
    lab.dispose();
    return {
      mode: lab.mode,
      streamed: told === whole.text,
      same: whole.text === local.generate(options).text,
      code,
      evaluated: bitsPerByte === local.evaluate().bitsPerByte,
    };
  `);
  expect(value).toEqual({ mode: 'worker', streamed: true, same: true, code: 'cancelled', evaluated: true });
});

test('a lab whose worker cannot be loaded works on the page’s thread', async () => {
  const opened = await openFixture({
    body: '<p id="out">waiting</p>',
    script: `
      import { createLab } from './web/index.ts';
      const lab = await createLab({ workerUrl: '/absent.js' });
      const path = await lab.directPath({ embedding: { rows: 1, cols: 1, data: Float32Array.of(3) } });
      document.querySelector('#out')!.textContent = lab.mode + ' ' + path.data[0];`,
  });
  await opened.page.getByText('same-thread 9').waitFor();
  // The missing file is the only problem.
  for (const problem of opened.problems) expect(problem).toMatch(/absent\.js|404/);
  await opened.close();
});
