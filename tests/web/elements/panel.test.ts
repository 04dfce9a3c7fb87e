// @vitest-environment happy-dom
// A panel made from its declaration: order, groups, slots, and conditions of single settings.
import { html, render } from 'lit';
import { describe, expect, it } from 'vitest';
import { group, type Panel } from '../../../web/elements/shared/settings/panel-parts.js';
import { renderPanel, type Slots } from '../../../web/elements/shared/settings/panel.js';
import { choice, flag, number, text, type Values } from '../../../web/elements/shared/settings/setting.js';
import { initialValues } from '../../../web/elements/shared/settings/with-settings.js';

const settings = {
  size: number(10, { min: 1, max: 100, whole: true, label: ({ kind }) => (kind === 'big' ? 'bigSize' : 'size') }),
  rate: number(2e12, { label: 'rate', control: { unit: { name: 'tera', size: 1e12 }, typed: [0, 9] } }),
  limit: number(null, {
    min: 1,
    label: 'limit',
    control: {
      optional: { label: 'hasLimit', start: ({ most }) => Number(most), disabled: ({ kind }) => kind === 'big' },
    },
  }),
  kind: choice(['small', 'big'], {
    label: 'kind',
    control: { names: 'kinds', disabled: ({ most }) => (Number(most) < 10 ? ['big'] : []) },
    help: ({ kind }) => (kind === 'big' ? 'heavy' : null),
  }),
  city: text('', { label: 'city', control: { offered: ({ cities }) => cities as string[], names: 'cities' } }),
  find: text('', { label: 'find', control: { hint: 'findHint' } }),
  notes: text('', { label: 'notes', control: { as: 'area' }, shown: ({ kind }) => kind === 'big' }),
  deep: flag(false, { label: 'deep', applies: ({ kind }) => kind === 'big' }),
  silent: number(1),
};
const texts = {
  size: 'Size',
  bigSize: 'Size of the big one',
  rate: 'Rate',
  tera: 'T/s',
  limit: 'Limit',
  hasLimit: 'There is a limit',
  kind: 'Kind',
  kinds: { small: 'Small', big: 'Big' },
  heavy: 'It takes long.',
  city: 'City',
  cities: (name: string) => name.toUpperCase(),
  find: 'Find',
  findHint: 'name or year',
  notes: 'Notes',
  deep: 'Deep',
};

function shown(panel: Panel, given: Values = {}, slots?: Slots) {
  const changes: Values[] = [];
  const place = document.createElement('div');
  const values = { ...initialValues(settings), most: 50, cities: ['york', 'new'], ...given };
  render(renderPanel(settings, panel, { texts, values, change: (change) => changes.push(change) }, slots), place);
  const field = (id: string) => place.querySelector<HTMLElement & Record<string, unknown>>(`#${id}`);
  const type = (selector: string, value: string, event: string): void => {
    const input = place.querySelector<HTMLInputElement>(selector);
    if (input === null) throw new Error(`no ${selector}`);
    input.value = value;
    input.dispatchEvent(new Event(event));
  };
  return { place, changes, field, type, words: place.textContent.replace(/\s+/g, ' ').trim() };
}

describe('a panel', () => {
  it('shows settings, groups and slots in their declared order', () => {
    const { place } = shown(
      ['find', group('numbers', 'size', group('inner', 'more'), 'rate'), 'kind'],
      {},
      {
        more: html`<b>More</b>`,
      },
    );
    expect([...place.children].map(({ localName, className }) => `${localName}.${className}`)).toEqual([
      'label.field',
      'div.numbers',
      'label.field',
    ]);
    expect([...(place.children[1]?.children ?? [])].map(({ localName, id }) => localName + id)).toEqual([
      'tied-number-fieldsize',
      'div',
      'tied-number-fieldrate',
    ]);
    expect(place.querySelector('.numbers > .inner > b')?.textContent).toBe('More');
  });

  it('leaves out settings without a label, slots without content, and empty groups', () => {
    expect(shown(['silent', 'absent', group('box', 'deep', 'notes')]).place.childElementCount).toBe(0);
  });

  it('shows a setting if it applies and its own condition holds', () => {
    expect(shown([group('box', 'deep', 'notes')], { kind: 'big' }).words).toBe('Deep Notes');
  });

  it('takes labels and help from the strings, depending on the values', () => {
    expect(shown(['kind']).words).toBe('Kind Small Big');
    expect(shown(['kind'], { kind: 'big' }).words).toBe('Kind Small Big It takes long.');
    expect(shown(['size']).field('size')?.['label']).toBe('Size');
    expect(shown(['size'], { kind: 'big' }).field('size')?.['label']).toBe('Size of the big one');
  });

  it('shows numbers in their display unit and reports them in the unit of the setting', () => {
    const { field, changes } = shown(['rate']);
    expect([field('rate')?.['value'], field('rate')?.['unit'], field('rate')?.['max']]).toEqual([2, 'T/s', 9]);
    field('rate')?.dispatchEvent(new CustomEvent('tied-number', { detail: { value: 3, final: true } }));
    expect(changes).toEqual([{ rate: 3e12 }]);
  });

  it('sets and unsets an optional number with a checkbox', () => {
    const unset = shown(['limit']);
    expect([unset.words, unset.field('limit')]).toEqual(['There is a limit', null]);
    const tick = (of: ReturnType<typeof shown>, checked: boolean): void => {
      const box = of.place.querySelector<HTMLInputElement>('input[type=checkbox]');
      if (box !== null) box.checked = checked;
      box?.dispatchEvent(new Event('change'));
    };
    tick(unset, true);
    expect(unset.changes).toEqual([{ limit: 50 }]);
    const set = shown(['limit'], { limit: 7 });
    expect(set.field('limit')?.['value']).toBe(7);
    tick(set, false);
    expect(set.changes).toEqual([{ limit: null }]);
    const disabled = shown(['limit'], { limit: 7, kind: 'big' });
    expect(disabled.place.querySelector<HTMLInputElement>('input')?.disabled).toBe(true);
    expect(disabled.field('limit')).toBeNull();
  });

  it('shows the first available choice in place of one that is disabled', () => {
    const chosen = (most: number) =>
      [...shown(['kind'], { kind: 'big', most }).place.querySelectorAll('option')].map(({ selected, disabled }) => [
        selected,
        disabled,
      ]);
    expect(chosen(50)).toEqual([
      [false, false],
      [true, false],
    ]);
    expect(chosen(5)).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('offers texts to choose or a line to type, and reports the choice', () => {
    const { words, place, type, changes } = shown(['city', 'find']);
    expect(words).toBe('City YORK NEW Find');
    expect(place.querySelector('input')?.placeholder).toBe('name or year');
    type('select', 'new', 'change');
    type('input', 'abc', 'input');
    expect(changes).toEqual([{ city: 'new' }, { find: 'abc' }]);
  });
});

it('a control keeps its element when one before it appears or disappears', () => {
  const place = document.createElement('div');
  const radios = {
    one: choice(['a', 'b'], { label: 'find', control: { as: 'segmented', names: 'kinds' } }),
    two: choice(['a', 'b'], { label: 'notes', control: { as: 'segmented', names: 'kinds' } }),
  };
  const draw = (slots: Slots): Element[] => {
    render(
      renderPanel(
        radios,
        ['start', 'one', group('row', 'two')],
        { texts, values: initialValues(radios), change: () => undefined },
        slots,
      ),
      place,
    );
    return [...place.querySelectorAll('[role=radiogroup]')];
  };
  const before = draw({ start: 'Start' });
  expect(draw({})).toEqual(before);
  expect(draw({})[0]).toBe(before[0]);
  expect(draw({ start: 'Again' })[1]).toBe(before[1]);
});
