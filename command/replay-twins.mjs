// Links of a figure that trains a tied and an untied model from a seed and measures them along the way. Repeats it in Node.
import { readTwinLink, trainTwins } from './command-parts.js';
import { hashOfWeights } from './experiment-runner.js';
import { exitCodes, ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { Progress } from './progress.mjs';
import { checkScript, writeScript } from './pytorch.mjs';
import { readLink, scriptWords, printResult } from './replay-result.mjs';
import { Stop } from './stop.mjs';
import { bold, columns, grouped } from './style.mjs';
import { createLab, loadCore } from './tied-embeddings.js';

/** Progress steps of a measurement, whose progress the figure reports as a fraction. */
const progressSteps = 1000;

/**
 * @typedef {import('./command-parts.js').LinkedTwins} LinkedTwins
 * @typedef {{ step: number, drawn: Record<string, number | null>, report: object, weights: string }} Moment
 * @typedef {{ name: string, moments: Moment[] }} Model
 * @typedef {Pick<import('./replay-run.mjs').Opened, 'starts' | 'tokenIds'>} Opened The models before their first step, and their training data.
 */

/**
 * @param {string} link
 * @param {{ name: string, attributes: ReadonlyMap<string, string> }} parts
 * @param {import('./declare.mjs').Given['flags']} flags
 */
export async function replayTwins(link, { name, attributes }, flags) {
  const linked = readLink(name, () => readTwinLink(attributes));
  const { seed, steps } = linked;
  if (flags.text !== undefined) {
    throw new Refusal(
      `--text was given; expected none, since the models of '${name}' are trained on generated stories`,
    );
  }
  const run = { model: /** @type {const} */ ('transformer'), step: steps.at(-1) };
  if (flags.pytorch !== undefined) checkScript(flags.pytorch, run);
  const { version, simd } = await loadCore();
  const stop = new Stop();
  try {
    const { models, opened, trained } = await measure(linked, flags.quiet !== true, stop);
    const files =
      flags.pytorch === undefined ? [] : [flags.pytorch, writeScript(flags.pytorch, link, run, opened, trained)];
    const found = { seed, steps, models };
    return printResult({ attributes, version, simd, found, files, json: flags.json }, (result) =>
      inWords(result, linked),
    );
  } finally {
    stop.release();
  }
}

/**
 * Calls the same verbs as the figure, in the same order.
 * @param {LinkedTwins} linked @param {Stop} stop
 * @returns {Promise<{ models: Model[], opened: Opened, trained: { name: string, losses: number[] }[] }>}
 */
async function measure({ seed, steps, measure, drawn }, shown, stop) {
  const opening = `2 models to step ${grouped(steps.at(-1))}, measured ${steps.length} times`;
  const progress = new Progress({ total: progressSteps, opening, shown });
  let reported = 0;
  const onProgress = (fraction) => {
    const done = Math.floor(progressSteps * fraction);
    progress.add(done - reported);
    reported = done;
  };
  const lab = await createLab();
  /** @type {Opened} */
  const opened = { starts: [], tokenIds: new Uint32Array() };
  try {
    const moment = async (trainer, read, listening) => {
      const weights = await hashOfWeights(trainer);
      if (trainer.step === 0) {
        const { model, training } = trainer;
        opened.starts.push({ name: model.tying, model: await trainer.save(), weights, options: { model, training } });
        opened.tokenIds = read.trained;
      }
      const report = await measure(trainer, read, listening);
      return { step: trainer.step, drawn: drawn(report), report, weights };
    };
    const { reports, losses } = await trainTwins(lab, { seed, steps }, moment, { signal: stop.signal, onProgress });
    return {
      models: Object.entries(reports).map(([name, moments]) => ({ name, moments })),
      opened,
      trained: Object.entries(losses).map(([name, losses]) => ({ name, losses })),
    };
  } catch (error) {
    if (stop.asked && error.code === 'cancelled') throw stopped();
    throw refusalOf(error, undefined, ofTheCaller);
  } finally {
    progress.end();
    lab.dispose();
  }
}

const stopped = () =>
  new Refusal('stopped; links of this kind cannot be resumed, so the same command starts again', exitCodes.unfinished);

function inWords({ seed, version, models, files }, { name: figure }) {
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
  return [`${figure}: seed ${seed}, version ${version}\n`, ...parts, ...scriptWords(files)].join('\n');
}
