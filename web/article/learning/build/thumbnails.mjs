/**
 * The small pictures beside what to remember: 88 by 66, each drawn from the numbers of the figure that it leads to. They are decoration
 * for the sentence beside them.
 */

const width = 88;
const height = 66;

const svg = (...parts) =>
  `<svg class="remember-thumb" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">${parts.join('')}</svg>`;

const round = (value) => Number(value.toFixed(1));

const rect = (className, x, y, w, h, rest = '') =>
  `<rect class="${className}" x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}"${rest}/>`;

/** The first words of the map at the top, among them New and York. */
const words = 6;

/** @param {number[][]} values @param {[number, number][]} outlined */
function map(values, outlined) {
  const cell = height / words;
  const left = (width - height) / 2;
  const cells = values.slice(0, words).flatMap((row, from) =>
    row.slice(0, words).flatMap((value, to) =>
      // Opacity is the square root, as at the top.
      value > 0.01 ? [rect('heat', left + to * cell, from * cell, cell, cell, ` fill-opacity="${round(Math.sqrt(value))}"`)] : [],
    ),
  );
  const frame = rect('frame', left + 0.5, 0.5, height - 1, height - 1);
  return svg(frame, ...cells, ...outlined.map(([from, to]) => rect('outline', left + to * cell, from * cell, cell, cell)));
}

/** Bars from 0 to the largest value. @param {{ value: number, className: string }[]} rows */
function bars(rows) {
  const most = Math.max(...rows.map(({ value }) => value));
  const step = height / rows.length;
  return svg(...rows.map(({ value, className }, i) => rect(className, 0, i * step + 2, (width * value) / most, step - 4)));
}

/** One column for each width, with its interval. @param {{ width: number, mean: number, halfWidth: number }[]} columns */
function intervals(columns) {
  const logs = columns.map((column) => Math.log2(column.width));
  const [first, last] = [Math.min(...logs), Math.max(...logs)];
  const most = Math.max(...columns.map(({ mean, halfWidth }) => mean + halfWidth));
  const least = Math.min(0, ...columns.map(({ mean, halfWidth }) => mean - halfWidth));
  const x = (log) => round(8 + ((width - 16) * (log - first)) / (last - first));
  const y = (value) => round(4 + ((height - 8) * (most - value)) / (most - least));
  return svg(
    `<path class="zero" d="M0 ${y(0)}H${width}"/>`,
    ...columns.map(
      ({ mean, halfWidth }, i) =>
        `<path class="span" d="M${x(logs[i])} ${y(mean + halfWidth)}V${y(mean - halfWidth)}"/><circle class="tied" cx="${x(logs[i])}" cy="${y(mean)}" r="4"/>`,
    ),
  );
}

/** A model as one bar: its tables in color, all else gray. @param {number[][]} models */
function models(models) {
  const most = Math.max(...models.map((parts) => parts.reduce((sum, part) => sum + part, 0)));
  return svg(
    ...models.flatMap((parts, row) => {
      let left = 0;
      return parts.flatMap((part, i) => {
        const w = (width * part) / most;
        left += w;
        return part === 0 ? [] : [rect(['tied', 'untied', 'rest'][i], left - w, 8 + 28 * row, w - 1, 22)];
      });
    }),
  );
}

/** Drawings by name. @param {any} facts */
export function thumbnails({ hero, lab, widths, experiment, accounting }) {
  const [from, to] = [hero.words.indexOf('New'), hero.words.indexOf('York')];
  /** @type {[number, number][]} */
  const pair = [
    [from, to],
    [to, from],
  ];
  const tied = lab.arms.find(({ tying }) => tying === 'tied');
  const { tied: one, untied: two, saved } = accounting.gpt2;
  const table = two - one;
  return {
    'remember-mirror': map(hero.symmetric, pair),
    'remember-diagonal': map(hero.shared, []),
    'remember-floors': bars([
      { value: lab.bigram, className: 'floor' },
      { value: lab.symmetricLogits, className: 'floor' },
      { value: tied.loss, className: 'tied' },
      { value: lab.unigram, className: 'floor' },
    ]),
    'remember-widths': intervals([
      { width: widths.narrowest.width, ...widths.narrowest.interval },
      { width: 64, ...experiment.difference },
      { width: widths.widest.width, ...widths.widest.interval },
    ]),
    'remember-saving': models([
      [saved, 0, one - table],
      [saved, saved, one - table],
    ]),
  };
}
