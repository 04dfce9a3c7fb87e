import { describe, expect, it } from 'vitest';
import { mathRenderer } from '../../../web/article/build/math.mjs';

describe('formulas', () => {
  it('become MathML, inline or as a block', () => {
    const math = mathRenderer();
    expect(math.render('so $a_i$ is')).toMatch(/^so <math><msub>.*<\/math> is$/);
    expect(math.render('$$a$$')).toContain('display="block"');
  });

  it('have no style attribute, since every style is a class of the style sheet', () => {
    const math = mathRenderer();
    const html = math.render('$$\\left(\\frac{a}{b}\\right)_{\\!\\text{write}}$$');
    expect(html).not.toContain('style=');
    const names = [...html.matchAll(/math-style-\d+/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(math.css()).toContain(`.${name} {`);
  });

  it('share one class per style', () => {
    const math = mathRenderer();
    math.render('$$a$$ $$b$$ $$c$$');
    expect(math.css().split('\n')).toHaveLength(1);
  });

  it('list every symbol that their font must have, including the root, but no plain letters', () => {
    const math = mathRenderer();
    math.render('$\\sqrt{a} + 2 \\le \\pi$');
    expect(math.signs()).toBe('+π√≤');
  });

  it('keep the punctuation after them on their line', () => {
    expect(mathRenderer().render('of $D$. Up to $D$, and $E$ too')).toMatch(
      /^of <span class="unbroken"><math>\S*.*<\/math>\.<\/span> Up to <span class="unbroken"><math>.*<\/math>,<\/span> and <math>.*<\/math> too$/,
    );
  });

  it('set the root of one letter without a bar, after which Chromium leaves a gap', () => {
    expect(mathRenderer().render('$\\sqrt d$')).toBe(
      '<math><mrow><mo lspace="0" rspace="0">√</mo><mi class="variable">d</mi></mrow></math>',
    );
    expect(mathRenderer().render('$\\sqrt{d - 1}$')).toContain('<msqrt>');
  });

  it('that are invalid stop the build', () => {
    expect(() => mathRenderer().render('$\\frac{a}$')).toThrow();
  });
});
