// A malicious link, on a page without a policy that would stop its code.
import { expect, it } from 'vitest';
import { openFixture } from './harness.js';

it('a link runs no code, even on a page without a policy and whatever the author’s own link is', async () => {
  const script = `
    window.ran = 0;
    import './web/elements/model-table/model-table.define.ts';
    import { configureLabs } from './web/elements/shared/page-labs.ts';
    configureLabs({ workerUrl: 'worker.js' });
  `;
  const attack = encodeURIComponent('javascript:ran++//{model}');
  for (const own of ['', 'calculator-link="#model={model}"', 'calculator-link=" java&#10;script:ran++//{model}"']) {
    const { page } = await openFixture(
      { title: 'Table', script, body: `<tied-model-table link-state="models" ${own}></tied-model-table>` },
      { policy: '', path: `#tied=models&sort=name&calculator-link=${attack}&onclick=ran++&onfocus=ran++` },
    );
    const table = page.locator('tied-model-table');
    await table.locator('tbody tr').first().waitFor();
    expect(await table.getAttribute('sort')).toBe('name');
    expect(await table.getAttribute('onclick')).toBeNull();
    const arrows = await table.locator('a.open-model').all();
    expect(arrows.length > 0).toBe(own.includes('#model'));
    for (const arrow of arrows.slice(0, 2)) {
      expect(await arrow.getAttribute('href')).toMatch(/^#model=/);
      await arrow.click();
    }
    await table.click({ position: { x: 5, y: 5 } });
    expect(await page.evaluate(() => (window as unknown as { ran: number }).ran)).toBe(0);
  }
});
