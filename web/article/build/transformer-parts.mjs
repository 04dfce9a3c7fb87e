import { count } from './format.mjs';
import { table, words } from './table.mjs';

/** The parts of the drawn transformer, with their shapes and parameters in GPT-2 small, as the library counts them. */

const whole = (value, what) => {
  if (!Number.isInteger(value)) throw new Error(`GPT-2 small has ${String(value)} ${what}`);
  return value;
};

/** Sizes that no fact states, from the counts that depend on them. */
function sizesOf({ gpt2, models }) {
  const { vocabSize: v, dModel: d } = models.list.find(({ id }) => id === 'gpt2');
  const [positions, attention, norms] = ['positions', 'attention', 'norms'].map((group) => gpt2.groups[group][0]);
  return {
    v,
    d,
    context: whole(positions / d, 'positions'),
    layers: whole(attention / (4 * d * d + 4 * d), 'layers'),
    // A scale and a shift each.
    norms: whole(norms / (2 * d), 'norms'),
  };
}

/**
 * [{ id, name, symbol, shape, parameters }], in the order in which a token meets them. `parameters` is null for what is
 * computed; a part that GPT-2 small lacks is `absent`, and its parameters would come on top.
 */
export function transformerParts(accounting) {
  const { v, d, context, layers, norms } = sizesOf(accounting);
  const groups = Object.fromEntries(
    Object.entries(accounting.gpt2.groups).map(([group, [tied]]) => [group, tied]),
  );
  const by = (rows, cols) => `${count(rows)} × ${count(cols)}`;
  const [W_E, W_U] = ['E', 'U'].map((letter) => `<i>W</i><sub>${letter}</sub>`);
  const part = (id, name, symbol, shape, parameters = null, absent = false) => ({
    ...{ id, name, symbol, shape, parameters, absent },
  });
  const inLayers = (first, second) => `${first} and ${second}, in each of ${String(layers)} layers`;
  return [
    part('tokens', 'Tokens', '', `up to ${count(context)} numbers below ${count(v)}`),
    part('reads', 'Input embedding', W_E, by(v, d), groups['tables']),
    part('positions', 'Positions', '<i>P</i>', by(context, d), groups['positions']),
    part('stream', 'Residual stream', '<i>x</i>', `${count(d)} for each position`),
    part('direct', 'Direct path', `${W_E}${W_U}<sup>T</sup>`, by(v, v)),
    part('attention', 'Attention', '', inLayers(by(d, 3 * d), by(d, d)), groups['attention']),
    part('mlp', 'MLP', '', inLayers(by(d, 4 * d), by(4 * d, d)), groups['feed-forward']),
    part('norm', 'Final norm', '', `${count(d)}, twice; ${String(norms)} norms in all`, groups['norms']),
    part('writes', 'Output embedding', W_U, by(v, d), accounting.gpt2.tied - Object.values(groups).reduce((a, b) => a + b)),
    part('logits', 'Logits', '', `${count(v)} for each position`),
    part('softmax', 'Softmax', '', `${count(v)} probabilities`),
    part('sample', 'Sampling', '', 'one token, which joins the others'),
    part('map', 'A map between', '<i>M</i>', by(d, d), d * d, true),
    part('encoder', 'Encoder’s table', '', by(v, d), groups['tables'], true),
  ];
}

function parametersOf({ id, parameters, absent }) {
  if (parameters === null) return 'none';
  if (id === 'writes' && parameters === 0) return 'none of its own';
  return `${count(parameters)}${absent ? ' more' : ''}`;
}

/** Scripts read names, shapes and counts from its cells. */
export function partsTable({ accounting }) {
  const parts = transformerParts(accounting);
  const rows = parts.map((one) => [
    `${one.name}${one.symbol === '' ? '' : ` ${one.symbol}`}`,
    one.absent ? `${one.shape}, not in GPT-2` : one.shape,
    parametersOf(one),
  ]);
  const made = table({
    name: 'Parts of GPT-2 small, with shapes and parameters',
    columns: ['Part', words('shape'), 'parameters'],
    rows: [...rows, ['All of GPT-2 small', '', count(accounting.gpt2.tied)]],
  });
  return parts.reduce((html, { id }) => html.replace('<tr><th scope="row">', `<tr data-part="${id}"><th scope="row">`), made);
}
