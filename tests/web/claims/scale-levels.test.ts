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

test('both criteria are judged, and the second not without a gap', () => {
  const many = Array.from({ length: 20 }, () => apart);
  expect(judgedLevels(many)).toMatchObject({ keepsDistance: true, keepsSides: true });
  const mixed = { ...apart, halfway: [...apart.halfway].reverse() };
  expect(judgedLevels(Array.from({ length: 20 }, () => mixed))).toMatchObject({
    keepsDistance: false,
    keepsSides: false,
  });
  expect(judgedLevels([turned])).toMatchObject({ keepsDistance: false, keepsSides: null });
});

test('every group that has been run has five models, and both losses of each', () => {
  const { earlier, later } = measuredGroups() as { earlier: Group[]; later: Group[] };
  expect(earlier).toHaveLength(96);
  for (const { halfway, end } of [...earlier, ...later]) expect([halfway.length, end.length]).toEqual([5, 5]);
  expect(groupsOf('scale-plays-never-run')).toEqual([]);
});

test('the page tells what the script prints', () => {
  expect(readFileSync(laterPage, 'utf8')).toContain(
    `\`\`\`text\n${linesOfLevels(measuredGroups()).join('\n')}\n\`\`\``,
  );
});
