/** What is asked of each lab once, however many figures show it. Failures are not kept. */
export function oncePerLab<Lab extends object, Answer>(
  ask: (lab: Lab) => Promise<Answer>,
): (lab: Lab) => Promise<Answer> {
  const known = new WeakMap<Lab, Promise<Answer>>();
  return (lab) => {
    const before = known.get(lab);
    if (before !== undefined) return before;
    const answer = ask(lab);
    known.set(lab, answer);
    answer.catch(() => known.delete(lab));
    return answer;
  };
}
