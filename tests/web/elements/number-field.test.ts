// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { NumberField, type NumberDetail } from '../../../web/elements/shared/number-field.js';

customElements.define('tied-number-field', NumberField);

/** A field whose owner, as ours do, uses each reported value. */
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
  /** Letter by letter, as people do. */
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
      it(`shows the value in use after “${text}” was refused by ${leave}, explains why, and has reported the same to its owner`, async () => {
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

  it('shows it even where typing and leaving come without a moment between', async () => {
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

  it('refuses a fraction where a whole number is expected', async () => {
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

  it('reports an error and its end to an owner that shows it', async () => {
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

  it('steps from the typed number', async () => {
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
