// Links of a figure that measures without training: the models of a file, or the pairs of a text. Repeats it in Node.
import { basename } from 'node:path';
import {
  decodeText,
  fetchModels,
  isBigramsLink,
  isModelsLink,
  readBigramsLink,
  readModelsLink,
} from './command-parts.js';
import { exitCodes, ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { readBytes } from './files.mjs';
import { Progress } from './progress.mjs';
import { checkMeasureScript, writeMeasureScript } from './pytorch-measure.mjs';
import { readLink, scriptWords, printResult } from './replay-result.mjs';
import { Stop } from './stop.mjs';
import { bold, columns, grouped } from './style.mjs';
import { createLab, loadCore } from './tied-embeddings.js';

/** Progress steps of a measurement, whose progress is reported as a fraction. */
const progressSteps = 1000;

/**
 * @typedef {import('./tied-embeddings.js').Lab} Lab
 * @typedef {import('./command-parts.js').Listening} Listening
 * @typedef {import('./command-parts.js').Measurement} Measurement
 */

/** @param {ReadonlyMap<string, string>} attributes */
export const isMeasureLink = (attributes) => isModelsLink(attributes) || isBigramsLink(attributes);

/**
 * @param {string} link
 * @param {{ name: string, attributes: ReadonlyMap<string, string> }} parts
 * @param {import('./declare.mjs').Given['flags']} flags
 */
export async function replayMeasure(link, { name, attributes }, flags) {
  if (flags.pytorch !== undefined) checkMeasureScript(flags.pytorch);
  const { figure, read, act } = (isModelsLink(attributes) ? ofModels : ofText)(name, attributes, flags);
  const stop = new Stop();
  try {
    const given = await read(stop);
    const { version, simd } = await loadCore();
    const found = await inLab(`${figure}, measured again`, flags.quiet !== true, stop, (...reported) =>
      act(given, ...reported),
    );
    if (found === null) throw new Refusal(`the link to '${name}' cannot be repeated: its prompt has too few tokens`);
    const { measured, drawn, anew } = found;
    const files =
      flags.pytorch === undefined ? [] : writeMeasureScript(flags.pytorch, link, anew, /** @type {any} */ (given));
    const reported = { attributes, version, simd, found: { drawn, measured }, files, json: flags.json };
    return printResult(reported, (result) => inWords(figure, result));
  } finally {
    stop.release();
  }
}

/** @param {import('./declare.mjs').Given['flags']} flags */
function ofModels(name, attributes, flags) {
  const { models, text } = flags;
  const { name: figure, measure } = readLink(name, () => readModelsLink(attributes));
  if (text !== undefined)
    throw new Refusal(`--text was given; expected none, since the figure '${name}' measures models`);
  if (models === undefined) {
    throw new Refusal(
      `the figure '${name}' measures trained models, which are not in its link; expected --models with their file or its URL, such as the weights= ` +
        'of the figure on its page',
    );
  }
  return {
    figure,
    read: (stop) => bytesOf(models, stop),
    act: (file, lab, listening) => measure(lab, file, listening),
  };
}

/** @param {string} from @param {Stop} stop */
async function bytesOf(from, stop) {
  if (!/^https?:/i.test(from)) return readBytes(from);
  try {
    return await fetchModels(from, { signal: stop.signal, onBytes() {} });
  } catch (error) {
    if (stop.asked) throw stopped();
    if (error.name !== 'ModelsFileError') throw error;
    throw new Refusal(`${from} cannot be read: ${error.reason}`);
  }
}

/** @param {import('./declare.mjs').Given['flags']} flags */
function ofText(name, attributes, flags) {
  const { models, text } = flags;
  const { name: figure, own, measure } = readLink(name, () => readBigramsLink(attributes));
  if (models !== undefined)
    throw new Refusal(`--models was given; expected none, since the figure '${name}' measures a text`);
  if (own && text === undefined) {
    throw new Refusal("the link is to a reader's own text, which it does not contain; expected --text FILE");
  }
  if (!own && text !== undefined) {
    throw new Refusal(
      `--text was given; expected none, since the link names its text, ${attributes.get('text-source')}`,
    );
  }
  const read = async () => (own ? { name: basename(text), text: ownText(text) } : null);
  return { figure, read, act: (given, lab, listening) => measure(lab, given, listening) };
}

/** Reads a file as the page does when one is dropped on the figure. */
export function ownText(file) {
  try {
    return decodeText(readBytes(file), basename(file));
  } catch (error) {
    if (error.name !== 'FileError') throw error;
    throw new Refusal(`${file} is ${error.problem}; expected plain text of at most 10 MB`);
  }
}

/**
 * @param {(lab: Lab, listening: Listening) => Promise<Measurement | null>} act
 * @param {Stop} stop
 */
async function inLab(opening, shown, stop, act) {
  const progress = new Progress({ total: progressSteps, opening, shown });
  let reported = 0;
  const onProgress = (fraction) => {
    const done = Math.floor(progressSteps * fraction);
    progress.add(done - reported);
    reported = done;
  };
  const lab = await createLab();
  try {
    return await act(lab, { signal: stop.signal, onProgress });
  } catch (error) {
    if (stop.asked) throw stopped();
    if (error.name === 'ModelsFileError') throw new Refusal(`the models cannot be measured: ${error.reason}`);
    throw refusalOf(error, undefined, ofTheCaller);
  } finally {
    progress.end();
    lab.dispose();
  }
}

const stopped = () => new Refusal('stopped; run the same command to start again', exitCodes.unfinished);

function inWords(figure, { drawn, version, engine, files }) {
  const rows = Object.entries(drawn)
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) =>
        /** @type {[string, string]} */ ([name, Number.isInteger(value) ? grouped(value) : String(value)]),
    );
  return `${bold(figure)}: version ${version}, ${engine}\n${columns(rows)}${scriptWords(files).join('')}`;
}
