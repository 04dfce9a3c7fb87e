import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { TokenizerKind, Tying } from '../../core/types.js';
import { builtInTexts } from '../../texts/index.js';
import { TiedElement } from '../shared/tied-element.js';
import { armsConverter, batchConverter } from './attributes.js';
import { formatWhole } from '../../charts/index.js';
import { defaultSettings, limits, type LabSettings } from './settings.js';
import { defaultMarkovStates, defaultStoryLength, sourceLimits, type OwnText, type TextSource } from './text-source.js';
import { trainingLabStrings, type TrainingLabStrings } from './training-lab.strings.js';
import {
  isSmallDevice,
  smallDevice,
  transformerDefaults,
  type ArmKind,
  type TransformerSettings,
} from './transformer/settings.js';
import type { TokenOrder } from './token-choice.js';
import type { ShareDefinition } from './transformer/arms.js';
import type { MapQuantity } from './views/maps.js';
import { speeds, type Speed } from './views/transport.js';

/** What the lab trains. */
export type ModelKind = 'direct-path' | 'transformer';
export const modelKinds: readonly ModelKind[] = ['direct-path', 'transformer'];

/** Sources that are no built-in texts, in the order in which they are offered. */
export const otherSources = ['stories', 'markov-chain', 'own'] as const;
export type OtherSource = (typeof otherSources)[number];

export type Changes = Partial<
  Omit<LabSettings, 'arms'> &
    Omit<TransformerSettings, 'arms' | 'batchSize'> & {
      arms: readonly (Tying | ArmKind)[];
      batchSize: LabSettings['batchSize'];
      textSource: string;
      storyLength: number;
      states: number;
    }
>;

/** What the reader looks at, beside the run itself: a link carries it too. */
export interface ViewState {
  /** The tokens of the pair; null: the text's own choice. */
  pairFrom: string | null;
  pairTo: string | null;
  /** How many tokens the maps show; null: as many as can be named. */
  mapTokens: number | null;
  mapOrder: TokenOrder;
  mapValues: MapQuantity;
  linearSteps: boolean;
  shareBy: ShareDefinition;
}

const viewDefaults: Readonly<ViewState> = {
  pairFrom: null,
  pairTo: null,
  mapTokens: null,
  mapOrder: 'one-way',
  mapValues: 'probabilities',
  linearSteps: false,
  shareBy: 'matrix',
};

const viewChoices: Readonly<Partial<Record<keyof ViewState, readonly string[]>>> = {
  mapOrder: ['one-way', 'frequency'],
  mapValues: ['probabilities', 'logits'],
  shareBy: ['matrix', 'position'],
};

/** Which setting cannot be used, and a sentence that says why. */
export interface Refusal {
  readonly setting: string;
  readonly sentence: string;
}

const defaultRunTo = 100;
const defaultTemperature = 0.6;
/** Of the writing models. */
const temperatures = { min: 0, max: 2 };
const firstBuiltIn = builtInTexts[0]?.id ?? '';

/** A small GPT reads a sentence several times only where there are few: a longer text, of which none is at hand. */
const transformerStoryLength = 1_000_000;

/** Per kind of model: what a run depends on. */
const runDefaults: Readonly<Record<ModelKind, object>> = {
  'direct-path': defaultSettings,
  transformer: transformerDefaults,
};

/** And what the text comes from. */
const textDefaults: Readonly<Record<ModelKind, { textSource: string; storyLength: number }>> = {
  'direct-path': { textSource: firstBuiltIn, storyLength: defaultStoryLength },
  transformer: { textSource: 'stories', storyLength: transformerStoryLength },
};

/** 'dModel' -> 'd-model' */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const numbers = [
  'storyLength',
  'states',
  'vocabSize',
  'dModel',
  'nLayers',
  'nHeads',
  'contextLength',
  'lowRank',
  'untieAtStep',
  'inputGradientScale',
  'seed',
  'learningRate',
  'steps',
  'runTo',
  'atStep',
  'viewStep',
];

/**
 * The part of the training lab that is its attributes: what they are, what they may be, and what they mean. What a run
 * depends on has other defaults for other kinds of model; what nobody has set is filled in before the first drawing.
 */
export abstract class SettingsElement extends TiedElement<TrainingLabStrings> {
  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(numbers.map((name) => [name, { type: Number, attribute: kebab(name), reflect: true }])),
    model: { type: String, reflect: true },
    modelChoice: { type: Boolean, attribute: 'model-choice', reflect: true },
    textSource: { type: String, attribute: 'text-source', reflect: true },
    tokenizer: { type: String, reflect: true },
    arms: { converter: armsConverter, reflect: true },
    batchSize: { converter: batchConverter, attribute: 'batch-size', reflect: true },
    optimizer: { type: String, reflect: true },
    outputBias: { type: Boolean, attribute: 'output-bias', reflect: true },
    embeddingScale: { type: String, attribute: 'embedding-scale', reflect: true },
    prompt: { type: String, reflect: true },
    temperature: { type: Number, reflect: true },
    speed: { type: String, reflect: true },
    pairFrom: { type: String, attribute: 'pair-from' },
    pairTo: { type: String, attribute: 'pair-to' },
    mapTokens: { type: Number, attribute: 'map-tokens' },
    mapOrder: { type: String, attribute: 'map-order' },
    mapValues: { type: String, attribute: 'map-values' },
    linearSteps: { type: Boolean, attribute: 'linear-steps' },
    shareBy: { type: String, attribute: 'share-by' },
    text: { attribute: false },
  };

  /** Not `model-choice`: whether there is a choice is for the page's author to say. */
  static override readonly linkSettings: readonly string[] = [
    ...numbers.map(kebab),
    'model',
    'text-source',
    'tokenizer',
    'arms',
    'batch-size',
    'optimizer',
    'output-bias',
    'embedding-scale',
    'prompt',
    'temperature',
    'speed',
    ...Object.keys(viewDefaults).map(kebab),
  ];

  /** What is trained. Default 'direct-path'. */
  declare model: ModelKind;
  /** Whether the reader may choose what is trained. */
  declare modelChoice: boolean;
  declare textSource: string;
  /** Characters of stories to write. */
  declare storyLength: number;
  /** Of the known chain. */
  declare states: number;
  declare tokenizer: TokenizerKind;
  declare vocabSize: number;
  declare dModel: number;
  declare arms: readonly (Tying | ArmKind)[];
  declare seed: number;
  declare learningRate: number;
  declare batchSize: LabSettings['batchSize'];
  declare steps: number;
  /** The step that the button “Run to step” runs to. */
  declare runTo: number;
  declare speed: Speed;
  /** The step that a link was made at: the lab trains to it when it opens. Null: it waits for the reader. */
  declare atStep: number | null;
  /** The earlier step that was looked at. */
  declare viewStep: number | null;
  declare pairFrom: ViewState['pairFrom'];
  declare pairTo: ViewState['pairTo'];
  declare mapTokens: ViewState['mapTokens'];
  declare mapOrder: ViewState['mapOrder'];
  declare mapValues: ViewState['mapValues'];
  declare linearSteps: ViewState['linearSteps'];
  declare shareBy: ViewState['shareBy'];
  /** A text of the page's own; setting it makes `textSource` 'own'. */
  declare text: string | null;

  // Direct paths only.
  declare optimizer: LabSettings['optimizer'];
  declare outputBias: boolean;

  // Transformers only.
  declare nLayers: number;
  declare nHeads: number;
  declare contextLength: number;
  declare lowRank: number;
  declare untieAtStep: number;
  declare embeddingScale: TransformerSettings['embeddingScale'];
  declare inputGradientScale: number;
  /** What the models continue; null = the beginning of the text. */
  declare prompt: string | null;
  /** 0 = always the most probable token. */
  declare temperature: number;

  protected readonly ownStrings = trainingLabStrings;
  protected ownSource: OwnText | null = null;
  /** What each kind of model was set to when the reader left it. */
  readonly #left = new Map<ModelKind, Record<string, unknown>>();

  constructor() {
    super();
    this.model = 'direct-path';
    this.modelChoice = false;
    this.states = defaultMarkovStates;
    this.runTo = defaultRunTo;
    this.speed = 'fast';
    this.text = null;
    this.prompt = null;
    this.temperature = defaultTemperature;
    this.atStep = null;
    this.viewStep = null;
    Object.assign(this, viewDefaults);
  }

  /** Steps of the reader's own run, and the earlier one that is looked at: what a link leads back to. */
  protected abstract get stepsDone(): number;
  protected abstract get stepViewed(): number | null;

  /** The first thing that is wrong with settings of the present kind of model; null for nothing. */
  protected abstract refusal(settings: object): Refusal | null;

  protected runSettings(): object {
    return this.#named(Object.keys(runDefaults[this.model]));
  }

  #named(names: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(names.map((name) => [name, (this as unknown as Record<string, unknown>)[name]]));
  }

  /** What a run depends on when nobody has set it; smaller where the device is. */
  #defaults(model: ModelKind): Record<string, unknown> {
    const smaller = model === 'transformer' && isSmallDevice() ? smallDevice : {};
    return { ...textDefaults[model], ...runDefaults[model], ...smaller };
  }

  /** Fills in what nobody has set, and what belongs to another kind of model than before. */
  #fillIn(changed: PropertyValues): void {
    const before = changed.get('model') as ModelKind | undefined;
    const defaults = this.#defaults(this.model);
    const values = this as unknown as Record<string, unknown>;
    if (this.hasUpdated && before !== undefined && before !== this.model) {
      const leaving = this.#defaults(before);
      this.#left.set(before, this.#named(Object.keys(leaving)));
      const found = { ...defaults, ...this.#left.get(this.model) };
      // A text that the reader chose stays, whatever reads it.
      if (this.textSource !== leaving['textSource']) found['textSource'] = this.textSource;
      for (const [name, value] of Object.entries(found)) if (!changed.has(name)) values[name] = value;
      return;
    }
    for (const [name, value] of Object.entries(defaults)) values[name] ??= value;
  }

  protected viewState(): ViewState {
    return this.#named(Object.keys(viewDefaults)) as unknown as ViewState;
  }

  /** A link restores the moment too, which embed code does not: nothing trains on a page before its reader asks. */
  protected override settingsOfLink(): Record<string, string> {
    const moment: [string, number | null][] = [
      ['at-step', this.stepsDone > 0 ? this.stepsDone : null],
      ['view-step', this.stepViewed],
    ];
    const found = moment.filter((entry): entry is [string, number] => entry[1] !== null);
    return { ...this.settings(), ...Object.fromEntries(found.map(([name, step]) => [name, String(step)])) };
  }

  protected override settings(): Record<string, string> {
    const { textSource, model } = this;
    const looks = Object.entries(this.viewState()).filter(
      ([name, value]) => value !== viewDefaults[name as keyof ViewState],
    );
    const attributes: [string, unknown][] = [
      ...(model === 'direct-path' && !this.modelChoice ? [] : [['model', model] as [string, unknown]]),
      ['modelChoice', this.modelChoice],
      ['textSource', textSource],
      ...(textSource === 'stories' ? [['storyLength', this.storyLength] as [string, unknown]] : []),
      ...(textSource === 'markov-chain' ? [['states', this.states] as [string, unknown]] : []),
      ...Object.entries(this.runSettings()),
      ...(model === 'transformer'
        ? ([...(this.prompt === null ? [] : [['prompt', this.prompt]]), ['temperature', this.temperature]] as [
            string,
            unknown,
          ][])
        : []),
      ['runTo', this.stepsDone > 0 ? this.stepsDone : this.runTo],
      ['speed', this.speed],
      ...looks,
    ];
    return Object.fromEntries(
      attributes
        .filter(([, value]) => value !== false)
        .map(([name, value]) => [
          kebab(name),
          value === true ? '' : Array.isArray(value) ? value.join(' ') : String(value),
        ]),
    );
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!modelKinds.includes(this.model)) {
      this.problem = this.texts.unknownChoice('model', this.model, modelKinds.join(', '));
      this.model = 'direct-path';
    }
    this.#fillIn(changed);
    if (this.text !== null && this.text !== this.ownSource?.text) {
      this.ownSource = { kind: 'own', name: this.texts.pastedName, text: this.text };
      this.textSource = 'own';
    }
    this.#refuseBadAttributes();
  }

  /** What cannot be run is replaced by its default, and the reader is told. */
  #refuseBadAttributes(): void {
    const refused = this.refusal(this.runSettings());
    if (refused !== null) {
      this.problem = refused.sentence;
      Object.assign(this, this.#mended());
    }
    if (!speeds.includes(this.speed)) {
      this.problem = this.texts.unknownChoice('speed', this.speed, speeds.join(', '));
      this.speed = 'fast';
    }
    this.#refuseBadSource();
    this.#refuseBadMoment();
    this.#refuseBadView();
    if (this.textSource === 'built-in') this.textSource = firstBuiltIn;
    const known: string[] = [...otherSources, ...builtInTexts.map(({ id }) => id)];
    if (!known.includes(this.textSource)) {
      this.problem = this.texts.unknownChoice('text-source', this.textSource, known.join(', '));
      this.textSource = firstBuiltIn;
    }
  }

  #refuseBadSource(): void {
    const defaults = this.#defaults(this.model);
    for (const [name, { min, max }] of Object.entries(sourceLimits)) {
      const value = (this as unknown as Record<string, number>)[name] ?? Number.NaN;
      if (Number.isInteger(value) && value >= min && value <= max) continue;
      this.problem = this.texts.badWhole(kebab(name), String(value), formatWhole(min), formatWhole(max));
      Object.assign(this, { [name]: defaults[name] ?? defaultMarkovStates });
    }
  }

  #refuseBadMoment(): void {
    const isStep = (step: number): boolean => Number.isInteger(step) && step >= 0 && step <= limits.steps.max;
    if (!isStep(this.runTo)) this.runTo = defaultRunTo;
    for (const name of ['atStep', 'viewStep'] as const) {
      const step = this[name];
      if (step === null || isStep(step)) continue;
      this.problem = this.texts.badWhole(kebab(name), String(step), '0', formatWhole(limits.steps.max));
      this[name] = null;
    }
  }

  /** How something is looked at needs no words where it is replaced: the figure shows what holds. */
  #refuseBadView(): void {
    const { min, max } = temperatures;
    if (!(this.temperature >= min && this.temperature <= max)) this.temperature = defaultTemperature;
    const view = this.viewState();
    for (const [name, known] of Object.entries(viewChoices)) {
      const value = String(view[name as keyof ViewState]);
      if (!known.includes(value)) Object.assign(this, { [name]: viewDefaults[name as keyof ViewState] });
    }
    const { mapTokens } = view;
    if (mapTokens !== null && !(Number.isInteger(mapTokens) && mapTokens >= 2)) this.mapTokens = null;
  }

  /** The present settings with defaults in place of what is refused. */
  #mended(): object {
    const defaults = this.#defaults(this.model);
    const settings: Record<string, unknown> = { ...this.runSettings() };
    for (let refused = this.refusal(settings); refused !== null; refused = this.refusal(settings)) {
      // A default that does not go with what else is set: then all of them do.
      if (settings[refused.setting] === defaults[refused.setting]) return this.#namedIn(defaults);
      settings[refused.setting] = defaults[refused.setting];
    }
    return settings;
  }

  #namedIn(defaults: Record<string, unknown>): object {
    return Object.fromEntries(Object.keys(runDefaults[this.model]).map((name) => [name, defaults[name]]));
  }

  /** The source that the attributes name; null while an own text is wanted and none was given. */
  protected wantedSource(): TextSource | null {
    switch (this.textSource as OtherSource) {
      case 'stories':
        return { kind: 'stories', length: this.storyLength };
      case 'markov-chain':
        return { kind: 'markov-chain', states: this.states };
      case 'own':
        return this.ownSource;
      default:
        return { kind: 'built-in', id: this.textSource };
    }
  }

  protected async loadBuiltIn(id: string): Promise<{ title: string; text: string }> {
    const found = builtInTexts.find((one) => one.id === id);
    if (found === undefined) throw new RangeError(`There is no built-in text “${id}”.`);
    return { title: found.title, text: await found.load() };
  }
}
