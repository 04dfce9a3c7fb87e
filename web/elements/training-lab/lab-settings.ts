import { builtInTexts } from '../../texts/index.js';
import {
  choice,
  flag,
  mostSeed,
  number,
  segments,
  text,
  type Settings,
  type Values,
  type ValuesOf,
} from '../shared/settings/setting.js';
import { speeds } from './pace.js';
import { directPathSettings, mostSteps } from './settings.js';
import { sourceSettings } from './text-source.js';
import type { MapQuantity, TokenOrder } from './token-choice.js';
import { isSmallDevice, smallDevice, transformerSettings, type ShareDefinition } from './transformer/settings.js';

/** What the lab trains. */
export type ModelKind = 'direct-path' | 'transformer';
const modelKinds: readonly ModelKind[] = ['direct-path', 'transformer'];

/** Sources other than the built-in texts, in the order in which they are offered. */
export const otherSources = ['stories', 'markov-chain', 'own'] as const;
export type OtherSource = (typeof otherSources)[number];

export const firstBuiltIn = builtInTexts[0]?.id ?? '';

/** What is trained, and on which text. */
export const subjectSettings = {
  /** What is trained. */
  model: choice(modelKinds, {
    link: 'always',
    applies: ({ model, modelChoice }) => model !== 'direct-path' || modelChoice === true,
    label: 'modelChoice',
    shown: ({ modelChoice }) => modelChoice === true,
    control: { as: 'segmented', names: 'modelChoices' },
  }),
  /** Whether the reader can choose what is trained. */
  modelChoice: flag(false, { link: 'never' }),
  textSource: choice([...otherSources, ...builtInTexts.map(({ id }) => id)], { initial: firstBuiltIn, link: 'always' }),
  ...sourceSettings,
};

const isTransformer = ({ model }: Values): boolean => model === 'transformer';
const steps = { min: 0, max: mostSteps, whole: true } as const;
/** Not in embed code, because nothing may train before the reader starts it. */
const moment = number(null, { ...steps, applies: ({ linked }) => linked === true });

/** Settings of the view are not reflected as attributes and need no message: the figure shows the values in use. */
const view = { reflect: false } as const;

/** Settings that do not restart a run. */
export const lookSettings = {
  /** The prompt; null for the beginning of the text. */
  prompt: text(null, { applies: isTransformer }),
  /** 0 = always the most probable token. */
  temperature: number(0.6, {
    min: 0,
    max: 2,
    link: 'always',
    applies: isTransformer,
    label: 'temperature',
    control: { step: 0.1, decimals: 1, atEnd: true },
  }),
  /** The seed of generated text; null for the run's. */
  sampleSeed: number(null, { min: 0, max: mostSeed, whole: true, applies: isTransformer }),
  /** The step that the button “Run to step” runs to. */
  runTo: number(100, {
    ...steps,
    link: 'always',
    label: 'runToField',
    control: { step: 10, atEnd: true, hideLabel: true },
  }),
  speed: choice(speeds, {
    initial: 'fast',
    link: 'always',
    label: 'speed',
    // Not for small GPTs, which are slow enough.
    shown: (values) => !isTransformer(values),
    control: { as: 'segmented', names: 'speeds' },
  }),
  /** The tokens of the pair; null for a pair chosen from the text. */
  pairFrom: text(null, view),
  pairTo: text(null, view),
  /** The number of tokens in the maps; null for as many as fit with their names. */
  mapTokens: number(null, { ...view, min: 2, whole: true }),
  /** The map that is drawn if only one fits; 0 is the text's. */
  mapPanel: number(1, { ...view, min: 0, whole: true }),
  mapOrder: choice<TokenOrder>(['one-way', 'frequency'], { ...view, label: 'order', control: { names: 'orders' } }),
  mapValues: choice<MapQuantity>(['probabilities', 'logits'], {
    ...view,
    label: 'mapsShow',
    control: { as: 'segmented', hideLabel: true },
  }),
  linearSteps: flag(false, view),
  shareBy: segments<ShareDefinition>(['matrix', 'position'], 'shareBy', 'shareDefinitions', view),
  /** The step at which a link was made; the lab trains to it when it opens. Null: wait for the reader. */
  atStep: moment,
  /** The viewed earlier step. */
  viewStep: moment,
};

export type Look = ValuesOf<typeof lookSettings>;

/** The settings of a run for each kind of model, and the defaults that replace their own. */
export const kinds: Readonly<Record<ModelKind, { run: Settings; initial: (small: boolean) => Values }>> = {
  'direct-path': { run: directPathSettings, initial: () => ({}) },
  transformer: {
    run: transformerSettings,
    initial: (small) => ({
      textSource: 'stories',
      // Long enough that a small GPT does not read the same sentences many times; no built-in text is this long.
      storyLength: 1_000_000,
      ...(small ? smallDevice : {}),
    }),
  },
};

export const { textSource, storyLength } = subjectSettings;

/** The settings of a run and its text, with the defaults for this kind of model. */
export function settingsFor(model: ModelKind, small = isSmallDevice()): Settings {
  const initial = kinds[model].initial(small);
  const settings: Settings = { textSource, storyLength, ...kinds[model].run };
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [
      name,
      name in initial ? { ...setting, initial: initial[name] } : setting,
    ]),
  );
}
