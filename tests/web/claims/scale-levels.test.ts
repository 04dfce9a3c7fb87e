/** When models of one size part: what their losses halfway and at the end have in common. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  correlation,
  correlationByChance,
  groupsOf,
  judgedLevels,
  linesOfLevels,
  measuredGroups,
  pairsOf,
  sides,
} from '../../../tools/claims/scale-levels.mjs';
import { laterPage } from '../../../tools/claims/scale-law.mjs';

interface Group {
  halfway: number[];
  end: number[];
}

/** Two on the lower level and three on the upper one. */
const apart: Group = { halfway: [5.2, 5.6, 5.21, 5.61, 5.62], end: [4.9, 5.3, 4.91, 5.31, 5.32] };
/** Without a gap; each model as far from the mean at both steps, but on the other side of it. */
const turned: Group = { halfway: [5.02, 5.01, 5, 4.99, 4.98], end: [4.48, 4.49, 4.5, 4.51, 4.52] };

test('deviations from the mean of a group are compared, whatever its mean', () => {
  expect(correlation([apart])).toBeCloseTo(1, 7);
  expect(correlation([turned])).toBeCloseTo(-1, 7);
  const shifted = { ...apart, end: apart.end.map((loss) => loss - 3) };
  expect(correlation([apart, shifted])).toBeCloseTo(1, 7);
  // Sums of squares 0.19708 and 0.001, of products 0.19708 and -0.001.
  expect(correlation([apart, turned])).toBeCloseTo((0.19708 - 0.001) / (0.19708 + 0.001), 7);
});

test('random orders reach what the variance of a shuffled product says', () => {
  const groups = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? apart : { ...apart, halfway: turned.halfway }));
  const squares = (losses: number[]): number => {
    const mean = losses.reduce((sum, loss) => sum + loss) / losses.length;
    return losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0);
  };
  const sum = (of: (group: Group) => number): number => groups.reduce((total, group) => total + of(group), 0);
  const variance = sum(({ halfway, end }) => (squares(halfway) * squares(end)) / 4);
  const all = sum(({ halfway }) => squares(halfway)) * sum(({ end }) => squares(end));
  expect(correlationByChance(groups) / (1.645 * Math.sqrt(variance / all))).toBeCloseTo(1, 1);
});

test('models on another side of the gap are counted where there is one', () => {
  expect(sides([turned])).toEqual({ groups: 0, models: 0, changed: 0, byChance: 0 });
  expect(sides([apart])).toEqual({ groups: 1, models: 5, changed: 0, byChance: 2.4 });
  const [first, second, ...others] = apart.halfway as [number, number, ...number[]];
  // The first two trade places.
  expect(sides([apart, { ...apart, halfway: [second, first, ...others] }])).toMatchObject({ models: 10, changed: 2 });
});

test('the criteria are judged, and that of the sides not without a gap', () => {
  const many = Array.from({ length: 20 }, () => apart);
  const mixed = Array.from({ length: 20 }, () => ({ ...apart, halfway: [...apart.halfway].reverse() }));
  expect(judgedLevels({ groups: many, pairs: mixed })).toMatchObject({
    ...{ keepsDistance: true, keepsSides: true, followsData: false },
  });
  expect(judgedLevels({ groups: mixed, pairs: many })).toMatchObject({
    ...{ keepsDistance: false, keepsSides: false, followsData: true },
  });
  expect(judgedLevels({ groups: [turned], pairs: [apart] })).toMatchObject({ keepsDistance: false, keepsSides: null });
});

test('every group that has been run has five models, and both losses of each', () => {
  const { earlier, later } = measuredGroups() as Record<'earlier' | 'later', { groups: Group[]; pairs: Group[] }>;
  expect([earlier.groups, earlier.pairs].map(({ length }) => length)).toEqual([96, 48]);
  for (const { halfway, end } of [earlier, later].flatMap(({ groups, pairs }) => [...groups, ...pairs]))
    expect([halfway.length, end.length]).toEqual([5, 5]);
  expect(groupsOf('scale-plays-never-run')).toEqual([]);
});

test('pairs have the cell and the text in common, and the seeds', () => {
  const [first] = pairsOf('scale-plays-wide') as [Group];
  const [tied, , untied] = groupsOf('scale-plays-wide') as [Group, Group, Group];
  expect(first).toEqual({ halfway: tied.end, end: untied.end });
});

test('the page tells what the script prints', () => {
  expect(readFileSync(laterPage, 'utf8')).toContain(
    `\`\`\`text\n${linesOfLevels(measuredGroups()).join('\n')}\n\`\`\``,
  );
});
