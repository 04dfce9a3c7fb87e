import { rounded } from './rounded.mjs';

/** What the figures about the direction of a text show without scripts. */

/** Lines of the game that are shown of each source. */
const shownLines = 1;
const strongestPairs = 6;

/** Pairs of words by how much more often they occur in one order than in the other. */
function oneWayPairs({ names, all }, { pairsOf }) {
  const pairs = pairsOf(all, names.length);
  const count = (from, to) => pairs[from].get(to) ?? 0;
  return pairs
    .flatMap((row, from) =>
      [...row].map(([to, forward]) => ({ pair: [names[from], names[to]], forward, backward: count(to, from) })),
    )
    .sort((one, other) => other.forward - other.backward - (one.forward - one.backward))
    .slice(0, strongestPairs);
}

/** The losses to four digits, differences to two. */
const lossesOf = ({ losses, spread, moved }) => ({ losses: rounded(losses, 4), spread, moved });

/** @param {{ lab: any, inputs: any }} options */
export async function arrowFacts({ lab, inputs }) {
  const { builtInTexts, wordsOf, Writers, sources, shownWords, characterPairs, floorsOf, runPlan, shares, trainAll } =
    inputs;
  const text = await builtInTexts[0].load();
  const words = wordsOf(text);
  const writers = new Writers(words);
  const lines = sources.flatMap((source) =>
    writers
      .round(source, 1)
      .slice(0, shownLines)
      .map((line) => ({ source, words: shownWords(line).join(' '), direction: line.direction })),
  );
  const pairs = characterPairs(text);
  const [forward, either] = [0, 1 / 2].map((share) => floorsOf(pairs, share));
  let last;
  for await (const moment of trainAll(lab, pairs, 1)) last = moment;
  return {
    lines,
    words: words.all.length,
    pairs: oneWayPairs(words, inputs),
    characters: pairs.size,
    ...runPlan,
    shares,
    forward,
    either,
    price: forward.symmetric - forward.bigram,
    tent: rounded(
      Array.from({ length: 21 }, (_, at) => floorsOf(pairs, at / 20).bigram),
      4,
    ),
    tied: lossesOf(last.tied),
    untied: lossesOf(last.untied),
  };
}
