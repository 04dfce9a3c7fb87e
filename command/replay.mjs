// replay: repeats in Node the run that a figure's link leads to.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isHeadsLink, isTwinLink, isRunLink, isSeq2seqLink, partsOfLink, readRunLink } from './command-parts.js';
import { common } from './declare.mjs';
import { exitCodes, ofTheCaller, Refusal, refusalOf } from './exit-codes.mjs';
import { Progress } from './progress.mjs';
import { checkScript, writeScript } from './pytorch.mjs';
import { replayHeads } from './replay-heads.mjs';
import { isMeasureLink, ownText, replayMeasure } from './replay-measure.mjs';
import { replayTwins } from './replay-twins.mjs';
import { readLink, scriptWords, printResult } from './replay-result.mjs';
import { openRun, trainAll } from './replay-run.mjs';
import { replayTranslators } from './replay-seq2seq.mjs';
import { RunState } from './run-state.mjs';
import { Stop } from './stop.mjs';
import { bold, columns, grouped } from './style.mjs';
import { loadCore } from './tied-embeddings.js';

/** @type {import('./declare.mjs').Verb} */
export const replay = {
  name: 'replay',
  summary: "repeat a figure's run from its link, to the same bits",
  about:
    "Trains the models of a training lab's link (Copy link) up to the step in the link, as the figure does: the same weights, the same losses. " +
    'For a figure that measures the direct paths or the gradients of a pair of models, it trains that pair and reports what the figure draws. For one that trains encoder-decoders (task=) or compares heads (by=), it trains those, all for the same number of steps. For one that measures ' +
    'trained models (--models) or the pairs of a text, it measures them. ' +
    'Ctrl-C, SIGTERM, SIGUSR1 and SIGUSR2 save in replay-ID-MODEL.state and exit with 75; the same command resumes, even after kill -9.',
  operands: [{ name: 'LINK', kind: 'text' }],
  flags: {
    text: {
      kind: 'file',
      summary: "the text or the pairs, for a link to a run on a reader's own text or pairs, which links do not contain",
    },
    models: {
      kind: 'file',
      summary: "the file of a figure's trained models, or its URL, for a link to a figure that measures them",
    },
    pytorch: {
      kind: 'file',
      summary:
        'write a script (NAME.py) that trains or measures the same in PyTorch and compares, and its data beside it',
    },
    quiet: common.quiet,
    json: { kind: 'switch', summary: 'the result on stdout, as JSON, with the loss of every step' },
  },
  examples: [
    "npx tied-embeddings replay 'https://example.org/#tied=lab&arms=tied+untied&seed=2&at-step=100'",
    "npx tied-embeddings replay '#tied=gpt&model=transformer&arms=tied+untied&steps=200' --pytorch gpt.py",
    "npx tied-embeddings replay '#tied=paths&measure=correlation&seed=2' --json",
    "npx tied-embeddings replay '#tied=three-tables&task=reversal&seed=2' --pytorch tables.py",
    "npx tied-embeddings replay '#tied=heads&by=steps&steps=100' --json",
    "npx tied-embeddings replay '#tied=whose&method=linear' --models finished-transformers.safetensors",
    "npx tied-embeddings replay '#tied=lab&text-source=own&arms=tied+untied' --text book.txt --json",
  ],
  run,
};

/** @param {import('./declare.mjs').Given} given */
async function run({ flags, operands: [link] }) {
  const parts = linkParts(link);
  // Its text and its tokenizer would otherwise mark it as a figure that measures a text.
  const ofHeads = isHeadsLink(parts.attributes);
  if (!ofHeads && isMeasureLink(parts.attributes)) return replayMeasure(link, parts, flags);
  if (flags.models !== undefined) {
    throw new Refusal('--models was given; expected none, since the figure of the link trains its models');
  }
  if (isTwinLink(parts.attributes)) return replayTwins(link, parts, flags);
  if (ofHeads) return replayHeads(link, parts, flags);
  if (isSeq2seqLink(parts.attributes)) return replayTranslators(link, parts, flags);
  const { linked, attributes } = linkedRun(parts, flags.text);
  if (flags.pytorch !== undefined) checkScript(flags.pytorch, linked);
  const { version, simd } = await loadCore();
  const { step, settings, source } = linked;
  const own = source.kind === 'own' ? source.text : '';
  const id = createHash('sha256')
    .update(JSON.stringify([version, [...attributes].sort(), own]))
    .digest('hex')
    .slice(0, 16);
  const stop = new Stop();
  let progress = null;
  try {
    const opened = await openRun(linked, stop.signal);
    const { starts, text } = opened;
    const states = new Map(starts.map(({ name }) => [name, new RunState(`replay-${id}-${name}.state`, id)]));
    const opening = `${starts.length} ${starts.length === 1 ? 'model' : 'models'} to step ${grouped(step)}, ${grouped(text.tokens)} tokens, ${grouped(text.vocabSize)} in the vocabulary`;
    progress = new Progress({ total: starts.length * step, opening, shown: flags.quiet !== true });
    const trained = await trainAll(starts, step, { stateOf: (name) => states.get(name), stop, progress });
    progress.end();
    const files =
      flags.pytorch === undefined ? [] : [flags.pytorch, writeScript(flags.pytorch, link, linked, opened, trained)];
    for (const state of states.values()) state.remove();
    const found = { text, seed: settings.seed, step, plannedSteps: settings.steps, models: trained };
    return printResult({ attributes, version, simd, found, files, json: flags.json }, (result) =>
      inWords(result, linked),
    );
  } catch (error) {
    progress?.end();
    if (stop.asked && error.code === 'cancelled') {
      throw new Refusal('stopped before the first step; run the same command to start again', exitCodes.unfinished);
    }
    if (error.name === 'TextError') throw new Refusal(inOneLine(error, flags.text));
    throw refusalOf(error, undefined, ofTheCaller);
  } finally {
    stop.release();
  }
}

/** @param {string} link */
function linkParts(link) {
  const parts = partsOfLink(link);
  if (parts === null) {
    throw new Refusal(`'${link}' is not a link of a figure; expected a URL that ends with #tied=..., in quotes`);
  }
  if (parts.attributes.size === 0) {
    throw new Refusal(
      `the link ends after tied=${parts.name}; expected the whole link, in quotes, because the shell splits it at &`,
    );
  }
  return parts;
}

/** @param {{ name: string, attributes: ReadonlyMap<string, string> }} link @param {string | undefined} file */
function linkedRun({ name, attributes }, file) {
  if (!isRunLink(attributes)) {
    throw new Refusal(
      `the link is to the figure '${name}', which neither trains nor measures by itself; the links that can be repeated are those of training labs (arms=), ` +
        'of figures that train models and measure their direct paths (measure=) or gradients (definition=), that train encoder-decoders (task=) or heads (by=), and of figures that measure alignment ' +
        '(method=), hidden states (target=), lenses (lens=) or pairs of a text (text-source=); for experiments, use experiment run',
    );
  }
  const linked = readLink(name, () => readRunLink(attributes));
  if (linked.source !== null && file !== undefined) {
    throw new Refusal(`--text was given; expected none, since the link names its text, ${linked.source.kind}`);
  }
  if (linked.source !== null) return { linked, attributes };
  if (file === undefined) {
    throw new Refusal("the link is to a run on a reader's own text, which it does not contain; expected --text FILE");
  }
  return { linked: { ...linked, source: { kind: 'own', name: basename(file), text: ownText(file) } }, attributes };
}

function inOneLine({ problem, detail }, file) {
  const what = file === undefined ? 'the text of the link' : file;
  if (problem === 'empty-text') return `${what} is empty`;
  return `${what} has only one token, '${detail}'; expected at least two different ones`;
}

function inWords({ text, seed, step, plannedSteps, models, version, files }, { viewStep, source }) {
  const parts = models.map(({ name, parameters, losses, evaluation, weights }) => {
    /** @type {[string, string][]} */
    const rows = [
      ['parameters', grouped(parameters)],
      [text.heldOutTokens > 0 ? 'loss on held-out text' : 'loss on the text', nats(evaluation.loss)],
      ...(losses.length === 0
        ? []
        : /** @type {[string, string][]} */ ([[`loss on the data of step ${losses.length}`, nats(losses.at(-1))]])),
      ...(viewStep === null || losses[viewStep] === undefined
        ? []
        : /** @type {[string, string][]} */ ([[`loss after ${viewStep} steps`, nats(losses[viewStep])]])),
      ['SHA-256 of the weights', weights],
    ];
    return `${bold(name)}\n${columns(rows)}`;
  });
  const heading = `${text.name ?? source.kind}: seed ${seed}, step ${step} of ${plannedSteps}, version ${version}\n`;
  return [heading, ...parts, ...scriptWords(files)].join('\n');
}

const nats = (loss) => `${loss} nats per token`;
