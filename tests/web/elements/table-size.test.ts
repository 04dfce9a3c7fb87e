// @vitest-environment happy-dom
// The example that docs/adding.md names: a whole figure, from its settings to its sentences.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadCore } from '../../../web/index.js';
import type { Lab } from '../../../web/core/types.js';
import { attributesOf, initialValues } from '../../../web/elements/shared/settings/with-settings.js';
import { tableSizeSettings } from './table-size/table-size.settings.js';
import './table-size/table-size.define.js';
import type { TableSize } from './table-size/table-size.js';

vi.setConfig({ testTimeout: 120_000 });

async function opened(attributes: string, hash = ''): Promise<TableSize> {
  location.hash = hash;
  document.body.innerHTML = `<tied-table-size ${attributes}></tied-table-size>`;
  const figure = document.body.firstElementChild as TableSize;
  await figure.updateComplete;
  await figure.updateComplete;
  return figure;
}

const said = (figure: TableSize): string | undefined =>
  figure.shadowRoot?.querySelector('[role=alert]')?.textContent.trim();

afterEach(() => {
  document.body.innerHTML = '';
  location.hash = '';
});

describe('a figure that declares its settings', () => {
  it('has a property, an attribute and a control for each setting', async () => {
    const figure = await opened('d-model="64" tying="untied"');
    expect([figure.vocabSize, figure.dModel, figure.tying]).toEqual([50_000, 64, 'untied']);
    figure.dModel = 128;
    await figure.updateComplete;
    expect(figure.getAttribute('d-model')).toBe('128');
    const fields = figure.shadowRoot?.querySelectorAll('tied-number-field') ?? [];
    expect([...fields].map(({ id }) => id)).toEqual(['vocab-size', 'd-model']);
    expect(figure.shadowRoot?.querySelectorAll('[role=radiogroup] input').length).toBe(2);
  });

  it('takes the default when an attribute is removed', async () => {
    const figure = await opened('d-model="64"');
    figure.removeAttribute('d-model');
    await figure.updateComplete;
    expect([figure.dModel, said(figure) ?? '']).toEqual([768, '']);
  });

  it('refuses values beyond a limit that depends on another setting, and names that setting', async () => {
    const figure = await opened('vocab-size="1000" d-model="1001"');
    expect(figure.dModel).toBe(768);
    expect(said(figure)).toBe(
      'The attribute d-model is “1001”; expected an integer from 1 to 1,000. The figure uses 768.',
    );
    figure.vocabSize = 100;
    await figure.updateComplete;
    expect(figure.dModel).toBe(100);
    expect(said(figure)).toBe(
      'The attribute d-model is “768”; expected an integer from 1 to 100. The figure uses 100.',
    );
  });

  it('opens from its link, which leaves defaults out', async () => {
    const values = { ...initialValues(tableSizeSettings), tying: 'untied' };
    expect(attributesOf(tableSizeSettings, values)).toEqual({ 'vocab-size': '50000', tying: 'untied' });
    const figure = await opened('link-state="size"', '#tied=size&vocab-size=2000&tying=untied&onclick=x()');
    expect([figure.vocabSize, figure.dModel, figure.tying]).toEqual([2000, 768, 'untied']);
    expect(figure.getAttribute('onclick')).toBeNull();
  });

  it('shows what the core counts', async () => {
    const core = await loadCore();
    const figure = await opened('vocab-size="1000" d-model="16"');
    figure.lab = {
      countParameters: (...given: Parameters<typeof core.countParameters>) =>
        Promise.resolve(core.countParameters(...given)),
    } as unknown as Lab;
    (figure as unknown as { wake(): void }).wake();
    await vi.waitFor(() => {
      expect(figure.shadowRoot?.querySelector('.read-out')?.textContent).toBe('The tables hold 16,000 parameters.');
    });
  });
});
