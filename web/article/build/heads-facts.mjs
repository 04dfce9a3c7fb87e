/** The race of heads that the figure shows before the reader trains any, and what the page says about it. */
export function headsFacts(finished, { headIds, pointAt, shareOfTime, shareOfWork, timeOf }) {
  const { arms, steps, costs } = finished;
  const seconds = timeOf(finished);
  const armOf = (head, tying) => arms.find((arm) => arm.head === head && arm.tying === tying);
  const both = (of) => ({ tied: of('tied'), untied: of('untied') });
  const rows = headIds.map((head) => {
    const shares = both((tying) => shareOfTime(finished, { head, tying }));
    return {
      head,
      counted: shareOfWork(costs, head),
      measured: (shares.tied + shares.untied) / 2,
      atSteps: both((tying) => pointAt(armOf(head, tying), 'steps', steps).loss),
      atTime: both((tying) => pointAt(armOf(head, tying), 'time', seconds)),
      lost: armOf(head, 'tied').points.at(-1).lost,
    };
  });
  const of = (head) => rows.find((row) => row.head === head);
  const named = { full: of('full'), clustered: of('clustered'), factorized: of('factorized'), culled: of('culled') };
  return { steps, seconds, rows, ...named };
}
