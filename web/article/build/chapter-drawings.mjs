import { isChapter } from './outline.mjs';

/** One small picture for each chapter: what it finds, drawn from the numbers that the chapter states. Labels are in its sentence. */

const width = 120;
const height = 72;

const svg = (content) =>
  `<svg class="thumb" viewBox="0 0 ${width} ${height}" aria-hidden="true">${content}</svg>`;
/** In whole units, each less than a pixel: the pictures are part of what every reader downloads. */
const rect = (x, y, w, h, className) => {
  const [left, top, wide, high] = [x, y, w, h].map(Math.round);
  return `<rect class="${className}" x="${left}" y="${top}" width="${wide}" height="${high}"/>`;
};
const base = `<path class="rule" d="M8 64H112"/>`;

/** Bars upward from the base; heights in shares of the largest. */
function bars(values) {
  const most = Math.max(...values.map(({ value }) => value));
  const pitch = 104 / values.length;
  return values
    .map(({ value, className }, index) => {
      const tall = (value / most) * 54;
      return rect(8 + index * pitch + pitch * 0.15, 64 - Math.round(tall), pitch * 0.7, tall, className);
    })
    .join('');
}

/** Writing's share of the pull at its peak and at the end, over reading's. */
const pull = ({ gpt }) =>
  svg(
    [gpt.output.largest, gpt.output.last]
      .map(
        (share, index) =>
          rect(8, 14 + index * 26, 104 * share, 16, 'output') +
          rect(8 + 104 * share, 14 + index * 26, 104 * (1 - share), 16, 'input'),
      )
      .join(''),
  );

/** Cosines with the writing and the reading table, and with shuffled rows. */
const trained = ({ alignment }) =>
  svg(
    base +
      bars([
        { value: alignment.writing.mean, className: 'output' },
        { value: alignment.reading.mean, className: 'input' },
        { value: alignment.writing.chance, className: 'chance' },
      ]),
  );

/** Bits from the answer by layer. */
const lens = ({ lens: { tuned } }) =>
  svg(
    base +
      bars(
        tuned.tied.flatMap((bits, layer) => [
          { value: bits, className: 'tied' },
          { value: tuned.untied[layer], className: 'untied' },
        ]),
      ),
  );

/** The row of a word, along the base, and the hidden state at its angle to it; dashed, the angle of a random direction. */
function word({ hidden }) {
  const ray = (ratio, className) => {
    const angle = Math.atan(ratio);
    return `<path class="${className}" d="M38 62L${(38 + 52 * Math.cos(angle)).toFixed(1)} ${(62 - 52 * Math.sin(angle)).toFixed(1)}"/>`;
  };
  return svg(
    `<path class="line output" d="M38 62H108"/>${ray(hidden.tied.ratio, 'line tied')}${ray(hidden.tied.chance.ratio, 'line chance')}`,
  );
}

/** Directions over which the rows of three tables spread, and noise. */
const opened = ({ cards }) =>
  svg(
    base +
      bars([
        { value: cards.tied.effectiveRank, className: 'tied' },
        { value: cards.untied.reading.effectiveRank, className: 'input' },
        { value: cards.untied.writing.effectiveRank, className: 'output' },
        { value: cards.tied.effectiveRankNull, className: 'chance' },
      ]),
  );

/** Three tables, and one. */
const threeTables = (_facts) =>
  svg(
    [0, 1, 2].map((one) => rect(10 + one * 18, 14, 12, 44, ['input', 'input', 'output'][one])).join('') +
      `<path class="line ink" d="M70 36H84M79 31l5 5l-5 5"/>${rect(96, 14, 12, 44, 'tied')}`,
  );

/** Multiply-accumulates of each head in a step, beside those of the full one. */
const heads = ({ heads: { rows } }) =>
  svg(base + bars(rows.map(({ head, counted }) => ({ value: counted, className: head === 'full' ? 'chance' : 'tied' }))));

/** Losses with both tables, without the one that writes, and without the one that reads, over guessing. */
const files = ({ files: { lost } }) =>
  svg(
    base +
      bars(['both', 'head', 'input'].map((one) => ({ value: lost.end[one].mean, className: one === 'both' ? 'untied' : 'input' }))) +
      `<path class="line chance" d="M8 ${(64 - (54 * lost.guessing) / lost.end.input.mean).toFixed(1)}H112"/>`,
  );

/** What the table is of each model with two: those that share it over those that do not, a bar each. */
const models = ({ accounting: { models: all } }) =>
  svg(
    [true, false]
      .map((tied) => {
        const shares = all.list.filter((model) => model.tied === tied).map(({ savedOfUntied }) => Math.round(8 + savedOfUntied * 200));
        const bars = [...new Set(shares)].sort((a, b) => a - b).map((x) => `M${x} ${tied ? 18 : 42}h4v12h-4z`);
        return `<path class="${tied ? 'tied' : 'untied'}" d="${bars.join('')}"/>`;
      })
      .join(''),
  );

/** Tokens that follow themselves less often than they occur: in the direct path and in the whole model, with one table and with two. */
const law = ({ law: { tied, untied } }) =>
  svg(
    base +
      bars(
        ['alone', 'whole'].flatMap((where) => [
          { value: tied.deep[where], className: 'tied' },
          { value: untied.deep[where], className: 'untied' },
        ]),
      ),
  );

/** How well recovered rows agree with the true ones: of one table, by chance, and of two. */
const leak = ({ law: { leak: { tied, untied } } }) =>
  svg(
    base +
      bars([
        { value: tied.cosine, className: 'tied' },
        { value: untied.cosine, className: 'untied' },
        { value: tied.chance, className: 'chance' },
      ]),
  );

/** Prices of symmetry: by chance in English, and in the least, the middle and the most one-way of the texts. */
const languages = ({ languages: { english, least, middle, most } }) =>
  svg(
    base +
      bars([
        { value: english.chance, className: 'chance' },
        ...[least, middle, most].map(({ price }) => ({ value: price, className: 'tied' })),
      ]),
  );

const drawn = { pull, trained, lens, word, opened, 'three-tables': threeTables, heads, files, 'models-all': models, law, leak, languages };

/** { 'chapter-pull': '<svg…', … } */
export const chapterDrawings = (facts) =>
  Object.fromEntries(
    Object.entries(drawn).map(([id, draw]) => {
      if (!isChapter(id)) throw new Error(`There is no chapter "${id}" to draw`);
      return [`chapter-${id}`, draw(facts)];
    }),
  );
