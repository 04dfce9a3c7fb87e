import { TOKENIZER_KINDS } from '../../../web/core/model/options.js';
import type { Comparison, Corpus } from '../../../web/index.js';
import type { Draw } from '../draw.js';
import * as gives from '../shapes.js';
import { model, training } from './models.js';
import { ids, seed, text, transition } from './values.js';
import type { Verbs } from './verb.js';
import { listening } from './listening.js';

/** Arguments of `openCorpus`. A core refuses files; a lab reads them. */
export function corpusOptions(draw: Draw): unknown[] {
  const share = draw.some({ validation: () => draw.of([0, 0.1, 0.5]) }, 0.5);
  const more = { ...share, ...(draw.odds(0.3) ? listening(draw, 'onProgress') : {}) };
  if (draw.odds(0.2)) return [{ transition: transition(draw), length: draw.whole(4, 99), seed: seed(draw) }, more];
  if (draw.odds(0.4)) {
    const vocabSize = draw.whole(2, 9);
    return [ids(draw, vocabSize, 12, 60), { vocabSize, ...more }];
  }
  const some = `ab cd ab ${text(draw)}`;
  const kind = draw.of(TOKENIZER_KINDS);
  const vocabSize = draw.some({ vocabSize: () => (kind === 'bpe' ? draw.whole(256, 300) : draw.whole(2, 30)) });
  const source = draw.odds(0.15) ? new Blob([some]) : some;
  return [source, { ...draw.some({ tokenizer: () => ({ kind, ...vocabSize }) }, 0.7), ...more }];
}

export function compareOptions(draw: Draw, on: Corpus): object {
  const arms = Array.from({ length: draw.whole(1, 3) }, (_, i) => {
    const some: Record<string, unknown> = { ...model(draw, on.vocabSize) };
    const how: Record<string, unknown> = { ...training(draw, some.kind === 'direct-path' && draw.odds(0.5)) };
    // Handles that the corpus and the comparison contain.
    delete some.vocabSize;
    delete how.seed;
    return [`arm ${i}`, { model: some, training: { ...how, ...draw.some({ seed: () => seed(draw) }) } }] as const;
  });
  return {
    arms: Object.fromEntries(arms),
    steps: draw.whole(1, 6),
    ...draw.some({ seed: () => seed(draw), measure: () => ({ every: draw.whole(1, 4) }) }, 0.5),
  };
}

const bounds = gives.record({
  unigram: gives.number,
  bigram: gives.number,
  symmetricLogits: gives.number,
  symmetricLogitsGap: gives.number,
});
export const corpus = gives.record({
  vocabSize: gives.whole,
  tokens: gives.whole,
  validationTokens: gives.whole,
  characters: gives.nullOr(gives.whole),
  bounds: gives.nullOr(bounds),
});

export const irreversibility = gives.record({
  js: gives.number,
  heldOut: gives.number,
  null: gives.record({ mean: gives.number, standardDeviation: gives.number, runs: gives.listOf(gives.number) }),
  mutualInformation: gives.number,
  share: gives.number,
  netFlow: gives.matrix,
});
export const irreversibilityOptions = (draw: Draw): object => ({
  ...draw.some({ nullRuns: () => draw.whole(2, 9), seed: () => seed(draw) }, 0.5),
  ...(draw.odds(0.3) ? listening(draw, 'onProgress') : {}),
});

export const CORPUS_VERBS: Verbs<Corpus> = {
  tokenIds: {
    names: ['part', 'range'],
    args: (draw) => {
      if (draw.odds(0.3)) return [];
      const range = draw.some({ first: () => draw.whole(0, 60), count: () => draw.whole(0, 60) }, 0.5);
      return [draw.of(['training', 'validation']), ...(draw.odds(0.5) ? [range] : [])];
    },
    gives: gives.tokenIds,
  },
  frequencies: { names: [], args: () => [], gives: gives.tokenIds },
  bigrams: { names: [], args: () => [], gives: gives.record({ counts: gives.matrix, total: gives.number }) },
  irreversibility: {
    names: ['options'],
    args: (draw) => (draw.odds(0.3) ? [] : [irreversibilityOptions(draw)]),
    gives: irreversibility,
  },
  nextTokenProbabilities: {
    names: ['options'],
    args: (draw, _, on) => [
      { from: ids(draw, on.vocabSize, 1, 5), ...draw.some({ to: () => ids(draw, on.vocabSize, 1, 5) }, 0.5) },
    ],
    gives: gives.matrix,
  },
  oneWayPairs: {
    names: ['options'],
    args: (draw, _, on) => [
      { count: draw.whole(0, 5), ...draw.some({ without: () => ids(draw, on.vocabSize, 1, 3) }, 0.3) },
    ],
    gives: gives.listOf(gives.record({ from: gives.whole, to: gives.whole })),
  },
  dispose: { names: [], args: () => [], gives: gives.nothing },
};

const frame = gives.record({ step: gives.whole });

export const COMPARISON_VERBS: Verbs<Comparison> = {
  next: {
    names: ['options'],
    args: (draw) =>
      draw.odds(0.3) ? [] : [draw.some({ steps: () => draw.whole(1, 5), until: () => draw.whole(0, 8) }, 0.7)],
    gives: frame,
  },
  play: {
    names: ['options'],
    args: (draw, _, on) => (draw.odds(0.3) ? [] : [{ until: on.step + draw.whole(0, 4) }]),
    gives: gives.nothing,
  },
  pause: { names: [], args: () => [], gives: gives.nothing },
  rewind: {
    names: ['step'],
    args: (draw, _, on) => (draw.odds(0.3) ? [] : [draw.whole(0, on.step)]),
    gives: gives.nothing,
  },
  lookBack: { names: ['step'], args: (draw, _, on) => [draw.whole(0, on.step)], gives: gives.nothing },
  arm: {
    names: ['name'],
    args: (draw, _, on) => [draw.of([...on.names, 'arm 0'])],
    gives: gives.record({ step: gives.whole, model: gives.record({ kind: gives.string }) }),
  },
  dispose: { names: [], args: () => [], gives: gives.nothing },
};
