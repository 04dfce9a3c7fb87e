import type { PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { Tying } from '../../core/types.js';
import { builtInTexts } from '../../texts/index.js';
import {
  choice,
  flag,
  mostSeed,
  number,
  text,
  type Setting,
  type Settings,
  type Texts,
  type Values,
  type ValuesOf,
} from '../shared/settings/setting.js';
import {
  attributesOf,
  refusalSentence,
  refusedValues,
  valuesOf,
  withSettings,
} from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import type { Mode } from './mode.js';
import { speeds } from './pace.js';
import { defaultSettings, directPathSettings, mostSteps, type LabSettings } from './settings.js';
import { sourceSettings, type OwnText, type TextSource } from './text-source.js';
import { trainingLabStrings, type TrainingLabStrings } from './training-lab.strings.js';
import {
  isSmallDevice,
  smallDevice,
  transformerDefaults,
  transformerSettings,
  type ArmKind,
  type TransformerSettings,
} from './transformer/settings.js';
import type { TokenOrder } from './token-choice.js';
import type { ShareDefinition } from './transformer/run.js';
import type { MapQuantity } from './views/maps.js';

/** What the lab trains. */
export type ModelKind = 'direct-path' | 'transformer';
export const modelKinds: readonly ModelKind[] = ['direct-path', 'transformer'];

/** Sources other than built-in texts, in the order in which they are offered. */
export const otherSources = ['stories', 'markov-chain', 'own'] as const;
export type OtherSource = (typeof otherSources)[number];

/** Settings of the view of a run. */
const viewSettings = {
  /** The tokens of the pair; null for a pair chosen from the text. */
  pairFrom: text(null, { reflect: false }),
  pairTo: text(null, { reflect: false }),
  /** The number of tokens in the maps; null for as many as fit with their names. */
  mapTokens: number(null, { min: 2, whole: true, reflect: false }),
  /** The map that is drawn if only one fits; 0 is the text's. */
  mapPanel: number(1, { min: 0, whole: true, reflect: false }),
  mapOrder: choice<TokenOrder>(['one-way', 'frequency'], { reflect: false }),
  mapValues: choice<MapQuantity>(['probabilities', 'logits'], { reflect: false }),
  linearSteps: flag(false, { reflect: false }),
  shareBy: choice<ShareDefinition>(['matrix', 'position'], { reflect: false }),
};

export type ViewState = ValuesOf<typeof viewSettings>;

/** A setting that cannot be used, and a sentence that says why. */
export interface Refusal {
  readonly setting: string;
  readonly sentence: string;
}

const firstBuiltIn = builtInTexts[0]?.id ?? '';

/** Long enough that a small GPT does not read the same sentences many times; no built-in text is this long. */
const transformerStoryLength = 1_000_000;

/** The default settings of a run, by kind of model. */
const runDefaults: Readonly<Record<ModelKind, object>> = {
  'direct-path': defaultSettings,
  transformer: transformerDefaults,
};

/** The default text, by kind of model. */
const textDefaults: Readonly<Record<ModelKind, { textSource: string; storyLength: number }>> = {
  'direct-path': { textSource: firstBuiltIn, storyLength: sourceSettings.storyLength.initial },
  transformer: { textSource: 'stories', storyLength: transformerStoryLength },
};

/** What is trained, and on which text. */
const subjectSettings = {
  /** What is trained. */
  model: choice(modelKinds, {
    link: 'always',
    applies: ({ model, modelChoice }) => model !== 'direct-path' || modelChoice === true,
  }),
  /** Whether the reader may choose what is trained. */
  modelChoice: flag(false, { link: 'never' }),
  textSource: choice([...otherSources, ...builtInTexts.map(({ id }) => id)], { initial: firstBuiltIn, link: 'always' }),
  ...sourceSettings,
};

const isTransformer = ({ model }: Values): boolean => model === 'transformer';
const steps = { min: 0, max: mostSteps, whole: true } as const;
/** Not in embed code, because nothing may train before the reader starts it. */
const moment = number(null, { ...steps, applies: () => false });

/** Settings that do not restart a run. */
const lookSettings = {
  /** The prompt; null for the beginning of the text. */
  prompt: text(null, { applies: isTransformer }),
  /** 0 = always the most probable token. */
  temperature: number(0.6, { min: 0, max: 2, link: 'always', applies: isTransformer }),
  /** The seed of generated text; null for the run's. */
  sampleSeed: number(null, { min: 0, max: mostSeed, whole: true, applies: isTransformer }),
  /** The step that the button “Run to step” runs to. */
  runTo: number(100, { ...steps, link: 'always' }),
  speed: choice(speeds, { initial: 'fast', link: 'always' }),
  /** The step at which a link was made, to which the lab trains on opening; null to wait for the reader. */
  atStep: moment,
  /** The viewed earlier step. */
  viewStep: moment,
  ...viewSettings,
};

const runSettings: Readonly<Record<ModelKind, Settings>> = {
  'direct-path': directPathSettings,
  transformer: transformerSettings,
};

/** All settings of a run of either kind of model, and of its text. */
type RunProperties = Omit<LabSettings, 'arms'> &
  Omit<TransformerSettings, 'arms' | 'batchSize'> & { arms: readonly (Tying | ArmKind)[] } & ValuesOf<
    typeof subjectSettings
  >;

export type Changes = Partial<RunProperties>;

/** The element itself checks values, and fills in those that depend on the kind of model. */
const unchecked = (declared: Settings, more: Partial<Setting<unknown>> = {}): Settings =>
  Object.fromEntries(
    Object.entries(declared).map(([name, setting]) => [name, { ...setting, ...more, problem: () => null }]),
  );

const { textSource, storyLength } = subjectSettings;
const allSettings = {
  ...unchecked({ ...subjectSettings, ...lookSettings }),
  ...unchecked({ ...directPathSettings, ...transformerSettings, textSource, storyLength }, { initial: undefined }),
} as unknown as { [Name in keyof RunProperties]: Setting<RunProperties[Name]> } & typeof lookSettings;

/**
 * The attributes of the training lab: their declarations, checks and meaning. Defaults of a run's settings
 * depend on the kind of model; settings that are not set get their defaults before the first drawing.
 */
export abstract class SettingsElement extends withSettings(TiedElement<TrainingLabStrings>, allSettings) {
  /** A text that the page provides; setting it makes `textSource` 'own'. */
  @property({ attribute: false }) text: string | null = null;

  protected readonly ownStrings = trainingLabStrings;
  protected ownSource: OwnText | null = null;
  /** The settings of each kind of model when the reader last left it. */
  readonly #left = new Map<ModelKind, Record<string, unknown>>();

  /** The mode of the current kind of model. */
  protected abstract get mode(): Mode;

  /** Steps of the reader's own run. */
  protected get stepsDone(): number {
    return this.mode.showsFinished ? 0 : this.mode.controller.step;
  }

  protected runSettings(): object {
    return this.#named(Object.keys(runDefaults[this.model]));
  }

  #named(names: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(names.map((name) => [name, (this as unknown as Record<string, unknown>)[name]]));
  }

  /** The default settings of a run; smaller on small devices. */
  #defaults(model: ModelKind): Record<string, unknown> {
    const smaller = model === 'transformer' && isSmallDevice() ? smallDevice : {};
    return { ...textDefaults[model], ...runDefaults[model], ...smaller };
  }

  /** Fills in settings that are not set, and those that change with the kind of model. */
  #fillIn(changed: PropertyValues): void {
    const before = changed.get('model') as ModelKind | undefined;
    const defaults = this.#defaults(this.model);
    const values = this as unknown as Record<string, unknown>;
    if (this.hasUpdated && before !== undefined && before !== this.model) {
      const leaving = this.#defaults(before);
      this.#left.set(before, this.#named(Object.keys(leaving)));
      const found = { ...defaults, ...this.#left.get(this.model) };
      // A text that the reader chose is kept for either kind of model.
      if (this.textSource !== leaving['textSource']) found['textSource'] = this.textSource;
      for (const [name, value] of Object.entries(found)) if (!changed.has(name)) values[name] = value;
      return;
    }
    for (const [name, value] of Object.entries(defaults)) values[name] ??= value;
  }

  /** Links also restore the step; embed code does not, because nothing may train before the reader starts it. */
  protected override settingsOfLink(): Record<string, string> {
    const moment: [string, number | null][] = [
      ['at-step', this.stepsDone > 0 ? this.stepsDone : null],
      ['view-step', this.mode.viewedStep],
    ];
    const found = moment.filter((entry): entry is [string, number] => entry[1] !== null);
    return {
      ...this.#attributes(this.mode.readBack()),
      ...Object.fromEntries(found.map(([name, step]) => [name, String(step)])),
    };
  }

  protected override settings(): Record<string, string> {
    return this.#attributes({});
  }

  /** `others` override the current settings. */
  #attributes(others: Values): Record<string, string> {
    const declared: Settings = { ...subjectSettings, ...runSettings[this.model], ...lookSettings };
    const runTo = this.stepsDone > 0 ? this.stepsDone : this.runTo;
    return attributesOf(declared, { ...valuesOf(declared, this), runTo, ...others });
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.#refuse({ model: subjectSettings.model });
    this.#fillIn(changed);
    if (this.text !== null && this.text !== this.ownSource?.text) {
      this.ownSource = { kind: 'own', name: this.texts.pastedName, text: this.text };
      this.textSource = 'own';
    }
    this.#refuseBadAttributes();
  }

  /** Replaces invalid settings by their defaults, and tells the reader. */
  #refuseBadAttributes(): void {
    const refused = this.mode.refusal(this.runSettings());
    if (refused !== null) {
      this.problem = refused.sentence;
      Object.assign(this, this.#mended());
    }
    if (this.textSource === 'built-in') this.textSource = firstBuiltIn;
    this.#refuse({ ...subjectSettings, ...lookSettings });
  }

  #refuse(declared: Settings): void {
    const values = valuesOf(declared, this);
    const defaults = this.#defaults(this.model);
    for (const refused of refusedValues(declared, values)) {
      const { name } = refused;
      const used = name === 'storyLength' ? defaults[name] : refused.used;
      // Settings of the view need no message: the figure shows the values in use.
      if (!(name in viewSettings))
        this.problem = refusalSentence(declared, { ...refused, used }, values, this.texts as Texts);
      Object.assign(this, { [name]: used });
    }
  }

  /** The current settings with defaults instead of refused values. */
  #mended(): object {
    const defaults = this.#defaults(this.model);
    const settings: Record<string, unknown> = { ...this.runSettings() };
    for (let refused = this.mode.refusal(settings); refused !== null; refused = this.mode.refusal(settings)) {
      // If a default does not fit the other settings, all settings get their defaults.
      if (settings[refused.setting] === defaults[refused.setting]) return this.#namedIn(defaults);
      settings[refused.setting] = defaults[refused.setting];
    }
    return settings;
  }

  #namedIn(defaults: Record<string, unknown>): object {
    return Object.fromEntries(Object.keys(runDefaults[this.model]).map((name) => [name, defaults[name]]));
  }

  /** The source that the attributes name; null for 'own' without a text. */
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
