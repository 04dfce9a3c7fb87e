import { count, escapeHtml } from './format.mjs';
import { hero } from './hero-drawing.mjs';
import { flowDrawing } from './flow-drawing.mjs';
import { armNames } from './arm-names.mjs';
import { chapterDrawings } from './chapter-drawings.mjs';
import { alignmentStrips, decisionStrips, experimentStrips, floorStrips, labSeedStrips, modelStrips, scaleStrips, turnStrips } from './seed-drawings.mjs';
import { transformerDrawing } from './transformer-drawing.mjs';

/** Drawings of the page, as SVG without style attributes: the page's style sheet sets colors by class. */

const round = (value) => Number(value.toFixed(1));

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
    // On their lines, where the curves, which are hidden before the reader's guess, do not come.
    referencesInside: 'left',
  });
  const alt = `Loss of four models over ${count(steps)} steps. The table below has the values at the end.`;
  return chart(drawing, alt, `${drawing.xTitle} (log scale)`);
}

/** All drawings by name. */
export const makeDrawings = (facts, inputs) => ({
  hero: hero(facts),
  flows: flowDrawing(facts.toy, inputs),
  training: training(facts, inputs),
  transformer: transformerDrawing(),
  decision: decisionStrips(facts),
  experiment: experimentStrips(facts),
  alignment: alignmentStrips(facts),
  'lab-seeds': labSeedStrips(facts),
  floors: floorStrips(facts),
  models: modelStrips(facts),
  scale: scaleStrips(facts),
  turns: turnStrips(facts),
  ...chapterDrawings(facts),
});
