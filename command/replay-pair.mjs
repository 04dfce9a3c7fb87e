// The link of a figure that trains a tied and an untied model for a seed, and measures them on the way: the same once more, in Node.
import { readPairLink, trainPair } from './command-parts.js';
import { hashOfWeights } from './experiment-runner.js';
import { exitCodes, ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { Progress } from './progress.mjs';
import { Stop } from './stop.mjs';
import { bold, columns, grouped } from './style.mjs';
import { createLab, loadCore } from './tied-embeddings.js';

/** Of the progress that the figure tells as a fraction. */
const progressSteps = 1000;

/**
 * @typedef {import('./command-parts.js').LinkedPair} LinkedPair
 * @typedef {{ step: number, drawn: Record<string, number | null>, report: object, weights: string }} Moment
 * @typedef {{ name: string, moments: Moment[] }} Model
 */

/**
 * @param {{ name: string, attributes: ReadonlyMap<string, string> }} link
 * @param {import('./declare.mjs').Given['flags']} flags
 */
export async function replayPair({ name, attributes }, flags) {
  const linked = readLink(name, attributes);
  for (const flag of ['text', 'pytorch']) {
    if (flags[flag] !== undefined) {
      throw new Refusal(
        `--${flag} was given; expected none: that is for links of training labs, and '${name}' is a figure of ${linked.name}`,
      );
    }
  }
  const { version, simd } = await loadCore();
  const models = await measure(linked, flags.quiet !== true);
  const { seed, steps } = linked;
  const result = { link: Object.fromEntries(attributes), version, engine: `wasm-${simd}`, seed, steps, models };
  process.stdout.write(flags.json === true ? `${JSON.stringify(result, plainArrays)}\n` : inWords(result, linked));
  return exitCodes.done;
}

/** @returns {LinkedPair} */
function readLink(name, attributes) {
  try {
    return readPairLink(attributes);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(`the link to '${name}' cannot be repeated: ${error.message}`);
    throw error;
  }
}

/** By the verbs that the figure calls, in its order. @param {LinkedPair} linked @returns {Promise<Model[]>} */
async function measure({ seed, steps, measure, drawn }, shown) {
  const stop = new Stop();
  const opening = `2 models to step ${grouped(steps.at(-1))}, measured ${steps.length} times`;
  const progress = new Progress({ total: progressSteps, opening, shown });
  let told = 0;
  const onProgress = (fraction) => {
    const done = Math.floor(progressSteps * fraction);
    progress.add(done - told);
    told = done;
  };
  const lab = await createLab();
  try {
    const moment = async (trainer, read, listening) => {
      const report = await measure(trainer, read, listening);
      return { step: trainer.step, drawn: drawn(report), report, weights: await hashOfWeights(trainer) };
    };
    const { reports } = await trainPair(lab, { seed, steps }, moment, { signal: stop.signal, onProgress });
    return Object.entries(reports).map(([name, moments]) => ({ name, moments }));
  } catch (error) {
    if (stop.asked && error.code === 'cancelled') {
      throw new Refusal('stopped; nothing is kept of such a link, the same command begins again', exitCodes.unfinished);
    }
    throw refusalOf(error, undefined, ofTheCaller);
  } finally {
    progress.end();
    lab.dispose();
    stop.release();
  }
}

/** Typed arrays as lists; a number that is not finite, which JSON has no word for, as null. */
const plainArrays = (_, value) => (ArrayBuffer.isView(value) ? Array.from(/** @type {never} */ (value)) : value);

function inWords({ seed, version, models }, { name: figure }) {
  const parts = models.map(({ name, moments }) => {
    const rows = moments.map(({ step, drawn }) => {
      const values = Object.entries(drawn).filter(([, value]) => value !== null);
      return /** @type {[string, string]} */ ([
        `step ${grouped(step)}`,
        values.map(([of, value]) => `${of} ${value}`).join('  '),
      ]);
    });
    return `${bold(name)}\n${columns([...rows, ['SHA-256 of the weights', moments.at(-1).weights]])}`;
  });
  return [`${figure}: seed ${seed}, version ${version}\n`, ...parts].join('\n');
}
