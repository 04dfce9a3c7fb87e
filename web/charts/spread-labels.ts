/**
 * Separates labels along a line: the positions closest to `wished`, in the same order, at least `room` apart and within
 * [low, high] if possible. Least squares by pooling neighbors that collide.
 */
export function spreadLabels(wished: readonly number[], room: number, low: number, high: number): number[] {
  interface Group {
    members: number[];
    /** Sum of (wish - offset within the group). */
    sum: number;
    start: number;
  }
  const order = wished.map((_, index) => index).sort((a, b) => (wished[a] ?? 0) - (wished[b] ?? 0) || a - b);
  const place = (group: Group): void => {
    const length = (group.members.length - 1) * room;
    const free = group.sum / group.members.length;
    group.start = Math.max(low, Math.min(free, high - length));
  };
  const groups: Group[] = [];
  for (const index of order) {
    let group: Group = { members: [index], sum: wished[index] ?? 0, start: 0 };
    place(group);
    let before = groups.at(-1);
    while (before !== undefined && before.start + before.members.length * room > group.start) {
      groups.pop();
      const offset = before.members.length * room;
      group = {
        members: [...before.members, ...group.members],
        sum: before.sum + group.sum - group.members.length * offset,
        start: 0,
      };
      place(group);
      before = groups.at(-1);
    }
    groups.push(group);
  }
  const out = new Array<number>(wished.length).fill(0);
  for (const group of groups) {
    group.members.forEach((member, at) => {
      out[member] = group.start + at * room;
    });
  }
  return out;
}
