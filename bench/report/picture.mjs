// The picture of the readme: training steps of all contenders, and products with the limit. Every figure comes
// from the results.
import { scaleLinear } from 'd3-scale';
import { isOurs, isPeer } from '../peers-of.mjs';
import { median } from '../statistics.mjs';
import { drawing, element, text } from './svg.mjs';
import { number } from './words.mjs';

const width = 860;
const margin = 24;
const gutter = 200;
const line = 22;

const models = [
  { id: 'train/A', name: 'A', what: 'vocabulary 65, width 64' },
  { id: 'train/B', name: 'B', what: 'vocabulary 4096, width 128' },
  { id: 'train/C', name: 'C', what: 'direct path, vocabulary 2000' },
];
const products = [
  ['product/64x64x64/nn', '64'],
  ['product/256x256x256/nn', '256'],
  ['product/512x512x512/nn', '512'],
  ['product/1024x1024x1024/nn', '1024'],
  ['product/512x128x8192/nt/logits', '512 x 128 x 8192'],
  ['product/512x8192x128/nn/into-hidden', '512 x 8192 x 128'],
  ['product/8192x512x128/tn/into-embedding', '8192 x 512 x 128'],
].map(([id, name]) => ({ id, name: name.replaceAll('x', '×') }));

const kindOf = ({ name, host }) => {
  if (host === 'Python') return 'native';
  if (!isOurs({ name })) return 'peer';
  return name === 'ours, relaxed' ? 'ours' : 'ours-other';
};
const ourNames = { 'ours, baseline': 'tied-embeddings', 'ours, relaxed': 'tied-embeddings, relaxed' };
const label = ({ name, host }) => (host === 'Python' ? `${name}, native` : (ourNames[name] ?? name));

/** Contenders of the first part, the fastest on top: those in the browser, and native PyTorch for comparison. */
function trainers(results) {
  const found = results.data.contenders.flatMap((contender, place) => {
    const shown = contender.host === 'Chromium' || contender.name === 'PyTorch';
    const measured = models.some(({ id }) => results.itemsPerSecond(place, id) !== undefined);
    return shown && measured ? [{ ...contender, place }] : [];
  });
  const order = ['native', 'ours', 'ours-other', 'peer'];
  return found.sort((a, b) => order.indexOf(kindOf(a)) - order.indexOf(kindOf(b)));
}

function trainingPart(results, top) {
  const rows = trainers(results);
  const column = (width - 2 * margin - gutter) / models.length;
  const parts = rows.map((row, i) =>
    text(margin + gutter - 12, top + 52 + i * line, label(row), {
      anchor: 'end',
      kind: kindOf(row).startsWith('ours') ? 'ours-text strong' : undefined,
    }),
  );
  models.forEach(({ id, name, what }, at) => {
    const left = margin + gutter + at * column;
    const rates = rows.map(({ place }) => results.itemsPerSecond(place, id));
    const unit = results.cases.get(id)?.itemsName ?? 'items';
    // Leaves space for the number after the longest bar.
    const scale = scaleLinear([0, Math.max(...rates.filter((rate) => rate !== undefined), 1)], [0, column - 86]);
    parts.push(
      text(left, top, `${name}`, { kind: 'strong' }),
      text(left + 16, top, what, { kind: 'muted small' }),
      text(left, top + 18, `${unit} per second`, { kind: 'muted small' }),
      element('line', { x1: left, x2: left, y1: top + 32, y2: top + 38 + rows.length * line, class: 'rule' }),
    );
    rates.forEach((rate, i) => {
      const y = top + 38 + i * line;
      if (rate === undefined) {
        parts.push(text(left + 6, y + 14, 'does not train', { kind: 'muted small' }));
        return;
      }
      const length = Math.max(1, scale(rate));
      parts.push(
        element('rect', { x: left + 1, y: y + 2, width: length, height: line - 7, class: kindOf(rows[i]) }),
        text(left + length + 8, y + 14, number(rate), {
          kind: kindOf(rows[i]).startsWith('ours') ? 'strong' : 'muted',
        }),
      );
    });
  });
  return { parts, bottom: top + 38 + rows.length * line };
}

/** One number per model in words, "3.5, 2.8 and 4". */
const listed = (values) =>
  values
    .map((value) => value.toFixed(2))
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');

/** The bars in words, or '' if there is nothing to compare them with. */
function summary(results) {
  const rows = trainers(results);
  const fastest = (kinds, id) =>
    rows
      .filter((row) => kinds.includes(kindOf(row)) && results.seconds(row.place, id) !== undefined)
      .sort((a, b) => results.seconds(a.place, id) - results.seconds(b.place, id))[0];
  const multiples = (kinds) =>
    models.flatMap(({ id }) => {
      const [own, other] = [fastest(['ours', 'ours-other'], id), fastest(kinds, id)];
      return own === undefined || other === undefined ? [] : [median(results.speeds(own.place, other.place, id))];
    });
  const parts = [
    [multiples(['peer']), 'times the fastest other library in the browser'],
    [multiples(['native']), 'of native PyTorch'],
  ];
  return parts
    .filter(([values]) => values.length === models.length)
    .map(([values, words]) => `${listed(values)} ${words}`)
    .join('; ');
}

/** A marker for each contender, distinguished by shape as well as color. */
function mark(shape, x, y, kind) {
  if (shape === 'circle') return element('circle', { cx: x, cy: y, r: 5, class: kind });
  const paths = {
    diamond: `M${x - 6} ${y}L${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}Z`,
    triangle: `M${x - 5} ${y + 4}L${x} ${y - 5}L${x + 5} ${y + 4}Z`,
    square: `M${x - 4} ${y - 4}H${x + 4}V${y + 4}H${x - 4}Z`,
    bar: `M${x - 1} ${y - 6}H${x + 1}V${y + 6}H${x - 1}Z`,
  };
  return element('path', { d: paths[shape].replace(/\d+\.\d+/g, (part) => Number(part).toFixed(1)), class: kind });
}

function productPart(results, top) {
  const shapes = ['triangle', 'square', 'bar'];
  let peers = 0;
  const rows = results.data.contenders.flatMap((contender, place) => {
    const measured = products.some(({ id }) => results.operationsPerSecond(place, id) !== undefined);
    if (contender.host !== 'Chromium' || !measured) return [];
    const kind = kindOf(contender);
    const shape = { ours: 'diamond', 'ours-other': 'circle' }[kind] ?? shapes[peers++ % shapes.length];
    return [{ ...contender, place, kind, shape }];
  });
  const limits = rows.filter(isOurs).flatMap(({ name, place }) => {
    const limit = results.limit(place);
    return limit === undefined ? [] : [{ name: name.replace('ours, ', ''), limit: limit / 1e9 }];
  });
  const left = margin + gutter;
  const right = width - margin - 8;
  const most = Math.max(...limits.map(({ limit }) => limit), 1);
  const scale = scaleLinear([0, most], [left, right]);
  const bottom = top + 46 + products.length * line;
  const parts = [];

  // The legend, in one row.
  let x = left;
  for (const { name, kind, shape } of rows) {
    parts.push(
      mark(shape, x + 6, top - 4, kind),
      text(x + 18, top, label({ name, host: 'Chromium' }), { kind: 'small' }),
    );
    x += 32 + 6.6 * label({ name, host: 'Chromium' }).length;
  }
  for (const tick of scale.ticks(6)) {
    parts.push(
      element('line', { x1: scale(tick), x2: scale(tick), y1: top + 34, y2: bottom, class: 'rule' }),
      text(scale(tick), bottom + 18, String(tick), { anchor: 'middle', kind: 'muted small' }),
    );
  }
  // The limits can be close together: one line names both, in ascending order.
  limits.sort((a, b) => a.limit - b.limit);
  for (const { limit } of limits) {
    parts.push(element('line', { x1: scale(limit), x2: scale(limit), y1: top + 28, y2: bottom, class: 'limit' }));
  }
  const named = limits.map(({ name, limit }) => `${name} ${number(limit)}`).join(', ');
  if (named !== '') parts.push(text(right + 8, top + 24, `limits: ${named}`, { anchor: 'end', kind: 'muted small' }));
  products.forEach(({ id, name }, i) => {
    const y = top + 48 + i * line;
    parts.push(text(left - 12, y + 4, name, { anchor: 'end' }));
    // Ours last, so that they are on top.
    for (const { place, kind, shape } of [...rows].reverse()) {
      const rate = results.operationsPerSecond(place, id);
      if (rate !== undefined) parts.push(mark(shape, scale(rate / 1e9), y, kind));
    }
  });
  parts.push(text(right + 8, bottom + 36, 'GFLOP/s', { anchor: 'end', kind: 'muted small' }));
  return { parts, bottom: bottom + 36, rows };
}

/** The content of the picture, for readers who cannot see it. */
function inWords(results) {
  const reported = models.map(({ id, name }) => {
    const rates = trainers(results).flatMap((row) => {
      const rate = results.itemsPerSecond(row.place, id);
      return rate === undefined ? [] : [`${label(row)} ${number(rate)}`];
    });
    return `${name}, ${results.cases.get(id)?.itemsName ?? 'items'} per second: ${rates.join(', ')}.`;
  });
  return `Training steps, one thread. ${reported.join(' ')}`;
}

/** The picture as SVG. */
export function picture(results) {
  const { machine, versions } = results.data;
  const training = trainingPart(results, 96);
  const matrices = productPart(results, training.bottom + 62);
  const peers = results.data.contenders.filter((one) => isPeer(one));
  const about = [versions.Chromium && `Chromium ${versions.Chromium.split('.')[0]}`, machine.processor, 'one thread']
    .filter(Boolean)
    .join(', ');
  return drawing(
    {
      width,
      height: Math.ceil(matrices.bottom + 16),
      title: 'Training steps and matrix products in the browser, one thread',
      description: `${inWords(results)}${peers.length > 0 ? '' : ' No other programs were measured.'}`,
    },
    text(margin, 36, 'Training in a browser tab', { kind: 'heading' }),
    text(width - margin, 36, about, { anchor: 'end', kind: 'muted small' }),
    text(margin, 58, summary(results), { kind: 'muted' }),
    ...training.parts,
    text(margin, training.bottom + 36, 'Matrix products, and the limit of the machine', { kind: 'heading' }),
    ...matrices.parts,
  );
}
