/** When a trainer asks for partners, and how long it keeps them. Tests put other values in place of these. */
export const PATIENCE = {
  /** The first calls of a trainer, which take longer than those to come. */
  warmUp: 4,
  /** Time of its steps alone before it asks: a short run is over by then. */
  aloneMs: 300,
  /** The shortest step that is worth sharing: an exchange takes a few tenths of a millisecond. */
  stepMs: 2,
  /** Time between two requests; the factor by which it grows when partners were of no use. */
  pauseMs: 1000,
  growth: 8,
  /** Steps after which the time with partners is compared with that without. */
  trial: 32,
  /** Partners of a trainer that does no step for this long are let go. */
  idleMs: 5000,
  /** A partner counts as hung after this long, or after as many times the time of an own share, in ticks of this length. */
  hungMs: 10_000,
  hungShares: 100,
  tickMs: 250,
};
