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

/** Sources that are no built-in texts, in the order in which they are offered. */
export const otherSources = ['stories', 'markov-chain', 'own'] as const;
export type OtherSource = (typeof otherSources)[number];

/** How a run is looked at. */
const viewSettings = {
  /** The tokens of the pair; null: the text's own choice. */
  pairFrom: text(null, { reflect: false }),
  pairTo: text(null, { reflect: false }),
  /** How many tokens the maps show; null: as many as can be named. */
  mapTokens: number(null, { min: 2, whole: true, reflect: false }),
  /** The map that is drawn where there is room for one; 0 is the text's. */
  mapPanel: number(1, { min: 0, whole: true, reflect: false }),
  mapOrder: choice<TokenOrder>(['one-way', 'frequency'], { reflect: false }),
  mapValues: choice<MapQuantity>(['probabilities', 'logits'], { reflect: false }),
  linearSteps: flag(false, { reflect: false }),
  shareBy: choice<ShareDefinition>(['matrix', 'position'], { reflect: false }),
};

export type ViewState = ValuesOf<typeof viewSettings>;

/** Which setting cannot be used, and a sentence that says why. */
export interface Refusal {
  readonly setting: string;
  readonly sentence: string;
}

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
/** Not in embed code: nothing trains on a page before its reader asks. */
const moment = number(null, { ...steps, applies: () => false });

/** What does not begin a run anew. */
const lookSettings = {
  /** What the models continue; null = the beginning of the text. */
  prompt: text(null, { applies: isTransformer }),
  /** 0 = always the most probable token. */
  temperature: number(0.6, { min: 0, max: 2, link: 'always', applies: isTransformer }),
  /** The seed of what the models write; null: the run's. */
  sampleSeed: number(null, { min: 0, max: mostSeed, whole: true, applies: isTransformer }),
  /** The step that the button “Run to step” runs to. */
  runTo: number(100, { ...steps, link: 'always' }),
  speed: choice(speeds, { initial: 'fast', link: 'always' }),
  /** The step that a link was made at: the lab trains to it when it opens. Null: it waits for the reader. */
  atStep: moment,
  /** The earlier step that was looked at. */
  viewStep: moment,
  ...viewSettings,
};

const runSettings: Readonly<Record<ModelKind, Settings>> = {
  'direct-path': directPathSettings,
  transformer: transformerSettings,
};

/** What a run of either kind of model depends on, and what it reads. */
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
 * The part of the training lab that is its attributes: what they are, what they may be, and what they mean. What a run
 * depends on has other defaults for other kinds of model; what nobody has set is filled in before the first drawing.
 */
export abstract class SettingsElement extends withSettings(TiedElement<TrainingLabStrings>, allSettings) {
  /** A text of the page's own; setting it makes `textSource` 'own'. */
  @property({ attribute: false }) text: string | null = null;

  protected readonly ownStrings = trainingLabStrings;
  protected ownSource: OwnText | null = null;
  /** What each kind of model was set to when the reader left it. */
  readonly #left = new Map<ModelKind, Record<string, unknown>>();

  /** What is shown for the present kind of model. */
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

  /** A link restores the moment too, which embed code does not: nothing trains on a page before its reader asks. */
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

  /** `others` take the place of what is set. */
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

  /** What cannot be run is replaced by its default, and the reader is told. */
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
      // How a run is looked at needs no words: the figure shows what holds.
      if (!(name in viewSettings))
        this.problem = refusalSentence(declared, { ...refused, used }, values, this.texts as Texts);
      Object.assign(this, { [name]: used });
    }
  }

  /** The present settings with defaults in place of what is refused. */
  #mended(): object {
    const defaults = this.#defaults(this.model);
    const settings: Record<string, unknown> = { ...this.runSettings() };
    for (let refused = this.mode.refusal(settings); refused !== null; refused = this.mode.refusal(settings)) {
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
