// check --card: identity cards of one or several checkpoints.
import { inMarkdown } from './command-parts.js';
import { withCheckpoint } from './checkpoint.mjs';
import { exitCodes } from './exit-codes.mjs';
import { Progress } from './progress.mjs';

/** Progress steps of a card, whose progress is reported as a fraction. */
const steps = 1000;

/** @param {import('./tied-embeddings.js').Core} core @param {readonly string[]} places @param {Record<string, any>} flags */
export async function writeCards(core, places, flags) {
  const cards = [];
  for (const place of places) cards.push(await cardOf(core, place, flags));
  const isOne = places.length === 1;
  if (flags.json === true) {
    const data = isOne ? cards[0].data : cards.map((card, at) => ({ file: places[at], ...card.data }));
    process.stdout.write(`${JSON.stringify(data)}\n`);
  } else {
    const texts = cards.map(({ markdown }, at) => (isOne ? markdown : `### ${inMarkdown(places[at])}\n\n${markdown}`));
    process.stdout.write(`${texts.join('\n\n')}\n`);
  }
  return exitCodes.done;
}

/** @param {import('./tied-embeddings.js').Core} core @param {string} place @param {Record<string, any>} flags */
function cardOf(core, place, { embedding, unembedding, quiet, 'whole-file': wholeFile }) {
  const how = { embedding, unembedding, wholeFile: wholeFile === true };
  return withCheckpoint(core, place, how, async (checkpoint) => {
    const progress = new Progress({ total: steps, opening: 'reading the rows', shown: quiet !== true });
    let told = 0;
    const onProgress = (fraction) => {
      const done = Math.floor(steps * fraction);
      progress.add(done - told);
      told = done;
    };
    try {
      return await checkpoint.identityCard({ onProgress });
    } finally {
      progress.end();
    }
  });
}
