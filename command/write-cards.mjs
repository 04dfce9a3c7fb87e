// check --card: identity cards of one or several checkpoints.
import { inMarkdown, unmeasuredMarkdown } from './command-parts.js';
import { withCheckpoint } from './checkpoint.mjs';
import { exitCodes, Refusal, refusalOf } from './exit-codes.mjs';
import { whyNotMeasured } from './measure-tables.mjs';
import { Progress } from './progress.mjs';
import { complain } from './style.mjs';

/** Progress steps of a card, whose progress is reported as a fraction. */
const steps = 1000;

/**
 * Files that cannot be read get a line on stderr instead of a card; the exit code then is that of the first of them.
 * @param {import('./tied-embeddings.js').Core} core @param {readonly string[]} places @param {Record<string, any>} flags
 */
export async function writeCards(core, places, flags) {
  const isOne = places.length === 1;
  /** @type {{ place: string, data: object, markdown: string }[]} */
  const cards = [];
  /** @type {Refusal[]} */
  const refusals = [];
  for (const place of places) {
    try {
      cards.push({ place, ...(await cardOf(core, place, flags)) });
    } catch (error) {
      const refusal = refusalOf(error, place);
      if (isOne || !(refusal instanceof Refusal)) throw error;
      refusals.push(refusal);
    }
  }
  if (flags.json === true) {
    const data = isOne ? cards[0].data : cards.map((card) => ({ file: card.place, ...card.data }));
    process.stdout.write(`${JSON.stringify(data)}\n`);
  } else if (cards.length > 0) {
    const texts = cards.map(({ markdown, place }) => (isOne ? markdown : `### ${inMarkdown(place)}\n\n${markdown}`));
    process.stdout.write(`${texts.join('\n\n')}\n`);
  }
  for (const { message } of refusals) complain(message);
  return refusals.length > 0 ? refusals[0].exitCode : exitCodes.done;
}

/** @param {import('./tied-embeddings.js').Core} core @param {string} place @param {Record<string, any>} flags */
function cardOf(core, place, { embedding, unembedding, quiet, 'whole-file': wholeFile }) {
  const how = { embedding, unembedding, wholeFile: wholeFile === true };
  return withCheckpoint(core, place, how, async (checkpoint) => {
    const progress = new Progress({ total: steps, opening: 'reading the rows', shown: quiet !== true });
    let reported = 0;
    const onProgress = (fraction) => {
      const done = Math.floor(steps * fraction);
      progress.add(done - reported);
      reported = done;
    };
    try {
      return await checkpoint.identityCard({ onProgress });
    } catch (error) {
      const why = whyNotMeasured(error);
      if (why === null) throw error;
      const { format, tying, tables, leftOut } = checkpoint;
      return {
        data: { format, tying, leftOut, tables, notMeasured: why },
        markdown: unmeasuredMarkdown({ format, tying, tables }, why),
      };
    } finally {
      progress.end();
    }
  });
}
