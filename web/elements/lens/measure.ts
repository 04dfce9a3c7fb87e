import type { Lab, LabTrainer, TunedLens } from '../../core/types.js';
import {
  measureBoth,
  perModel,
  type Listening,
  type OpenedTwins,
  type TwinKind,
  type PerModel,
} from '../shared/model-twins.js';
import type { MeasuredText } from '../shared/models-file.js';
import { readPrompt } from '../shared/prompt.js';

/** How a layer is read: as it is, or through a translator that is trained for it. */
export const lensKinds = ['logit', 'tuned'] as const;
export type LensKind = (typeof lensKinds)[number];

/** Text for models whose file has none: the page's models were trained on the stories of seed 1. */
const unseen = { seed: 2, length: 60_000 };
/** At most this many tokens at its end are measured; the rest is for training. */
const mostMeasured = 2048;

/** How a lens with translators is trained: the same for both models. */
export const lensBudget = { steps: 150, tokensPerStep: 1024, learningRate: 0.01, seed: 0 } as const;

/** What one layer predicts after each token of the prompt. */
export interface LayerGrid {
  readonly tokens: readonly string[];
  readonly probability: readonly number[];
  /** KL(last layer ‖ this one). */
  readonly bits: readonly number[];
}

/** The measurement of a prompt, as plain JSON data. */
export interface Measured {
  readonly prompt: string;
  readonly kind: LensKind;
  readonly tokens: readonly string[];
  /** Whether it is longer than the models can process, and words that they do not know. */
  readonly cut: boolean;
  readonly leftOut?: readonly string[];
  /** From before the first layer to after the last. */
  readonly layers: PerModel<readonly LayerGrid[]>;
  /** For each layer: the mean divergence in bits over unseen stories; `measuredTokens` is their number of tokens. */
  readonly means: PerModel<readonly number[]>;
  readonly measuredTokens: number;
  /** The best that a layer can reach on that text with the same prediction after each token, in bits. */
  readonly chance: PerModel<number>;
  /** On that text: how much leaving out a layer adds to the loss, in nats per token; the first layer first. */
  readonly increases: PerModel<readonly number[]>;
}

/** What a model and its twin need only once: text to train lenses on and to measure, the trained lenses, and what each layer contributes. */
interface Prepared extends MeasuredText {
  readonly lenses: Map<TwinKind, TunedLens>;
  readonly increases: PerModel<readonly number[]>;
}
const prepared = new WeakMap<OpenedTwins, Prepared>();

async function textOf(lab: Lab, { text, encode }: OpenedTwins): Promise<MeasuredText> {
  if (text !== null) return { training: text.training, heldOut: text.heldOut.subarray(0, mostMeasured) };
  const ids = await encode(await lab.writeStories(unseen));
  return { training: ids.subarray(0, -mostMeasured), heldOut: ids.subarray(-mostMeasured) };
}

/** The lenses that were trained for these models, and their training text, once they have been measured. */
export const trainedLenses = (twins: OpenedTwins): Prepared | undefined => prepared.get(twins);

async function prepare(lab: Lab, twins: OpenedTwins, listening: Listening): Promise<Prepared> {
  const known = prepared.get(twins);
  if (known !== undefined) return known;
  const text = await textOf(lab, twins);
  const { signal } = listening;
  const increases = await measureBoth(listening, async (kind) => {
    const { layers } = await twins.trainers[kind].ablateLayers(text.heldOut, { signal });
    return layers.map(({ increase }) => increase);
  });
  const made = { ...text, lenses: new Map<TwinKind, TunedLens>(), increases };
  prepared.set(twins, made);
  return made;
}

/** Trains the lens of a model, only once. */
async function lensOf(
  trainer: LabTrainer,
  kind: TwinKind,
  { training, lenses }: Prepared,
  listening: Listening,
): Promise<TunedLens> {
  const known = lenses.get(kind);
  if (known !== undefined) return known;
  const lens = await trainer.trainTunedLens({ tokenIds: training, ...lensBudget, ...listening });
  lenses.set(kind, lens);
  return lens;
}

export async function measureLens(
  lab: Lab,
  twins: OpenedTwins,
  { prompt, kind }: { readonly prompt: string; readonly kind: LensKind },
  listening: Listening,
): Promise<Measured | null> {
  const { ids, ...read } = await readPrompt(twins, prompt);
  if (ids.length === 0) return null; // There is nothing to read.
  const ready = await prepare(lab, twins, listening);
  const models = await measureBoth(listening, async (model, half) => {
    const trainer = twins.trainers[model];
    const lens = kind === 'tuned' ? await lensOf(trainer, model, ready, half) : undefined;
    const options = lens === undefined ? {} : { lens: { layers: lens.layers } };
    const found = await trainer.logitLens(ids, options);
    const held = await trainer.logitLens(ready.heldOut, options);
    const layers = found.layers.map(({ predicted, probability, perToken }) => ({
      tokens: Array.from(predicted, (id) => twins.tokens[id] ?? ''),
      probability: Array.from(probability),
      bits: Array.from(perToken),
    }));
    return { layers, means: held.layers.map(({ divergence }) => divergence), chance: held.chance };
  });
  return {
    ...{ prompt, kind, ...read },
    layers: perModel((model) => models[model].layers),
    means: perModel((model) => models[model].means),
    measuredTokens: ready.heldOut.length,
    chance: perModel((model) => models[model].chance),
    increases: ready.increases,
  };
}
