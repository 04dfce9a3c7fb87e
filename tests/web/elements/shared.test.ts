import { describe, expect, it } from 'vitest';
import { contrast, parseColor } from '../../../web/charts/color-scale.js';
import { decodeLinkState, embedCode, encodeLinkState } from '../../../web/elements/shared/link-state.js';
import { colorProperty, palette, publicColorProperty, type ColorName } from '../../../web/elements/shared/palette.js';
import { parseNumber } from '../../../web/elements/shared/parse-number.js';

describe('parseNumber', () => {
  it.each([
    ['50,000', 50_000],
    ['50 000', 50_000],
    ['50\u202f000', 50_000],
    ['1,234,567.5', 1_234_567.5],
    ['0,5', 0.5],
    ['−0.5', -0.5],
    ['-.5', -0.5],
    ['50k', 50_000],
    ['1.5M', 1_500_000],
    ['7B', 7e9],
    ['1e6', 1_000_000],
    [' 12 ', 12],
    ['+3', 3],
  ])('reads %s as %d', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each(['', ' ', 'abc', '1.2.3', '12px', '--1', '1e999', 'NaN', 'Infinity', '1,00,0', '0x10'])(
    'finds no number in "%s"',
    (text) => {
      expect(parseNumber(text)).toBeNull();
    },
  );
});

describe('link state', () => {
  const settings = { mode: 'untied', tokens: 'New, York', embedding: '1 0.5; 0.8 0.9' };

  it('survives a round trip through the hash', () => {
    expect(decodeLinkState(encodeLinkState('explorer', settings), 'explorer')).toEqual(settings);
  });

  it('applies to the element that it names, and other hashes apply to none', () => {
    expect(decodeLinkState(encodeLinkState('explorer', settings), 'calculator')).toBeNull();
    expect(decodeLinkState('#a-section', 'explorer')).toBeNull();
    expect(decodeLinkState('', 'explorer')).toBeNull();
  });

  it('writes embed code that escapes whatever a reader typed', () => {
    expect(embedCode('tied-x', { tokens: 'a"b, <c>, d&e' }, 'x.js')).toBe(
      '<script src="x.js" defer></script>\n<tied-x tokens="a&quot;b, &lt;c>, d&amp;e"></tied-x>',
    );
  });
});

describe('palette', () => {
  const names = Object.keys(palette) as ColorName[];
  const schemes = [0, 1] as const;
  const against = (name: ColorName, background: ColorName, scheme: 0 | 1): number =>
    contrast(parseColor(palette[name][scheme]), parseColor(palette[background][scheme]));

  it('has readable text on paper and on raised paper: at least 4.5 : 1, light and dark', () => {
    const texts = names.filter((name) => name.endsWith('Text') || ['ink', 'muted', 'accent', 'error'].includes(name));
    expect(texts.length).toBeGreaterThan(8);
    for (const scheme of schemes) {
      for (const name of texts) {
        expect(against(name, 'paper', scheme), `${name} ${String(scheme)} on paper`).toBeGreaterThanOrEqual(4.5);
        expect(against(name, 'raised', scheme), `${name} ${String(scheme)} on raised`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it('has visible borders of controls and focus rings: at least 3 : 1', () => {
    for (const scheme of schemes) {
      for (const name of ['control', 'focus', 'floor'] as const) {
        expect(against(name, 'paper', scheme), `${name} ${String(scheme)}`).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it('uses the hues with a meaning in light surroundings', () => {
    expect([palette.tied[0], palette.untied[0], palette.through[0], palette.input[0], palette.output[0]]).toEqual([
      '#0072b2',
      '#d55e00',
      '#009e73',
      '#56b4e9',
      '#cc79a7',
    ]);
  });

  it('names its properties in kebab case', () => {
    expect(publicColorProperty('tiedText')).toBe('--tied-color-tied-text');
    expect(colorProperty('tiedText')).toBe('--t-tied-text');
  });
});
