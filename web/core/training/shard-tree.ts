/** How the shards of a batch are dealt out to the workers that train one model. */

/** The shards from `first` to before `end`: a node of the tree in which the core adds their gradients. */
export type ShardNode = readonly [first: number, end: number];

/** The largest nodes of the tree over `shards` that lie within the share of one of `members`. */
export function nodesOf(shards: number, members: number, member: number): ShardNode[] {
  const [first, end] = [member, member + 1].map((at) => Math.floor((at * shards) / members)) as [number, number];
  const found: ShardNode[] = [];
  const visit = (from: number, to: number): void => {
    if (to <= first || from >= end) return;
    if (from >= first && to <= end) {
      found.push([from, to]);
      return;
    }
    const middle = from + Math.floor((to - from + 1) / 2);
    visit(from, middle);
    visit(middle, to);
  };
  visit(0, shards);
  return found;
}
