// Links of a figure that compares heads: trains each head, tied and untied, again for the same number of steps.
import { createHash } from 'node:crypto';
import { headModels, openTokens, readHeadsLink } from './command-parts.js';
import { exitCodes, ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { hashOfWeights } from './experiment-runner.js';
import { Progress } from './progress.mjs';
import { checkScript, writeScript } from './pytorch.mjs';
import { ownText } from './replay-measure.mjs';
import { readLink, scriptWords, printResult } from './replay-result.mjs';
import { trainAll } from './replay-run.mjs';
import { RunState } from './run-state.mjs';
import { Stop } from './stop.mjs';
import { bold, columns, grouped } from './style.mjs';
import { createLab, loadCore } from './tied-embeddings.js';

/**
 * @param {string} link
 * @param {{ name: string, attributes: ReadonlyMap<string, string> }} parts
 * @param {import('./declare.mjs').Given['flags']} flags
 */
export async function replayHeads(link, { name, attributes }, flags) {
  const { question, steps, seed } = linkedQuestion(name, attributes, flags.text);
  if (flags.pytorch !== undefined) checkScript(flags.pytorch, { step: steps });
  const { version, simd } = await loadCore();
  const id = createHash('sha256')
    .update(JSON.stringify([version, question]))
    .digest('hex')
    .slice(0, 16);
  const stop = new Stop();
  /** @type {Progress | null} */
  let progress = null;
  try {
    const { starts, text, tokenIds } = await opened(question, stop.signal, flags.text);
    const states = new Map(starts.map((start) => [start.name, new RunState(`replay-${id}-${start.name}.state`, id)]));
    const opening = `${starts.length} models to step ${grouped(steps)}, ${grouped(text.tokens)} tokens, ${grouped(text.vocabSize)} in the vocabulary`;
    progress = new Progress({ total: starts.length * steps, opening, shown: flags.quiet !== true });
    const models = await trainAll(starts, steps, { stateOf: (of) => states.get(of), stop, progress });
    progress.end();
    const run = { model: /** @type {const} */ ('heads'), step: steps };
    const files =
      flags.pytorch === undefined
        ? []
        : [flags.pytorch, writeScript(flags.pytorch, link, run, { starts, tokenIds }, models)];
    for (const state of states.values()) state.remove();
    const found = { text, seed, step: steps, models };
    return printResult({ attributes, version, simd, found, files, json: flags.json }, inWords);
  } catch (error) {
    progress?.end();
    if (stop.asked && error.code === 'cancelled') {
      throw new Refusal('stopped before the first step; run the same command to start again', exitCodes.unfinished);
    }
    throw error instanceof Refusal ? error : refusalOf(error, undefined, ofTheCaller);
  } finally {
    stop.release();
  }
}

/** @param {string | undefined} file */
function linkedQuestion(name, attributes, file) {
  const linked = readLink(name, () => readHeadsLink(attributes));
  const { own, steps, seed } = linked;
  if (own && file === undefined) {
    throw new Refusal("the link is to a reader's own text, which it does not contain; expected --text FILE");
  }
  if (!own && file !== undefined) {
    throw new Refusal('--text was given; expected none, since the link names its text, stories');
  }
  return { steps, seed, question: linked.question(own ? ownText(file) : null) };
}

/** The models before their first step, as the figure creates them. @param {string | undefined} file */
async function opened(question, signal, file) {
  const lab = await createLab();
  try {
    const tokens = await openTokens(lab, question, signal);
    if (tokens === null) {
      throw new Refusal(`${file ?? 'the text of the link'} is too short: too few of its tokens can be held out`);
    }
    const { vocabSize, trained, validation } = tokens;
    const starts = [];
    for (const { head, tying, options } of headModels(question, tokens)) {
      const trainer = await lab.createTrainer(options);
      const { model, training } = trainer;
      const name = `${head}-${tying}`;
      starts.push({
        ...{ name, model: await trainer.save(), weights: await hashOfWeights(trainer), options: { model, training } },
      });
      trainer.dispose();
    }
    const text = { tokens: trained.length, heldOutTokens: validation.length, vocabSize };
    return { starts, text, tokenIds: trained };
  } finally {
    lab.dispose();
  }
}

function inWords({ text, seed, step, models, version, files }) {
  const parts = models.map(({ name, parameters, losses, evaluation, weights }) => {
    const { loss, tokens, lostTokens = 0 } = evaluation;
    /** @type {[string, string][]} */
    const rows = [
      ['parameters', grouped(parameters)],
      ['loss on held-out text', `${loss} nats per token`],
      ...(lostTokens === 0
        ? []
        : /** @type {[string, string][]} */ ([
            ['tokens that cannot be predicted', `${lostTokens} of ${tokens + lostTokens} tokens`],
          ])),
      [`loss on the data of step ${losses.length}`, `${losses.at(-1)} nats per token`],
      ['SHA-256 of the weights', weights],
    ];
    return `${bold(name)}\n${columns(rows)}`;
  });
  return [
    `heads: seed ${seed}, step ${step}, vocabulary ${grouped(text.vocabSize)}, version ${version}\n`,
    ...parts,
    ...scriptWords(files),
  ].join('\n');
}
