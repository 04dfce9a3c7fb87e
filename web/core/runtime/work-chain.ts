/** Several pieces of work as one, each begun when the previous ones are done. */
import { within, type Work } from './work.js';

export interface Link {
  /** Share of the chain's work, in any unit. */
  readonly cost: number;
  work(): Work<void>;
}

const rethrow = (error: unknown): void => {
  throw error;
};

/** A link of a chain. `keep` stores its result; `refused` is called with an error instead, and without it errors end the chain. */
export const link = <R>(
  cost: number,
  start: () => Work<R>,
  keep: (result: R) => void,
  refused: (error: unknown) => void = rethrow,
): Link => ({
  cost,
  *work() {
    try {
      keep(yield* start());
    } catch (error) {
      refused(error);
    }
  },
});

/** A link whose result takes a single call. */
export const linkOf = <R>(
  cost: number,
  find: () => R,
  keep: (result: R) => void,
  refused?: (error: unknown) => void,
): Link =>
  link(
    cost,
    // Yields, so that what comes before it is a slice of its own.
    function* () {
      yield 0;
      return find();
    },
    keep,
    refused,
  );

export function* chain(links: readonly Link[]): Work<void> {
  const all = links.reduce((sum, { cost }) => sum + cost, 0);
  let before = 0;
  for (const { cost, work } of links) {
    const from = before;
    yield* within(work(), ({ done }) => (from + done * cost) / all);
    before += cost;
  }
}
