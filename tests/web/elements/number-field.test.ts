// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { NumberField, type NumberDetail } from '../../../web/elements/shared/number-field.js';

customElements.define('tied-number-field', NumberField);

/** A field whose owner uses each reported value, as the figures do. */
async function opened(settings: Partial<NumberField>) {
  const field = new NumberField();
  const told: [number, boolean][] = [];
  Object.assign(field, { label: 'Learning rate', value: 0.05, min: 0.001, max: 10, decimals: 4, ...settings });
  field.addEventListener('tied-number', (event) => {
    const { value, final } = (event as CustomEvent<NumberDetail>).detail;
    told.push([value, final]);
    field.value = value;
  });
  document.body.append(field);
  await field.updateComplete;
  const box = field.shadowRoot?.querySelector<HTMLInputElement>('#box');
  if (!box) throw new Error('no box');
  const type = async (text: string): Promise<void> => {
    box.value = text;
    box.dispatchEvent(new Event('input'));
    await field.updateComplete;
  };
  /** Types letter by letter, as people do. */
  const typeOut = async (text: string): Promise<void> => {
    for (let end = 1; end <= text.length; end++) await type(text.slice(0, end));
  };
  const happens = async (event: Event): Promise<void> => {
    box.dispatchEvent(event);
    await field.updateComplete;
  };
  const problem = (): string | null => field.shadowRoot?.querySelector('.problem')?.textContent ?? null;
  const press = (key: string) => happens(new KeyboardEvent('keydown', { key }));
  return { field, box, told, type, typeOut, happens, press, problem };
}

afterEach(() => {
  document.body.innerHTML = '';
});

describe('a number field', () => {
  for (const [text, sentence] of [
    ['50', '50 is too large; the most is 10. Using 0.05.'],
    ['-1', '-1 is too small; the least is 0.001. Using 0.05.'],
    ['fast', '“fast” is not a number. Using 0.05.'],
    ['1e99', '1e99 is too large; the most is 10. Using 0.05.'],
    ['', 'A number is needed. Using 0.05.'],
  ] as const) {
    for (const leave of ['Enter', 'blur', 'change']) {
      it(`shows the value in use after “${text}” was refused by ${leave}, explains why, and reports the same to its owner`, async () => {
        const { field, box, told, typeOut, type, happens, press, problem } = await opened({});
        if (text === '') await type('');
        else await typeOut(text);
        await (leave === 'Enter' ? press(leave) : happens(new Event(leave)));
        expect(problem()).toBe(sentence);
        expect(box.value).toBe('0.0500');
        expect(field.value).toBe(0.05);
        expect(told.at(-1)?.[0] ?? 0.05).toBe(0.05);
      });
    }
  }

  it('shows the value in use even if typing and leaving follow each other at once', async () => {
    const { field, box, problem } = await opened({});
    box.value = 'abc';
    box.dispatchEvent(new Event('input'));
    box.dispatchEvent(new Event('change'));
    await field.updateComplete;
    expect(box.value).toBe('0.0500');
    expect(problem()).toContain('abc');
  });

  it('never uses the first digits of a refused number, not even while typing', async () => {
    const { told, typeOut } = await opened({});
    await typeOut('50');
    expect(told).toEqual([
      [5, false],
      [0.05, false],
    ]);
  });

  it('refuses a fraction if an integer is expected', async () => {
    const { box, type, press, problem } = await opened({ value: 100, min: 1, max: 1e6, whole: true, decimals: 0 });
    await type('2.5');
    await press('Enter');
    expect(problem()).toBe('2.5 is not an integer. Using 100.');
    expect(box.value).toBe('100');
  });

  it('clears its error when another value is set, typed or stepped, and on Escape', async () => {
    const { field, type, press, problem } = await opened({});
    const refuse = async (): Promise<void> => {
      await type('50');
      await press('Enter');
      expect(problem()).not.toBeNull();
    };
    await refuse();
    await press('Escape');
    expect(problem()).toBeNull();
    await refuse();
    field.value = 0.5;
    await field.updateComplete;
    expect(problem()).toBeNull();
    await refuse();
    await type('3');
    expect(problem()).toBeNull();
    await press('Enter');
    await refuse();
    await press('ArrowUp');
    expect([problem(), field.value]).toEqual([null, 4]);
  });

  it('reports the start and end of an error to an owner that shows it', async () => {
    const { field, type, press, problem } = await opened({ problemElsewhere: true });
    const heard: unknown[] = [];
    field.addEventListener('tied-refusal', (event) => heard.push((event as CustomEvent).detail));
    await type('50');
    await press('Enter');
    expect(heard).toEqual(['50 is too large; the most is 10. Using 0.05.']);
    expect(problem()).toBeNull();
    expect(field.shadowRoot?.querySelector('[role=alert]')?.textContent).toContain('50 is too large');
    await type('3');
    expect(heard.at(-1)).toBeNull();
  });

  it('takes its error along when it leaves the page', async () => {
    const { field, type, press } = await opened({ problemElsewhere: true });
    const heard: unknown[] = [];
    field.addEventListener('tied-refusal', (event) => heard.push((event as CustomEvent).detail));
    await type('50');
    await press('Enter');
    field.remove();
    await field.updateComplete;
    expect(heard).toEqual(['50 is too large; the most is 10. Using 0.05.', null]);
  });

  it('steps up and down from the typed number', async () => {
    const { field, type, press } = await opened({});
    await type('7');
    await press('ArrowUp');
    expect(field.value).toBe(8);
  });

  it('restores a value set from outside while typing', async () => {
    const { field, box, type, press, problem } = await opened({});
    await type('x');
    field.value = 0.3;
    await field.updateComplete;
    await press('Enter');
    expect(problem()).toBe('“x” is not a number. Using 0.3.');
    expect(box.value).toBe('0.3000');
  });

  // The learning rate of the training lab.
  const rate: Partial<NumberField> = {
    ...{ value: 0.005, min: 0.000001, step: 0.005 },
    decimals: (value: number) => (value < 0.0001 ? 6 : 4),
  };

  it.each([
    ['0.00002', 0.00002, '0.000020'],
    ['0.00004', 0.00004, '0.000040'],
    ['1e-5', 0.00001, '0.000010'],
    ['0.000001', 0.000001, '0.000001'],
    ['0.00123', 0.0012, '0.0012'],
  ])('rounds %s to the decimals of that value, not of the previous one', async (text, value, shown) => {
    const { box, told, type, press, problem } = await opened(rate);
    await type(text);
    await press('Enter');
    expect([problem(), box.value, told.at(-1)]).toEqual([null, shown, [value, true]]);
  });

  it('steps down to the least value and back', async () => {
    const { box, told, press, problem } = await opened(rate);
    await press('ArrowDown');
    expect([problem(), box.value, told.at(-1)]).toEqual([null, '0.000001', [0.000001, true]]);
    await press('ArrowUp');
    expect([problem(), box.value]).toEqual([null, '0.0050']);
  });

  it('never rounds a value beyond its limits', async () => {
    const { field, press, type } = await opened({ min: 0.16, max: 0.84, value: 0.5, decimals: 0 });
    await press('ArrowUp');
    expect(field.value).toBe(0.84);
    await type('0.2');
    await press('Enter');
    expect(field.value).toBe(0.16);
  });

  it.each([
    [{ ...rate }, '0', '0 is too small; the least is 0.000001. Using 0.005.'],
    [{ value: 100, min: 0.001, decimals: 0 }, '0', '0 is too small; the least is 0.001. Using 100.'],
    [{ min: 1e-7 }, '0', '0 is too small; the least is 0.0000001. Using 0.05.'],
    [{ max: 1e9 }, '1e10', '1e10 is too large; the most is 1,000,000,000. Using 0.05.'],
  ])('names its limits exactly, whatever decimals it shows: %#', async (settings, text, sentence) => {
    const { type, press, problem } = await opened(settings);
    await type(text);
    await press('Enter');
    expect(problem()).toBe(sentence);
  });

  it.each([
    [{ min: -99, max: 99 }, 'text'],
    [{ min: -5, max: 5, whole: true, decimals: 0 }, 'text'],
    [{ min: -Infinity, max: Infinity }, 'text'],
    [{ min: 0 }, 'decimal'],
    [{ min: 0, whole: true, decimals: 0 }, 'numeric'],
  ])(
    'with %j opens the phone keyboard “%s”: with a minus key if negative numbers are allowed',
    async (settings, keyboard) => {
      const { box } = await opened(settings);
      expect(box.getAttribute('inputmode')).toBe(keyboard);
    },
  );
});
