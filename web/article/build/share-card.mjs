import { createHash } from 'node:crypto';
import { escapeHtml, percent } from './format.mjs';

/**
 * The card that other sites show beside a link to the article: its title and two maps of the figure at the top, drawn from the same numbers.
 * Those sites want a bitmap, which a browser makes: `node tools/images.mjs`. The bitmap is in the repository, with the fingerprint of the
 * drawing inside, so that a test can tell when it is out of date.
 */
export const shareCard = {
  file: 'share-card.png',
  width: 1200,
  height: 630,
  description:
    'The title of the article, and two maps of ten words, current word by next word: what a story says, and what a model with one shared table learns of it, which also repeats each word, along the diagonal.',
};

const cell = 30;

/** A map without labels: at the size of a card nobody could read them. */
function map({ words, values, x, y, ink, heat, outline, outlined }) {
  const size = cell * words.length;
  const cells = values.flatMap((row, from) =>
    row.map((value, to) =>
      // Opacity is the square root, as in the page's own maps.
      value > 0.002
        ? `<rect x="${x + to * cell}" y="${y + from * cell}" width="${cell}" height="${cell}" fill="${heat}" fill-opacity="${Math.sqrt(value).toFixed(2)}"/>`
        : '',
    ),
  );
  const lines = Array.from(
    { length: words.length + 1 },
    (_, at) => `M${x + at * cell} ${y}v${size}M${x} ${y + at * cell}h${size}`,
  );
  const [from, to] = outlined;
  return `${cells.join('')}<path d="${lines.join('')}" stroke="${ink}" stroke-opacity="0.16" fill="none"/>
<rect x="${x + to * cell}" y="${y + from * cell}" width="${cell}" height="${cell}" rx="2" fill="none" stroke="${outline}" stroke-width="3.5"/>`;
}

/**
 * The card as SVG, in dark colors, where the diagonal shines.
 *
 * @param {{ hero: { words: string[], text: number[][], shared: number[][] }, palette: Record<string, readonly [string, string]>, lines: string[] }} of
 *   `lines`: the title.
 */
export function drawShareCard({ hero, palette, lines }) {
  const dark = (name) => palette[name][1];
  const { words } = hero;
  const [newAt, yorkAt] = [words.indexOf('New'), words.indexOf('York')];
  const serif = `font-family="'Source Serif 4'"`;
  const sans = `font-family="'Source Sans 3'"`;
  const top = 142;
  const text = (x, y, size, color, content, more = sans) =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${color}" ${more}>${content}</text>`;
  const panel = (x, title, values, color, outline) => {
    const below = top + cell * words.length;
    const share = (after, before, from, to, y) =>
      text(x, y, 25, dark('muted'), `${after} after ${before}`) +
      text(x + cell * words.length, y, 30, dark('ink'), escapeHtml(percent(values[from][to])), `${sans} font-weight="650" text-anchor="end"`);
    return `${text(x, top - 18, 25, color, title, `${sans} font-weight="650"`)}
${map({ words, values, x, y: top, ink: dark('ink'), heat: dark('positive'), outline, outlined: [newAt, yorkAt] })}
${share('York', 'New', newAt, yorkAt, below + 44)}
${share('New', 'New', newAt, newAt, below + 84)}`;
  };
  const { width, height } = shareCard;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${dark('paper')}"/>
${lines.map((line, at) => text(60, 196 + 84 * at, 78, dark('ink'), escapeHtml(line), `${serif} font-weight="600" letter-spacing="-1.6"`)).join('\n')}
${text(60, top + 10 * cell + 44, 26, dark('muted'), 'Tied embeddings, in an article')}
${text(60, top + 10 * cell + 84, 26, dark('muted'), 'whose models train in your browser')}
${panel(500, 'What a story says', hero.text, dark('ink'), dark('ink'))}
${panel(842, 'What one table learns', hero.shared, dark('tiedText'), dark('tied'))}
</svg>`;
}

/** The heading, divided for the card. */
export function cardLines(heading) {
  const lines = [''];
  for (const word of heading.split(' ')) {
    const last = lines.at(-1);
    if (last !== '' && `${last} ${word}`.length > 10) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines;
}

export const fingerprintOf = (drawing) => createHash('sha256').update(drawing).digest('hex').slice(0, 32);
