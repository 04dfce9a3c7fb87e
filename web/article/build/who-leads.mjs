/** Who leads when, in words that follow from the recorded steps. */

/** A lead of fewer steps is a fluctuation. */
const least = 10;

/**
 * The stretches of steps, from step 1, in which one role leads in every step, without those that are too short to count.
 *
 * @param {readonly string[]} leaders The leader of every step.
 * @returns {{ role: string, from: number, to: number }[]}
 */
export function steadyLeads(leaders) {
  const stretches = [];
  leaders.forEach((role, index) => {
    const last = stretches.at(-1);
    if (last?.role === role) last.to = index + 1;
    else stretches.push({ role, from: index + 1, to: index + 1 });
  });
  return stretches.filter(({ from, to }) => to - from + 1 >= least);
}

/**
 * 'writing up to step 39, reading from step 40 to 50, and writing from step 51 on'.
 *
 * @param {ReturnType<typeof steadyLeads>} leads @param {number} steps All steps. @param {Record<string, string>} names
 */
export function leadsInWords(leads, steps, names) {
  if (leads.length === 0) return 'no role for long';
  const parts = leads.map(({ role, from, to }) => {
    const name = names[role];
    if (from === 1 && to === steps) return `${name} in every step`;
    if (from === 1) return `${name} up to step ${to}`;
    if (to === steps) return `${name} from step ${from} on`;
    return `${name} from step ${from} to ${to}`;
  });
  if (parts.length < 3) return parts.join(', then ');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}
