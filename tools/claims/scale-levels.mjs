// node tools/claims/scale-levels.mjs    when models of one size part: their losses at steps 150 and 300, from claims/outcomes/scale-*.json; written into the page of
// the later cells, which declares how that is judged.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { readOutcome } from './outcomes.mjs';
import { laterPage, later, texts } from './scale-law.mjs';

/** Models of one text, size and number of tables, by seed: their losses halfway and at the end. @typedef {{ halfway: number[], end: number[] }} Group */

const parts = { earlier: ['', '-tall', '-wide', '-between'], later: later.beyond.map((part) => `-${part}`) };
/** The losses at the end have two levels if neighbors in their order are further apart, in nats. */
const gap = 0.1;

/** Of an experiment, both kinds; none if it has not been run. @param {string} name @returns {Group[]} */
export function groupsOf(name) {
  const { values } = readOutcome(name) ?? { values: [] };
  const pointsOf = (wanted) => values.find(({ value }) => value === wanted)?.points ?? [];
  return ['tied', 'untied'].flatMap((arm) => {
    const halfway = pointsOf(`loss(${arm}, step=150)`);
    return pointsOf(`loss(${arm})`).map(({ values: end }, i) => ({ halfway: halfway[i].values, end }));
  });
}

/** @returns {Record<string, { groups: Group[], pairs: Group[] }>} */
export const measuredGroups = () =>
  Object.fromEntries(
    Object.entries(parts).map(([name, ofName]) => {
      const all = (of) => texts.flatMap((text) => ofName.flatMap((part) => of(`scale-${text}${part}`)));
      return [name, { groups: all(groupsOf), pairs: all(pairsOf) }];
    }),
  );

const deviations = (losses) => {
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  return losses.map((loss) => loss - mean);
};

/** The losses at the end of tied and of untied models of the same seeds, which read the same tokens in the same order. @param {string} name */
export function pairsOf(name) {
  const groups = groupsOf(name);
  const cells = groups.length / 2;
  return groups.slice(0, cells).map(({ end }, cell) => ({ halfway: end, end: groups[cells + cell].end }));
}

/** How the deviations from a group's mean agree at both steps. @param {readonly Group[]} groups */
export function correlation(groups) {
  const [x, y] = [groups.flatMap(({ halfway }) => deviations(halfway)), groups.flatMap(({ end }) => deviations(end))];
  const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}

/** Marsaglia's xorshift32, and with it Fisher and Yates. */
function shuffler() {
  let state = 1;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return (list) => {
    const mixed = [...list];
    for (let last = mixed.length - 1; last > 0; last--) {
      const chosen = Math.floor(random() * (last + 1));
      [mixed[last], mixed[chosen]] = [mixed[chosen], mixed[last]];
    }
    return mixed;
  };
}

/** What 95% of the correlations are below if the seeds of each group come in a random order halfway. @param {readonly Group[]} groups */
export function correlationByChance(groups, draws = 10_000) {
  const mix = shuffler();
  const found = Array.from({ length: draws }, () =>
    correlation(groups.map(({ halfway, end }) => ({ halfway: mix(halfway), end }))),
  );
  return found.toSorted((a, b) => a - b)[Math.floor(0.95 * draws)];
}

const inOrder = (losses) => losses.map((_, seed) => seed).toSorted((a, b) => losses[a] - losses[b]);

/** The models of groups with two levels, and how many of them were on the other side of the gap halfway. @param {readonly Group[]} groups */
export function sides(groups) {
  const found = { groups: 0, models: 0, changed: 0, byChance: 0 };
  for (const { halfway, end } of groups) {
    const order = inOrder(end);
    const gaps = order.slice(1).map((seed, i) => end[seed] - end[order[i]]);
    const widest = Math.max(...gaps);
    if (widest <= gap) continue;
    const lower = gaps.indexOf(widest) + 1;
    const before = inOrder(halfway).slice(0, lower);
    found.groups++;
    found.models += end.length;
    found.changed += 2 * order.slice(0, lower).filter((seed) => !before.includes(seed)).length;
    // The mean over all orders.
    found.byChance += (2 * lower * (end.length - lower)) / end.length;
  }
  return found;
}

/** @param {{ groups: readonly Group[], pairs: readonly Group[] }} measured */
export function judgedLevels({ groups, pairs }) {
  const [together, ofPairs] = [groups, pairs].map((ones) => ({
    value: correlation(ones),
    byChance: correlationByChance(ones),
  }));
  const found = sides(groups);
  return {
    ...{ together, ofPairs, sides: found },
    keepsDistance: together.value > 0.7 && together.value > together.byChance,
    keepsSides: found.models === 0 ? null : found.changed <= found.models / 10,
    followsData: ofPairs.value >= 0.5,
  };
}

const verdict = (holds) => (holds === null ? 'undecided' : holds ? 'holds' : 'fails');
const shown = ({ value, byChance }) => `${value.toFixed(2)}, 95% of random orders below ${byChance.toFixed(2)}`;

/** @param {ReturnType<typeof measuredGroups>} measured */
export const linesOfLevels = (measured) => [
  'losses at steps 150 and 300, as deviations from the mean of five models of one text, size and kind',
  ...Object.entries(measured).flatMap(([name, { groups, pairs }]) => {
    if (groups.length === 0) return [`  ${name} cells: not run`];
    const { together, ofPairs, sides: found, keepsDistance, keepsSides, followsData } = judgedLevels({ groups, pairs });
    // What the criteria were written after is not judged by them.
    const judged = (holds) => (name === 'later' ? `: ${verdict(holds)}` : '');
    return [
      `  ${name} cells, ${groups.length} groups: correlation ${shown(together)}${judged(keepsDistance)}`,
      `    ${found.groups} with a gap at the end: ${found.changed} of ${found.models} models were on another side at step 150, by chance ${found.byChance.toFixed(0)}${judged(keepsSides)}`,
      `    tied and untied models of one seed, at the end: correlation ${shown(ofPairs)}${judged(!followsData)}`,
    ];
  }),
];

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = linesOfLevels(measuredGroups()).join('\n');
  console.log(text);
  writeFileSync(
    laterPage,
    readFileSync(laterPage, 'utf8').replace(/^```text\nlosses at steps[^`]*```$/m, () => `\`\`\`text\n${text}\n\`\`\``),
  );
}
