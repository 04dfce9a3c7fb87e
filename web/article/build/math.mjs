import temml from 'temml';

/**
 * Turns `$...$` and `$$...$$` in HTML into MathML.
 *
 * The page's content security policy allows no style attributes, and Temml writes some. Each distinct one becomes a class
 * of the collected style sheet.
 */
export function mathRenderer() {
  /** style text -> class name */
  const classes = new Map();
  const signs = new Set();

  const classFor = (style) => {
    if (!classes.has(style)) classes.set(style, `math-style-${classes.size + 1}`);
    return classes.get(style);
  };

  const withoutStyles = (markup) =>
    markup.replace(/<[a-z]+\b[^>]*>/g, (tag) => {
      const style = /\sstyle="([^"]*)"/.exec(tag);
      if (style === null) return tag;
      const bare = tag.replace(style[0], '');
      const name = classFor(style[1]);
      return /\sclass="/.test(bare)
        ? bare.replace(/\sclass="/, ` class="${name} `)
        : bare.replace(/^<([a-z]+)/, `<$1 class="${name}"`);
    });

  /**
   * Browsers set a variable by replacing its letter with one of the mathematical alphabets, which text fonts do not
   * have. A class lets the style sheet use the text's italic instead, so x looks the same in prose and in formulas.
   */
  const withVariables = (markup) => markup.replace(/<mi>(\p{L})<\/mi>/gu, '<mi class="variable">$1</mi>');

  /**
   * Chromium reserves the width of the largest root sign, which leaves a gap after a small root. Over a single letter or
   * digit, the sign needs no bar and is an ordinary sign.
   */
  const withoutBars = (markup) =>
    markup.replace(/<msqrt>(<m[in]>[^<]<\/m[in]>)<\/msqrt>/g, '<mrow><mo lspace="0" rspace="0">√</mo>$1</mrow>');

  const decode = (text) => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

  const render = (tex, displayMode) => {
    const source = decode(tex).replace(/\s+/g, ' ').trim();
    const markup = temml.renderToString(source, { displayMode, throwOnError: true });
    for (const sign of decode(markup.replace(/<[^>]*>/g, ''))) signs.add(sign);
    // The root's sign is drawn by its element and does not appear in the text.
    if (/<m(sqrt|root)\b/.test(markup)) signs.add('√');
    return withVariables(withoutBars(withoutStyles(markup)));
  };

  return {
    /** @param {string} html */
    render(html) {
      return html
        .replace(/\$\$([\s\S]+?)\$\$/g, (_, tex) => render(tex, true))
        .replace(/\$([^$]+?)\$([.,;:)?’]*)/g, (_, tex, after) => {
          const formula = render(tex, false);
          // Browsers break lines between a formula and a full stop.
          return after === '' ? formula : `<span class="unbroken">${formula}${after}</span>`;
        });
    },
    /**
     * Every character of the formulas rendered so far except plain letters and digits, which are set in the text font.
     */
    signs: () => [...signs].filter((sign) => !/[A-Za-z0-9\s]/.test(sign)).sort().join(''),
    /** The styles that the markup rendered so far needs. */
    css() {
      return [...classes].map(([style, name]) => `.${name} { ${style} }`).join('\n');
    },
  };
}
