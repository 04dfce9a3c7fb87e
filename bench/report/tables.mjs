// The results as rows of text, for text.mjs and markdown.mjs.
import { goals } from '../goals.mjs';
import { judge } from '../judge.mjs';
import { isPeer } from '../peers-of.mjs';
import { median } from '../statistics.mjs';
import { giga, number, percent, time } from './words.mjs';

/** A value of a row in words: a percentage, a multiple, a time or a number with its unit. */
function shown(goal, value) {
  if (goal.kind === 'share') return percent(value);
  if (goal.kind === 'speed') return `${value.toFixed(2)} x`;
  if (goal.kind === 'seconds') return `${goal.over === undefined ? '' : '+ '}${time(Math.max(0, value))}`;
  return `${number(value)} ${goal.unit}`;
}

/**
 * The goals as a table: a row of headings, then one row each.
 * @param {import('../results.mjs').Results} results
 * @returns {string[][]}
 */
export function goalRows(results) {
  const head = ['goal', 'build', 'against', 'measured', 'goal', ''];
  return [head, ...goals.map((goal) => goalRow(judge(goal, results)))];
}

/**
 * The rows; of a partial run those with a result, and a line that counts the others.
 * @param {import('../results.mjs').Results} results
 * @param {boolean} partial
 */
export function askedGoals(results, partial) {
  const rows = goalRows(results);
  const reported = partial ? rows.filter((row) => !row.at(-1).startsWith('not measured')) : rows;
  const others = rows.length - reported.length;
  return { rows: reported, others: others === 0 ? [] : [`${others} other goals were not part of this run.`] };
}

/** @param {import('../goal.d.ts').Verdict} verdict */
function goalRow({ goal, value, note, met, missing, id }) {
  const bound =
    goal.atLeast === undefined ? `at most ${shown(goal, goal.atMost)}` : `at least ${shown(goal, goal.atLeast)}`;
  const against = { share: 'the limit', speed: goal.againstWhat ?? goal.against?.label }[goal.kind] ?? '';
  const row = [goal.what, goal.of?.label ?? '', against];
  if (missing !== undefined) return [...row, '-', bound, `not measured: ${missing}`];
  const where = [goal.cases?.length > 1 ? id : '', note ?? ''].filter((text) => text !== '' && text !== against);
  return [...row, shown(goal, value), bound, [met ? 'met' : 'NOT MET', ...where].join(', ')];
}

/** The content of a cell: a rate with its percentage of the limit, items per second, or a time. */
function cell(results, place, id, ruler) {
  const { items = 0 } = results.cases.get(id) ?? {};
  const share = median(results.shares(place, id, ruler));
  const behind = share === undefined ? '' : ` ${percent(share).padStart(5)}`;
  if (results.seconds(place, id) === undefined) return '';
  if (items > 0) return `${number(results.itemsPerSecond(place, id))}${behind}`;
  const rate = results.operationsPerSecond(place, id);
  if (rate !== undefined) return `${number(rate / 1e9)}${behind}`;
  return time(results.seconds(place, id));
}

const topicOf = (id) => id.split('/')[0];
const titles = {
  product: 'Products, GFLOP/s and share of the limit',
  products: 'All products of a step alone, tokens/s and share of the limit',
  train: 'Training steps, tokens/s (C: pairs/s) and share of the limit',
  head: 'Training steps with each head, V 50,257, d 64: tokens/s and share of the limit for the products of that head',
  decode: 'Decoding, tokens/s and share of the limit',
  decompose: 'Decompositions',
  symmetry: 'Symmetry of a direct path from its factors',
  readout: 'Hidden states through a head, tokens/s and share of the limit, or time',
  text: 'Byte pair encoding, bytes/s or time',
  cold: 'Cold start: from navigation to the first finished step',
  arms: 'Two models',
  'one-model': 'One model on all cores: time per step',
  memory: 'Large vocabularies: training, tokens/s (direct path: pairs/s) and share of the limit; others, time',
  diagnose: 'Diagnostics of tables',
  bigrams: 'Bigrams of a text',
  pair: 'Diagnostics of the default pair',
  experiment: 'Experiments',
};

/**
 * Tables of all cases, one per topic and group of hosts: { title, rows }, where the first two rows are names and hosts.
 * @param {import('../results.mjs').Results} results
 * @returns {{ title: string, rows: string[][] }[]}
 */
export function caseSections(results) {
  const { contenders } = results.data;
  const sections = [];
  const measured = [...results.cases.keys()].filter((id) => contenders.some((_, place) => results.seconds(place, id)));
  for (const topic of new Set(measured.map(topicOf))) {
    const ids = measured.filter((id) => topicOf(id) === topic);
    for (const group of [['Chromium'], ['Node', 'native', 'Python']]) {
      const present = contenders.flatMap(({ host }, place) =>
        group.includes(host) && ids.some((id) => results.seconds(place, id)) ? [place] : [],
      );
      if (present.length === 0) continue;
      // Contenders without a limit use that of the baseline in the same host, if there is one.
      const ruler = (place) => {
        if (results.limit(place) !== undefined) return place;
        return results.place('ours, baseline', contenders[place].host) ?? place;
      };
      const rows = ids
        .map((id) => [id, ...present.map((place) => cell(results, place, id, ruler(place)))])
        .filter((row) => row.slice(1).some((text) => text !== ''));
      const head = ['name', 'host'].map((what) => ['', ...present.map((place) => contenders[place][what])]);
      sections.push({ title: titles[topic] ?? topic, rows: [...head, ...rows] });
    }
  }
  return sections;
}

/** Facts, measured values other than times: [case, what, number, contender]. */
export function factRows(results) {
  const rows = new Map();
  for (const { id, contender, facts = {} } of results.data.samples) {
    for (const name of Object.keys(facts)) {
      const { name: who, host } = results.data.contenders[contender];
      rows.set(`${contender} ${id} ${name}`, [id, name, number(results.fact(contender, id, name)), `${who} (${host})`]);
    }
  }
  return [...rows.values()];
}

/**
 * The machine, the versions and the limits.
 * @param {import('../results.mjs').Results} results
 * @returns {string[]}
 */
export function headLines(results) {
  const { machine, versions, rounds, contenders, absent, failed } = results.data;
  const limits = contenders.flatMap(({ name, host }, place) => {
    const limit = results.limit(place);
    return limit === undefined ? [] : [`${name} in ${host} ${giga(limit)}`];
  });
  const peers = contenders.filter(isPeer).flatMap(({ name, version }) => {
    if (version === undefined) return [];
    return [version.startsWith(name.split(',')[0]) ? version : `${name} ${version}`];
  });
  return [
    `${machine.processor} (vectors: ${machine.vectors}), ${machine.cores} cores; load ${machine.loadBefore.toFixed(2)} before, ${machine.loadAfter.toFixed(2)} after (this run accounts for 1 of the latter)`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    ...(peers.length === 0 ? [] : [`compared with: ${[...new Set(peers)].join('; ')}`]),
    ...(machine.loadAfter > 1.6 // this run accounts for 1 of it
      ? [
          'OTHER PROGRAMS WERE RUNNING: wall-clock times, and all percentages and ratios of them, are too low or too high.',
        ]
      : []),
    `medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}; wall-clock time in Chromium and for experiments, CPU time elsewhere`,
    `limit of multiply-adds in registers: ${limits.join(', ') || 'not measured'}`,
    ...absent.map(({ name, reason }) => `absent: ${name}: ${reason}`),
    ...failed.map(({ id, contender, message }) => `failed: ${id}, ${contender}: ${message}`),
  ];
}
