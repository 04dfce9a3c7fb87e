/**
 * A tree of members: gradients are added on the way to the lead, number 0, and weights are passed on from it, so that nobody exchanges more
 * than the logarithm of the number of members. The members of a branch are neighbors, and so are their shards.
 */

/** The first member that is not in the branch of this one, of so many. */
export const branchEnd = (member: number, members: number): number =>
  member === 0 ? members : Math.min(members, member + (member & -member));

export const parentOf = (member: number): number => member & (member - 1);

/** In the order of the shards of their branches. */
export function childrenOf(member: number, members: number): number[] {
  const children: number[] = [];
  for (let apart = 1; member + apart < branchEnd(member, members); apart *= 2) children.push(member + apart);
  return children;
}
