// <tied-training-lab> for all readers: assistive technology, narrow screens, touch, links.
import { describe, expect, it } from 'vitest';
import { axeViolations, horizontalOverflow } from './harness.js';
import { button, choose, openReady, radio, readOut } from './training-lab-page.js';

describe('the training lab', () => {
  it.each(['light', 'dark'] as const)('has no axe violation, %s, with everything open', async (colorScheme) => {
    const { page, problems: wrong } = await openReady('steps="30"', { colorScheme, reducedMotion: true });
    await button(page, 'Play').click();
    await readOut(page, /After 30 steps/);
    await button(page, 'Settings').click();
    await choose(page, 'Text', 'own');
    await button(page, 'Show data').click();
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Embed').click();
    await radio(page, 'Logits');
    expect(await axeViolations(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it.each([320, 768, 1440])('never scrolls sideways at %i px', async (width) => {
    const { page } = await openReady('steps="30"', { width });
    await button(page, 'Settings').click();
    await choose(page, 'Text', 'own');
    expect(await horizontalOverflow(page)).toBe(0);
  });

  it('can be operated by touch', async () => {
    const { page } = await openReady('steps="30"', { width: 390, touch: true });
    await button(page, 'Play').tap();
    await readOut(page, /After 30 steps/);
  });

  it('puts its state into embed code', async () => {
    const { page } = await openReady('steps="30" arms="tied untied" seed="7"');
    await button(page, 'Embed').click();
    const code = await page.locator('.embed-code').inputValue();
    expect(code).toContain('seed="7"');
    expect(code).toContain('arms="tied untied"');
    expect(code).toContain('run-to="100"');
  });
});
