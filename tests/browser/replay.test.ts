// A run on the page, repeated by the command from the figure's own link.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from './harness.js';
import { repeatedInNode } from './repeated.js';
import { button, open, stepCount } from './training-lab-page.js';

interface Model {
  name: string;
  weights: string;
  losses: number[];
}

/** The figure's models, as reported by the command; its curves are in single precision. */
const shown = (page: Page): Promise<Model[]> =>
  page.evaluate(async () => {
    interface Arm {
      parameters: () => Promise<{ name: string; tiedTo: string | null }[]>;
      matrix: (name: string) => Promise<{ data: Float32Array }>;
    }
    const { controller } = document.querySelector('tied-training-lab') as unknown as {
      controller: {
        step: number;
        arms: { kind: string; losses: { values: () => Float32Array } }[];
        comparison: { arm: (name: string) => Arm };
      };
    };
    return Promise.all(
      controller.arms.map(async ({ kind, losses }) => {
        const arm = controller.comparison.arm(kind);
        const own = (await arm.parameters()).filter(({ tiedTo }) => tiedTo === null);
        const data = await Promise.all(own.map(async ({ name }) => (await arm.matrix(name)).data));
        const digest = await crypto.subtle.digest('SHA-256', await new Blob(data as BlobPart[]).arrayBuffer());
        return {
          name: kind,
          weights: Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''),
          losses: Array.from(losses.values().subarray(0, controller.step)),
        };
      }),
    );
  });

async function repeated(page: Page): Promise<Model[]> {
  const { models } = (await repeatedInNode(page)) as { models: Model[] };
  return models.map(({ name, weights, losses }) => ({ name, weights, losses: losses.map(Math.fround) }));
}

it.each([
  ['direct paths', 'arms="tied untied tied-mlp" d-model="8" vocab-size="120" seed="7" steps="40"', 30],
  [
    'small GPTs',
    'model="transformer" story-length="20000" tokenizer="bpe" vocab-size="300" d-model="16" n-layers="2" n-heads="2" context-length="16" batch-size="4" steps="60" arms="tied untied-later" untie-at-step="20"',
    25,
  ],
])('the command repeats %s of the page in Node, to the bit', async (_, attributes, step) => {
  const { page, problems } = await open(`link-state="lab" run-to="${step}" ${attributes}`);
  await button(page, /^Run to/).click();
  await expect.poll(() => stepCount(page)).toMatch(new RegExp(`^Step ${step} of`));
  await page.getByRole('button', { name: 'Play' }).waitFor();
  const models = await shown(page);
  expect(models.every(({ losses }) => losses.length === step)).toBe(true);
  expect(await repeated(page)).toEqual(models);
  expect(problems).toEqual([]);
});

it('the command is offered with a link, and asks for a text that no link contains', async () => {
  const without = await open('arms="tied" d-model="4"');
  await without.page.getByRole('button', { name: 'Embed' }).waitFor();
  expect(await button(without.page, 'Repeat in Node').count()).toBe(0);
  const { page } = await open('link-state="lab" arms="tied" d-model="4" tokenizer="character"');
  await page.evaluate(() => {
    Object.assign(document.querySelector('tied-training-lab')!, { text: 'A text of the reader’s own. '.repeat(9) });
  });
  await button(page, 'Repeat in Node').click();
  const command = page.getByRole('textbox', { name: /In a terminal with Node/ });
  await expect.poll(() => command.inputValue()).toMatch(/text-source=own.*" --text FILE$/);
  expect(await axeViolations(page)).toEqual([]);
});
