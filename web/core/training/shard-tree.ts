/** How the shards of a batch are dealt out to the workers that train one model. */

/** The shards from `first` to before `end`: a node of the tree in which the core adds their gradients. */
export type ShardNode = readonly [first: number, end: number];

/** The largest nodes of the tree over `shards` that lie within the shares of members `first` to before `end`, of `members`. */
export function nodesOf(shards: number, members: number, first: number, end = first + 1): ShardNode[] {
  const [from, to] = [first, end].map((at) => Math.floor((at * shards) / members)) as [number, number];
  const found: ShardNode[] = [];
  const visit = (low: number, high: number): void => {
    if (high <= from || low >= to) return;
    if (low >= from && high <= to) {
      found.push([low, high]);
      return;
    }
    const middle = low + Math.floor((high - low + 1) / 2);
    visit(low, middle);
    visit(middle, high);
  };
  visit(0, shards);
  return found;
}
