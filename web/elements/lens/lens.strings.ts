import type { TwinKind } from '../shared/model-twins.js';
import { promptStrings } from '../shared/prompt.js';
import type { LensKind } from './measure.js';

/** English texts of `<tied-lens>`. Numbers arrive formatted. */
export const lensStrings = {
  ...promptStrings,
  title: 'What would each layer say, if it were the last?',
  lens: 'Read each layer',
  lenses: { logit: 'As it is', tuned: 'Translated' } as Record<LensKind, string>,

  waiting:
    'Two small GPTs were trained on the same text, one tied and one untied. Press Measure to read their layers as predictions.',
  ofPrompt: (prompt: string, lens: LensKind) =>
    `These numbers are of the prompt “${prompt}”, with every layer ${lens === 'logit' ? 'read as it is' : 'translated'}.`,
  measuring: 'Reading the layers.',
  training: (percent: string) => `Training a translation for every layer: ${percent}%.`,
  tooShort: 'A prompt needs at least one token.',

  models: { tied: 'Tied', untied: 'Untied' } as Record<TwinKind, string>,
  layer: (layer: number, last: number) =>
    layer === 0 ? 'Embedding' : layer === last ? `Layer ${String(layer)}, the last` : `Layer ${String(layer)}`,
  shortLayer: (layer: number) => (layer === 0 ? 'Emb.' : String(layer)),

  barsTitle: (tokens: string) =>
    `How far each layer is from the answer, in bits: the mean over ${tokens} unseen tokens`,
  bar: (model: string, layer: string, bits: string) => `${model}, ${layer}: ${bits} bits.`,
  increasesTitle: 'What leaving a layer out adds to the loss of the same tokens, in nats per token',
  increaseBar: (model: string, layer: string, nats: string) =>
    `${model}, without ${layer}: ${nats} nats per token more.`,
  chanceKey: 'a layer that says the same after every token, at best',
  gridTitle: (model: string) => `${model}: the most probable next token at every layer, after each token of the prompt`,
  positionText: (token: string, tied: string, untied: string) => `after ${token}. Tied: ${tied}. Untied: ${untied}.`,
  gridKey: 'The stronger the tint, the more probable the token.',
  gridPart: (from: string, to: string, all: string) =>
    `There is space for tokens ${from} to ${to} of ${all}. To see the others, choose a position among them.`,

  claim: (tied: string, untied: string) =>
    `Right after the embedding, the tied model is ${tied} bits from its own answer, the untied one ${untied}.`,
  afterFirst: (tied: string, untied: string) => `One layer later it is ${tied} and ${untied}.`,
  byChance: (tied: string, untied: string) =>
    `A layer that says the same after every token could come as close as ${tied} and ${untied}.`,
  logitNote:
    'Read as they are, early layers speak a language of their own. A translation, trained for each layer on the same text, is a fairer reading.',
  tunedNote:
    'Each layer has a translation of its own, trained on the same text with the same number of steps for both models.',
  caption:
    'Choose a position in the grids, with the mouse or the arrow keys. ␣ is a space, ⏎ a line break. The divergence of a layer is KL(last ‖ layer); the last layer’s is 0.',

  dataChance: 'The same after every token, at best',
  dataBits: 'Divergence from the last layer, bits',
  dataIncreases: 'What leaving a layer out adds to the loss, nats per token',
  dataTokens: 'Most probable next token, with its probability',
  cell: (token: string, probability: string) => `${token} ${probability}`,
};

export type LensStrings = typeof lensStrings;
