// How shards are dealt out: whole nodes of the core's tree, each shard once.
import { expect, test } from 'vitest';
import { nodesOf, type ShardNode } from '../../../web/core/training/shard-tree.js';

/** All nodes of the tree. */
function tree(shards: number): Set<string> {
  const found = new Set<string>();
  const visit = (first: number, end: number): void => {
    found.add(`${first}-${end}`);
    if (end - first === 1) return;
    const middle = first + Math.floor((end - first + 1) / 2);
    visit(first, middle);
    visit(middle, end);
  };
  visit(0, shards);
  return found;
}

const shares: [shards: number, members: number][] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 31, 64].flatMap((shards) =>
  [1, 2, 3, 4, 5, 7, 8].filter((members) => members <= shards).map((members): [number, number] => [shards, members]),
);

test.each(shares)('%i shards among %i members are nodes of the tree, each shard once, in order', (shards, members) => {
  const known = tree(shards);
  const all: ShardNode[] = [];
  for (let member = 0; member < members; member++) {
    const nodes = nodesOf(shards, members, member);
    const sum = nodes.reduce((count, [first, end]) => count + end - first, 0);
    // Nobody has more than one shard more than another.
    expect(Math.abs(sum - shards / members)).toBeLessThan(1);
    all.push(...nodes);
  }
  expect(all.filter(([first, end]) => !known.has(`${first}-${end}`))).toEqual([]);
  expect(all.flatMap(([first, end]) => Array.from({ length: end - first }, (_, i) => first + i))).toEqual(
    Array.from({ length: shards }, (_, i) => i),
  );
});

test('the nodes are as large as the tree allows', () => {
  expect(nodesOf(8, 1, 0)).toEqual([[0, 8]]);
  expect([0, 1].map((member) => nodesOf(8, 2, member))).toEqual([[[0, 4]], [[4, 8]]]);
  expect([0, 1, 2].map((member) => nodesOf(8, 3, member))).toEqual([
    [[0, 2]],
    [
      [2, 4],
      [4, 5],
    ],
    [
      [5, 6],
      [6, 8],
    ],
  ]);
  expect([0, 1].map((member) => nodesOf(5, 2, member))).toEqual([
    [[0, 2]],
    [
      [2, 3],
      [3, 5],
    ],
  ]);
});
