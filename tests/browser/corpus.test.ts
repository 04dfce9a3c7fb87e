// From a reader's file to curves in three calls, in a real browser with real workers.
import { expect, test } from 'vitest';
import { openFixture } from './harness.js';

const TEXT = 'the cat sat on the mat, the dog sat on the log; '.repeat(300);

const SCRIPT = `
  import { createLab } from './web/index.ts';
  const element = (id) => document.querySelector('#' + id);
  const model = { kind: 'direct-path', dModel: 8 };
  const training = { learningRate: 0.05 };
  const arms = { tied: { model: { ...model, tying: 'tied' }, training }, untied: { model: { ...model, tying: 'untied' }, training } };

  element('file').addEventListener('change', async ({ target: { files: [file] } }) => {
    const lab = await createLab();
    const points = { tied: [], untied: [] };
    const corpus = await lab.openCorpus(file, { tokenizer: { kind: 'character' } });
    const comparison = await lab.compare(corpus, { arms, steps: 200, seed: 1 });
    for await (const { columns } of comparison) {
      for (const [name, { step, loss }] of Object.entries(columns)) {
        step.forEach((x, i) => points[name].push([x, 100 - 25 * loss[i]].join()));
        element(name).setAttribute('points', points[name].join(' '));
      }
    }
    element('out').textContent = JSON.stringify({
      mode: lab.mode,
      tokens: corpus.tokens,
      floor: 100 - 25 * corpus.bounds.bigram,
      frames: comparison.step,
    });
    lab.dispose();
  });
  element('out').textContent = 'ready';`;

const BODY = `
  <label>Text <input id="file" type="file"></label>
  <svg viewBox="0 0 200 100" width="400" height="200" role="img" aria-label="Loss by step">
    <polyline id="tied" fill="none" stroke="crimson"/><polyline id="untied" fill="none" stroke="teal"/>
  </svg>
  <p id="out">waiting</p>`;

test("a reader's file becomes two curves in three calls: open, compare, frames", async () => {
  const opened = await openFixture({ body: BODY, script: SCRIPT });
  const { page } = opened;
  await page.locator('#out:text("ready")').waitFor();
  await page.locator('#file').setInputFiles({ name: 'cats.txt', mimeType: 'text/plain', buffer: Buffer.from(TEXT) });
  await page.locator('#out:not(:text("ready"))').waitFor();
  const { mode, tokens, floor, frames } = JSON.parse((await page.locator('#out').textContent())!) as Record<
    string,
    number
  >;
  expect([mode, tokens, frames]).toEqual(['worker', TEXT.length, 200]);
  const heights = async (id: string): Promise<number[]> => {
    const points = (await page.locator(`#${id}`).getAttribute('points'))!.split(' ');
    expect(points).toHaveLength(200);
    return points.map((point) => Number(point.split(',')[1]));
  };
  const [tied, untied] = [await heights('tied'), await heights('untied')];
  // Lower in the picture means a lower loss: both learn, the untied model comes close to the floor, and the tied one stays well above it.
  expect(tied.at(-1)).toBeGreaterThan(tied[0]!);
  expect(untied.at(-1)).toBeGreaterThan(tied.at(-1)! + 5);
  expect(untied.at(-1)).toBeLessThan(floor! + 0.1);
  expect(opened.problems).toEqual([]);
  await opened.close();
});
