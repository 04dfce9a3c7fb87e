// Figures as readers first see them: a title, a drawing, one control and a sentence; a button opens the rest.
import { expect, it } from 'vitest';
import { axeViolations, openFixture } from './harness.js';
import { scriptOf } from './figure-page.js';

const controls = '.frame :is(button, input, select, textarea, tied-number-field):visible';

it.each([
  // Each with what it shows at rest besides the button that skips it and the one that opens the rest.
  [
    'symmetry-explorer',
    '<tied-symmetry-explorer heading-level="2"></tied-symmetry-explorer>',
    'New, first number',
    'W_E, New, dimension 0',
  ],
  [
    'parameter-calculator',
    '<tied-parameter-calculator heading-level="2"></tied-parameter-calculator>',
    'Model',
    'Width',
  ],
  [
    'compute-calculator',
    '<tied-compute-calculator model="gpt2" heading-level="2"></tied-compute-calculator>',
    'Model',
    'Tokens per sequence',
  ],
  ['training-lab', '<tied-training-lab heading-level="2"></tied-training-lab>', 'Play', 'Settings'],
])('%s shows what it is about, and the rest on request', async (name, body, first, later) => {
  const { page, problems, close } = await openFixture(
    { title: 'At rest', script: scriptOf(name), body },
    { atRest: true },
  );
  const figure = page.locator(`tied-${name}`);
  await figure.locator('.read-out').waitFor();
  const hasLabel = (text: string) =>
    figure.getByText(text, { exact: true }).or(figure.getByLabel(text, { exact: true }));
  await expect.poll(() => hasLabel(first).first().isVisible()).toBe(true);
  expect(await hasLabel(later).first().isVisible()).toBe(false);
  const footer = figure.getByRole('button', { name: 'Embed' });
  expect(await footer.isVisible()).toBe(false);
  const before = await page.locator(controls).count();
  const options = figure.getByRole('button', { name: 'Options, data and sharing' });
  expect(await options.getAttribute('aria-expanded')).toBe('false');
  const { height = 0, width = 0 } = (await options.boundingBox()) ?? {};
  expect(Math.min(height, width)).toBeGreaterThanOrEqual(24);

  await options.focus();
  await page.keyboard.press('Enter');
  expect(await options.getAttribute('aria-expanded')).toBe('true');
  await expect.poll(() => hasLabel(later).first().isVisible()).toBe(true);
  expect(await footer.isVisible()).toBe(true);
  expect(await page.locator(controls).count()).toBeGreaterThanOrEqual(before + 3);
  expect(await axeViolations(page)).toEqual([]);

  await options.click();
  expect(await footer.isVisible()).toBe(false);
  expect(problems).toEqual([]);
  await close();
});

it('an author can have everything shown from the start', async () => {
  const body = '<tied-symmetry-explorer options-open></tied-symmetry-explorer>';
  const { page, close } = await openFixture(
    { title: 'Open', script: scriptOf('symmetry-explorer'), body },
    { atRest: true },
  );
  await page.getByRole('button', { name: 'Embed' }).waitFor();
  expect(await page.getByText('Probabilities', { exact: true }).isVisible()).toBe(true);
  await close();
});

it('a text box that the reader has asked for stays when the rest is closed', async () => {
  const body = '<tied-training-lab></tied-training-lab>';
  const { page, close } = await openFixture(
    { title: 'Own text', script: scriptOf('training-lab'), body },
    { atRest: true },
  );
  const options = page.getByRole('button', { name: 'Options, data and sharing' });
  await options.click();
  await page.getByRole('combobox', { name: 'Text' }).selectOption('own');
  const box = page.locator('tied-training-lab textarea');
  await box.waitFor();
  await options.click();
  expect(await box.isVisible()).toBe(true);
  await close();
});
