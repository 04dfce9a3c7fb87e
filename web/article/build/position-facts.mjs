import { entry } from './format.mjs';

const tenth = (value) => value.toFixed(1).replace('-', '−');

/** The first position of the figure that is worked through by hand, for the page without scripts and for its sentences. */
export function positionFacts({ firstPosition, rowOf, work }) {
  const { words, table, read, target } = firstPosition;
  const worked = work(firstPosition);
  const { hidden, back, probabilities } = worked;
  return {
    words,
    read,
    target,
    rows: words.map((_, row) => rowOf(table, row).map((tenths) => tenth(tenths / 10))),
    before: words[read],
    after: words[target],
    given: probabilities[target],
    hidden: hidden.map(tenth).join(', '),
    back: back.map(entry).join(', '),
    worked,
  };
}
