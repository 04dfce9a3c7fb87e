// check A B ...: compares checkpoints, such as steps of one training run.
import { basename } from 'node:path';
import { withCheckpoint } from './checkpoint.mjs';
import { exitCodes, Refusal } from './exit-codes.mjs';
import { Progress } from './progress.mjs';

/** Flags for a single checkpoint only. */
const notWithSeveral = ['worst', 'tables', 'text', 'tokenizer'];
/** Progress steps of a comparison, whose progress is reported as a fraction. */
const steps = 1000;

/** @param {import('./tied-embeddings.js').Core} core @param {string[]} places @param {Record<string, any>} flags */
export async function compareCheckpoints(core, places, flags) {
  const other = notWithSeveral.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw new Refusal(`--${other} was given; expected none with several checkpoints`);
  const { embedding, unembedding, against } = flags;
  const how = { embedding, unembedding, wholeFile: flags['whole-file'] === true };
  const progress = new Progress({ total: steps, opening: 'reading the rows', shown: flags.quiet !== true });
  let reported = 0;
  const onProgress = (fraction) => {
    const done = Math.floor(steps * fraction);
    progress.add(done - reported);
    reported = done;
  };
  const options = { names: namesOf(places), onProgress, ...(against === undefined ? {} : { against }) };
  /** @type {import('../web/core/types.js').Checkpoint[]} */
  const opened = [];
  const opening = async () => {
    const place = places[opened.length];
    if (place === undefined) return opened[0].compareWith(opened.slice(1), options);
    return withCheckpoint(core, place, how, (checkpoint) => {
      opened.push(checkpoint);
      return opening();
    });
  };
  try {
    const { data, markdown } = await opening();
    process.stdout.write(flags.json === true ? `${JSON.stringify(data)}\n` : `${markdown}\n`);
    return exitCodes.done;
  } finally {
    progress.end();
  }
}

/** File names without folders, if they still differ. */
function namesOf(places) {
  const short = places.map((place) => basename(place));
  return new Set(short).size === places.length ? short : places;
}
