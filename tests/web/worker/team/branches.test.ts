// The tree in which members exchange gradients and weights.
import { expect, test } from 'vitest';
import { nodesOf } from '../../../../web/core/training/shard-tree.js';
import { branchEnd, childrenOf, parentOf } from '../../../../web/worker/team/branches.js';

const sizes = Array.from({ length: 17 }, (_, i) => i + 1);
const upTo = (end: number): number[] => Array.from({ length: end }, (_, i) => i);

test.each(sizes)('every one of %i members but the lead is a child of its parent, once, and of no other', (members) => {
  const found = upTo(members).flatMap((member) => childrenOf(member, members).map((child) => [child, member]));
  expect(found.sort(([a], [b]) => a! - b!)).toEqual(
    upTo(members)
      .slice(1)
      .map((child) => [child, parentOf(child)]),
  );
});

test.each(sizes)(
  'the branch of each of %i members is itself and the branches of its children, one after the other',
  (members) => {
    expect(branchEnd(0, members)).toBe(members);
    for (const member of upTo(members)) {
      let end = member + 1;
      for (const child of childrenOf(member, members)) {
        expect(child).toBe(end);
        end = branchEnd(child, members);
      }
      expect(branchEnd(member, members)).toBe(end);
    }
  },
);

test('the lead of 8 members exchanges with 3 of them', () => {
  expect(childrenOf(0, 8)).toEqual([1, 2, 4]);
  expect(childrenOf(4, 8)).toEqual([5, 6]);
  expect(childrenOf(4, 6)).toEqual([5]);
});

test('a branch has the shards of its members, in as few nodes as the tree allows', () => {
  expect(nodesOf(8, 4, 2, 4)).toEqual([[4, 8]]);
  expect(nodesOf(8, 4, 2)).toEqual([[4, 6]]);
  expect(nodesOf(8, 3, 1, 3)).toEqual([
    [2, 4],
    [4, 8],
  ]);
});
