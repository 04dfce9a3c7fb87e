import { escapeHtml, percent0 } from './format.mjs';

/** Probability flows among three tokens: one arrow per direction, as wide as its share of all steps. */

const round = (value) => Number(value.toFixed(1));
const places = [
  { x: 62, y: 62 },
  { x: 318, y: 62 },
  { x: 190, y: 282 },
];
const nodeRadius = 33;
const widthOfAll = 46;

const sum = (points, key) => points.reduce((total, point) => total + point[key], 0);

/** One arrow between two nodes, bent to its left so the two directions are side by side. */
function arrow(from, to, share) {
  const [start, end] = [places[from], places[to]];
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const along = { x: (end.x - start.x) / length, y: (end.y - start.y) / length };
  const left = { x: along.y, y: -along.x };
  const width = Math.max(1, widthOfAll * share);
  const head = Math.max(9, 1.15 * width);
  const bend = 15 + width / 2;
  // The angle, measured from the straight line, at which the bent line leaves one circle and its head touches the
  // other.
  const angle = 0.42;
  const turn = (sign, towards, distance, center) => ({
    x: center.x + distance * (Math.cos(angle) * sign * along.x + Math.sin(angle) * towards.x),
    y: center.y + distance * (Math.cos(angle) * sign * along.y + Math.sin(angle) * towards.y),
  });
  const tail = turn(1, left, nodeRadius + 2, start);
  const tip = turn(-1, left, nodeRadius + 3, end);
  const middle = { x: (tail.x + tip.x) / 2 + left.x * bend, y: (tail.y + tip.y) / 2 + left.y * bend };
  const last = Math.hypot(tip.x - middle.x, tip.y - middle.y);
  const into = { x: (tip.x - middle.x) / last, y: (tip.y - middle.y) / last };
  const neck = { x: tip.x - into.x * head, y: tip.y - into.y * head };
  const wing = { x: -into.y * (width / 2 + 5), y: into.x * (width / 2 + 5) };
  const points = [
    [tip.x, tip.y],
    [neck.x + wing.x, neck.y + wing.y],
    [neck.x - wing.x, neck.y - wing.y],
  ];
  // The label is outside the line and extends away from it. Inside the triangle, the labels of two arrows would meet
  // halfway, so they are nearer to the start of their arrow.
  const center = { x: sum(places, 'x') / places.length, y: sum(places, 'y') / places.length };
  const inside = left.x * (center.x - middle.x) + left.y * (center.y - middle.y) > 0;
  const t = inside && Math.abs(left.x) > 0.4 ? 0.3 : 0.5;
  const anchor = left.x > 0.4 ? 'start' : left.x < -0.4 ? 'end' : 'middle';
  const distance = width / 2 + (anchor === 'middle' ? 13 : 8);
  const onRoad = (key) => (1 - t) ** 2 * tail[key] + 2 * t * (1 - t) * middle[key] + t ** 2 * tip[key];
  const label = { x: onRoad('x') + left.x * distance, y: onRoad('y') + left.y * distance + 6 };
  return `<path class="flow" d="M${round(tail.x)} ${round(tail.y)}Q${round(middle.x)} ${round(middle.y)} ${round(neck.x)} ${round(neck.y)}" stroke-width="${round(width)}"/>
<polygon class="flow-head" points="${points.map((point) => point.map(round).join(',')).join(' ')}"/>
<text x="${round(label.x)}" y="${round(label.y)}" text-anchor="${anchor}">${percent0(share)}</text>`;
}

/** The words of a walk at rest, the last of them where it stands. */
function trailOf(tokens, walk) {
  const words = walk.trail('forward').map((index) => escapeHtml(tokens[index]));
  return `<p class="trail">${words.slice(0, -1).join(' ')} <b>${words.at(-1)}</b></p>`;
}

function panel({ tokens, flow, title, className, walk }) {
  const parts = [];
  const sentences = [];
  tokens.forEach((from, row) => {
    tokens.forEach((to, col) => {
      if (row === col) return;
      parts.push(arrow(row, col, flow[row][col]));
      sentences.push(`${from} to ${to} ${percent0(flow[row][col])}`);
    });
  });
  tokens.forEach((token, index) => {
    const { x, y } = places[index];
    const at = index === walk.current ? ' at' : '';
    parts.push(`<circle class="node${at}" cx="${x}" cy="${y}" r="${nodeRadius}"/>`);
    parts.push(`<text class="node-label" x="${x}" y="${y}" dominant-baseline="central">${escapeHtml(token)}</text>`);
  });
  return `<div class="panel ${className}">
<p class="panel-title">${title}</p>
<svg class="flows" viewBox="0 0 380 320" role="img" aria-label="${title}: ${sentences.join(', ')}">${parts.join('\n')}</svg>
${trailOf(tokens, walk)}
<p class="turns"></p>
</div>`;
}

const digits = (joint) => joint.map((row) => row.map((share) => Number(share.toFixed(4))));

/** The chain of section 6 and the best symmetric logits for it, each with a walk that can be played on. */
export function flowDrawing({ tokens, flow, symmetricFlow }, { restingWalk, randomNumbers, Walk }) {
  const joints = [digits(flow), digits(symmetricFlow)];
  const walks = joints.map((joint) => new Walk(joint, randomNumbers(restingWalk.seed), restingWalk.steps));
  return `<article-roundabout data-joints="${JSON.stringify(joints)}"><div class="hero-panels">
${panel({ tokens, flow, title: 'The chain', className: 'free', walk: walks[0] })}
${panel({ tokens, flow: symmetricFlow, title: 'Symmetric scores', className: 'mirrored', walk: walks[1] })}
</div></article-roundabout>`;
}
