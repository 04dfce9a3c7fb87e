import { describe, expect, it } from 'vitest';
import { withoutGaps, wrapped } from '../../../web/elements/shared/picture.js';

const box = (top: number, height: number) => ({ top, bottom: top + height });

describe('drawings in a saved picture', () => {
  it('begin at the top and keep small distances', () => {
    expect(withoutGaps([box(100, 50), box(170, 50)])).toEqual([0, 70]);
    expect(withoutGaps([])).toEqual([]);
  });

  it('move together if words and tables were between them', () => {
    expect(withoutGaps([box(100, 50), box(900, 50), box(960, 10)])).toEqual([0, 82, 142]);
  });

  it('stay side by side, in any order', () => {
    expect(withoutGaps([box(600, 40), box(100, 50), box(110, 200)])).toEqual([242, 0, 10]);
  });
});

describe('the title of a saved picture', () => {
  it('wraps between words if the picture is narrower', () => {
    expect(wrapped('What does tying save, and what not?', 1000, 18)).toEqual(['What does tying save, and what not?']);
    const lines = wrapped('What does tying save, and what not?', 200, 18);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(' ')).toBe('What does tying save, and what not?');
    for (const line of lines) expect(line.length * 18 * 0.56).toBeLessThanOrEqual(200);
  });

  it('does not break a word that is wider than the picture', () => {
    expect(wrapped('one antidisestablishmentarianism', 60, 18)).toEqual(['one', 'antidisestablishmentarianism']);
  });
});
