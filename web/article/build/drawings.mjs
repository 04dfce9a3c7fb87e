import { count, escapeHtml, percent } from './format.mjs';
import { flowDrawing } from './flow-drawing.mjs';
import { armNames } from './arm-names.mjs';
import { alignmentStrips, experimentStrips, floorStrips, labSeedStrips, modelStrips } from './seed-drawings.mjs';
import { transformerDrawing } from './transformer-drawing.mjs';

/** Drawings of the page, as SVG without style attributes: the page's style sheet sets colors by class. */

const round = (value) => Number(value.toFixed(2));

/** One grid of probabilities: rows are the current word, columns the next. */
function grid({ words, values, outlined, label }) {
  const cell = 28;
  const left = 74;
  const top = 74;
  const size = cell * words.length;
  const parts = [];
  words.forEach((word, index) => {
    const middle = index * cell + cell / 2;
    const name = escapeHtml(word);
    parts.push(`<text class="row-label" x="${left - 8}" y="${top + middle + 5}" text-anchor="end">${name}</text>`);
    const x = left + middle + 4;
    parts.push(`<text x="${x}" y="${top - 8}" transform="rotate(-55 ${x} ${top - 8})">${name}</text>`);
  });
  values.forEach((row, from) => {
    row.forEach((value, to) => {
      const place = `x="${left + to * cell}" y="${top + from * cell}"`;
      if (value > 0.002) {
        // Opacity is the square root, so a tenth is as visible as a whole.
        parts.push(`<rect class="heat" ${place} width="${cell}" height="${cell}" fill-opacity="${round(Math.sqrt(value))}"/>`);
      }
    });
  });
  const lines = Array.from({ length: words.length + 1 }, (_, index) => {
    const at = index * cell;
    return `M${left + at} ${top}v${size}M${left} ${top + at}h${size}`;
  }).join('');
  parts.push(`<path class="grid" d="${lines}"/>`);
  parts.push(`<path class="fold" d="M${left} ${top}l${size} ${size}"/>`);
  for (const [from, to] of outlined) {
    parts.push(
      `<rect class="outline" x="${left + to * cell}" y="${top + from * cell}" width="${cell}" height="${cell}" rx="2"/>`,
    );
  }
  const width = left + size + 34;
  const height = top + size + 4;
  return `<svg class="matrix" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(label)}">${parts.join('')}</svg>`;
}

/** The text's bigrams, the best symmetric scores for them, and what one shared table has learned. */
function hero(facts) {
  const { words, text, symmetric, shared } = facts.hero;
  const from = words.indexOf('New');
  const to = words.indexOf('York');
  const outlined = [
    [from, to],
    [to, from],
  ];
  const panel = (className, title, values) => `<div class="panel ${className}">
<p class="panel-title">${title}</p>
${grid({ words, values, outlined, label: `${title}. Probabilities of the next word (columns) after the current word (rows), ${words.length} words.` })}
<p class="panel-values"><span><i>York</i> after <i>New</i> <b>${percent(values[from][to])}</b></span>
<span><i>New</i> after <i>York</i> <b>${percent(values[to][from])}</b></span>
<span><i>New</i> after <i>New</i> <b>${percent(values[from][from])}</b></span></p>
</div>`;
  return `<div class="hero-panels three">
${panel('free', 'What the story says', text)}
${panel('mirrored', 'The best that symmetric scores can say', symmetric)}
${panel('shared', 'What one shared table learns', shared)}
</div>`;
}

/** Half the width of a line: one that stays within it looks the same, and every point and decimal adds bytes. */
const tolerance = 1;

/** Ramer, Douglas and Peucker: the points of a line without which it would be too far from itself. */
function kept(points) {
  if (points.length < 3) return points;
  const [[fromX, fromY], [toX, toY]] = [points[0], points.at(-1)];
  const length = Math.hypot(toX - fromX, toY - fromY);
  const away = ([x, y]) => Math.abs((toX - fromX) * (fromY - y) - (fromX - x) * (toY - fromY)) / length;
  const distances = points.slice(1, -1).map(away);
  const furthest = Math.max(...distances);
  if (furthest <= tolerance) return [points[0], points.at(-1)];
  const at = distances.indexOf(furthest) + 1;
  return [...kept(points.slice(0, at + 1)).slice(0, -1), ...kept(points.slice(at))];
}

/** @param {string} path M and L with absolute coordinates */
export function thinned(path) {
  const points = path
    .slice(1)
    .split('L')
    .map((point) => point.split(/[ ,]/).map(Number));
  return `M${kept(points)
    .map(([x, y]) => `${Math.round(x)} ${Math.round(y)}`)
    .join('L')}`;
}

/** A line chart with labels beside its lines. */
function chart(drawing, alt, xTitle) {
  const { plot } = drawing;
  const parts = [];
  for (const tick of drawing.yTicks) {
    const y = round(tick.position);
    parts.push(`<path class="tick" d="M${plot.left} ${y}H${plot.right}"/>`);
    parts.push(`<text x="${plot.left - 8}" y="${y + 4}" text-anchor="end">${tick.label}</text>`);
  }
  for (const tick of drawing.xTicks) {
    const x = round(tick.position);
    parts.push(`<text x="${x}" y="${plot.bottom + 20}" text-anchor="middle">${tick.label}</text>`);
  }
  parts.push(`<text x="${plot.left}" y="14">${drawing.yTitle}</text>`);
  parts.push(`<text x="${plot.right}" y="${plot.bottom + 38}" text-anchor="end">${xTitle}</text>`);
  for (const line of drawing.references) {
    parts.push(`<path class="floor" d="M${plot.left} ${round(line.y)}H${plot.right}"/>`);
  }
  for (const line of drawing.series) parts.push(`<path class="curve ${line.id}" d="${thinned(line.path)}"/>`);
  for (const label of drawing.labels) {
    const reference = label.kind === 'reference';
    const className = reference ? 'floor-label' : `curve-label ${label.id}`;
    if (label.key) {
      const line = `M${round(label.key.from)} ${round(label.y)}H${round(label.key.to)}`;
      parts.push(`<path class="key ${reference ? 'floor' : `curve ${label.id}`}" d="${line}"/>`);
    }
    parts.push(`<text class="${className}" x="${round(label.x)}" y="${round(label.y)}" dominant-baseline="central">${escapeHtml(label.text)}</text>`);
  }
  return `<svg class="chart" viewBox="0 0 ${drawing.width} ${drawing.height}" role="img" aria-label="${alt}">${parts.join('')}</svg>`;
}

/** Loss curves of the lab's defaults, from the chart functions that the lab draws with. */
function training(facts, { lineChart }) {
  const { arms, steps, bigram, symmetricLogits, unigram } = facts.lab;
  // Evenly spaced on the logarithmic axis: steps at the same position would take more bytes than all other charts of
  // the page.
  const shown = Array.from({ length: steps }, (_, index) => index).filter(
    (index) => index === steps - 1 || Math.floor(26 * Math.log(index + 1)) !== Math.floor(26 * Math.log(index)),
  );
  const drawing = lineChart({
    width: 900,
    height: 400,
    xKind: 'log',
    xTitle: 'step',
    yTitle: 'loss, nats per token',
    labels: 'right',
    series: arms.map((arm) => ({
      id: arm.tying,
      label: armNames[arm.tying],
      x: Float64Array.from(shown, (index) => index + 1),
      y: Float64Array.from(shown, (index) => arm.losses[index]),
    })),
    references: [
      { id: 'unigram', label: 'unigram floor', value: unigram },
      { id: 'symmetric', label: 'symmetric floor', value: symmetricLogits },
      { id: 'bigram', label: 'bigram floor', value: bigram },
    ],
  });
  const alt = `Loss of four models over ${count(steps)} steps. The table below has the values at the end.`;
  return chart(drawing, alt, `${drawing.xTitle} (log scale)`);
}

/** All drawings by name. */
export const makeDrawings = (facts, inputs) => ({
  hero: hero(facts),
  flows: flowDrawing(facts.toy),
  training: training(facts, inputs),
  transformer: transformerDrawing(),
  experiment: experimentStrips(facts),
  alignment: alignmentStrips(facts),
  'lab-seeds': labSeedStrips(facts),
  floors: floorStrips(facts),
  models: modelStrips(facts),
});
