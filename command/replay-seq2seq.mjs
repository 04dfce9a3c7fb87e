// Links of a figure that trains encoder-decoders: trains the same models again, in Node.
import { measureModel, openModels, readSeq2seqLink, TooFewPairs, trainModel } from './command-parts.js';
import { hashOfWeights } from './experiment-runner.js';
import { exitCodes, ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { Progress } from './progress.mjs';
import { checkScript, writeScript } from './pytorch.mjs';
import { ownText } from './replay-measure.mjs';
import { readLink, scriptWords, printResult } from './replay-result.mjs';
import { Stop } from './stop.mjs';
import { bold, columns, grouped } from './style.mjs';
import { createLab, loadCore } from './tied-embeddings.js';

/** Steps between two checks whether to stop. */
const stepsAtATime = 20;

/**
 * @param {string} link
 * @param {{ name: string, attributes: ReadonlyMap<string, string> }} parts
 * @param {import('./declare.mjs').Given['flags']} flags
 */
export async function replayTranslators(link, { name, attributes }, flags) {
  if (flags.pytorch !== undefined) checkScript(flags.pytorch, { step: 1 });
  const { plan, steps } = linkedPlan(name, attributes, flags.text);
  const { version, simd } = await loadCore();
  const stop = new Stop();
  const lab = await createLab();
  const count = plan.tyings.length;
  const opening = `${count} ${count === 1 ? 'model' : 'models'} to step ${grouped(steps)}`;
  /** @type {Progress | null} */
  let progress = null;
  try {
    const { about, models, trained: pairsRead } = await openPairs(lab, plan, flags.text);
    const starts = flags.pytorch === undefined ? [] : await Promise.all(models.map(startOf));
    /** @type {number[][]} */
    const losses = models.map(() => []);
    progress = new Progress({ total: count * steps, opening, shown: flags.quiet !== true });
    // Models in different workers train at the same time.
    const trained = await Promise.all(
      models.map(async (model, at) => {
        for (let step = 0; step < steps; step = model.trainer.step) {
          if (stop.asked) throw stopped();
          const next = Math.min(steps, step + stepsAtATime);
          losses[at].push(...Array.from(await trainModel(model, next)));
          progress?.add(next - step, model.tying);
        }
        return resultOf(lab, model, steps, about.examples);
      }),
    );
    progress.end();
    const { vocabSize, heldOut, leftOut, examples } = about;
    const pairs = { heldOut, leftOut, vocabSize };
    const run = { model: /** @type {const} */ ('encoder-decoder'), step: steps };
    const named = models.map(({ tying }, at) => ({ name: tying, losses: losses[at] }));
    const opened = { starts, tokenIds: numbersOf(pairsRead) };
    const files =
      flags.pytorch === undefined ? [] : [flags.pytorch, writeScript(flags.pytorch, link, run, opened, named)];
    const found = { pairs, seed: plan.seed, step: steps, models: trained };
    return printResult({ attributes, version, simd, found, files, json: flags.json }, (result) =>
      inWords(result, plan.task, examples),
    );
  } catch (error) {
    progress?.end();
    throw error instanceof Refusal ? error : refusalOf(error, undefined, ofTheCaller);
  } finally {
    stop.release();
    lab.dispose();
  }
}

/** The models; a refusal of the reader's own pairs names their file. */
async function openPairs(lab, plan, file) {
  try {
    return await openModels(lab, plan);
  } catch (error) {
    if (error instanceof TooFewPairs)
      throw new Refusal(`${file} has too few pairs: some are trained on, others held out`);
    if (file !== undefined && error.code === 'invalid-argument') throw new Refusal(`${file}: ${error.message}`);
    throw error;
  }
}

/** @returns {Pick<import('./command-parts.js').LinkedTranslators, 'plan' | 'steps'>} */
function linkedPlan(name, attributes, file) {
  const { plan, own, steps } = readLink(name, () => readSeq2seqLink(attributes));
  if (own === (file !== undefined)) return { plan: own ? { ...plan, lines: ownText(file) } : plan, steps };
  throw new Refusal(
    own
      ? "the link is to a reader's own pairs, which it does not contain; expected --text FILE"
      : `--text was given; expected none, since the link names its task, ${plan.task}`,
  );
}

const stopped = () =>
  new Refusal('stopped; links of this kind cannot be resumed, so the same command starts again', exitCodes.unfinished);

/** A model before its first step, for a PyTorch script. @param {import('./command-parts.js').TranslatorModel} model */
async function startOf({ tying, trainer }) {
  const { model, training } = trainer;
  return { name: tying, model: new Uint8Array(), weights: await hashOfWeights(trainer), options: { model, training } };
}

/** For each pair, the lengths of its source and its target, then their tokens. */
function numbersOf({ source, target }) {
  return Uint16Array.from(
    source.flatMap((ids, i) => [ids.length, target[i].length, ...Array.from(ids), ...Array.from(target[i])]),
  );
}

async function resultOf(lab, model, steps, examples) {
  const { tying, trainer, parameters, tableParameters, norms } = model;
  const measured = await measureModel(lab, model, steps, examples);
  const { loss, exactMatch, characterErrorRate, drift, alignment, written } = measured;
  return {
    tying,
    parameters,
    tableParameters,
    ...{ loss, exactMatch, characterErrorRate, drift, alignment },
    written: written.map(({ text }) => text),
    norms,
    weights: await hashOfWeights(trainer),
  };
}

const tables = { all: 'one table', decoder: 'two tables', none: 'three tables' };

function inWords({ version, pairs, seed, step, models, files }, task, examples) {
  const parts = models.map(
    ({
      tying,
      parameters,
      tableParameters,
      loss,
      exactMatch,
      characterErrorRate,
      drift,
      alignment,
      written,
      weights,
    }) => {
      /** @type {[string, string][]} */
      const rows = [
        ['parameters', `${grouped(parameters)}, of which tables ${grouped(tableParameters)}`],
        [`loss on ${grouped(pairs.heldOut)} held-out pairs`, `${loss} nats per token`],
        ['exact match', String(exactMatch)],
        ['character error rate', String(characterErrorRate)],
        ['drift of the tables', `encoder ${drift.encoder}, decoder's input ${drift.input}, output ${drift.output}`],
        ...Object.entries(alignment).map(
          ([pair, { cosine, chance }]) =>
            /** @type {[string, string]} */ ([
              `mean cosine, ${pair}`,
              `${cosine}, by chance ${chance.least} to ${chance.most}`,
            ]),
        ),
        ...examples.map(({ source }, i) => /** @type {[string, string]} */ ([source, written[i]])),
        ['SHA-256 of the weights', weights],
      ];
      return `${bold(tables[tying])}\n${columns(rows)}`;
    },
  );
  return [`${task}: seed ${seed}, step ${step}, version ${version}\n`, ...parts, ...scriptWords(files)].join('\n');
}
