import type { PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { Tying } from '../../core/types.js';
import type { Content } from '../shared/figure.js';
import type { Panel } from '../shared/settings/panel-parts.js';
import type { Slots } from '../shared/settings/panel.js';
import type { Setting, Settings, Texts, Values, ValuesOf } from '../shared/settings/setting.js';
import {
  attributesOf,
  initialValues,
  refusalSentence,
  refusedValues,
  valuesOf,
  withSettings,
} from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import type { FinishedRun } from './finished-run.js';
import {
  firstBuiltIn,
  kinds,
  lookSettings,
  settingsFor,
  storyLength,
  subjectSettings,
  textSource,
  type ModelKind,
} from './lab-settings.js';
import { directPathSettings, type LabSettings } from './settings.js';
import { sourceOf, type OwnText, type TextSource } from './text-source.js';
import { trainingLabStrings, type TrainingLabStrings } from './training-lab.strings.js';
import type { FinishedTransformerRun } from './transformer/finished-run.js';
import { transformerSettings, type ArmKind, type TransformerSettings } from './transformer/settings.js';

/** A setting that cannot be used, and a sentence that says why. */
export interface Refusal {
  readonly setting: string;
  readonly sentence: string;
}

/** What the settings need from the mode of the current kind of model. */
interface ModeOfSettings {
  /** Whether a finished run is drawn. */
  readonly showsFinished: boolean;
  readonly viewedStep: number | null;
  readonly controller: { readonly step: number };
  /** Settings of the viewed step, if they differ from the current ones. */
  readBack: () => Values;
  /** The first problem of the settings; null if they are valid. */
  refusal: (settings: object) => Refusal | null;
}

/** All settings of a run of either kind of model, and of its text. */
type RunProperties = Omit<LabSettings, 'arms'> &
  Omit<TransformerSettings, 'arms' | 'batchSize'> & { arms: readonly (Tying | ArmKind)[] } & ValuesOf<
    typeof subjectSettings
  >;

export type Changes = Partial<RunProperties>;

const perKind: Settings = { textSource, storyLength, ...directPathSettings, ...transformerSettings };

/** Values that depend on the kind of model are not set at first. */
const allSettings = {
  ...subjectSettings,
  ...lookSettings,
  ...Object.fromEntries(Object.entries(perKind).map(([name, setting]) => [name, { ...setting, initial: undefined }])),
} as unknown as { [Name in keyof RunProperties]: Setting<RunProperties[Name]> } & typeof lookSettings;

/**
 * The attributes of the training lab: their declarations, checks and meaning. Defaults of a run's settings depend on
 * the kind of model; settings that are not set get their defaults before the first drawing.
 */
export abstract class SettingsElement extends withSettings(TiedElement<TrainingLabStrings>, allSettings) {
  /** A text that the page provides; setting it makes `textSource` 'own'. */
  @property({ attribute: false }) text: string | null = null;
  /** Finished runs. One of them is shown while its settings are the current ones and until the reader starts a run. */
  @property({ attribute: false }) finished:
    FinishedRun | FinishedTransformerRun | readonly (FinishedRun | FinishedTransformerRun)[] | null = null;

  protected readonly ownStrings = trainingLabStrings;
  protected ownSource: OwnText | null = null;
  /** The settings of each kind of model when the reader last left it. */
  readonly #left = new Map<ModelKind, Values>();

  /** The mode of the current kind of model. */
  protected abstract get mode(): ModeOfSettings;

  /** @internal */
  override get texts(): TiedElement<TrainingLabStrings>['texts'] {
    return super.texts;
  }

  /** Steps done in the reader's own run. */
  protected get stepsDone(): number {
    return this.mode.showsFinished ? 0 : this.mode.controller.step;
  }

  /** @internal The run's settings in the current mode. */
  runSettings(): object {
    return valuesOf(kinds[this.model].run, this);
  }

  /** The declarations for the current kind of model, once it is known. */
  protected override get declared(): Settings {
    const { model } = this;
    return model in kinds ? { ...subjectSettings, ...settingsFor(model), ...lookSettings } : super.declared;
  }

  /** @internal */
  override panel(panel: Panel, slots?: Slots): Content {
    return super.panel(panel, slots);
  }

  /** @internal */
  override changeSettings(changes: Values): void {
    super.changeSettings(changes);
  }

  /** Fills in settings that are not set, and those that change with the kind of model. */
  #fillIn(changed: PropertyValues): void {
    const before = changed.get('model') as ModelKind | undefined;
    const found: Record<string, unknown> = initialValues(settingsFor(this.model));
    const values = this as unknown as Record<string, unknown>;
    if (!this.hasUpdated || before === undefined || before === this.model) {
      for (const [name, value] of Object.entries(found)) values[name] ??= value;
      return;
    }
    const leaving = settingsFor(before);
    this.#left.set(before, valuesOf(leaving, this));
    Object.assign(found, this.#left.get(this.model));
    // A text that the reader chose is kept when the kind of model changes.
    if (this.textSource !== leaving['textSource']?.initial) found['textSource'] = this.textSource;
    for (const [name, value] of Object.entries(found)) if (!changed.has(name)) values[name] = value;
  }

  /** Links also restore the step; embed code does not, because nothing may train before the reader starts it. */
  protected override settingsOfLink(): Record<string, string> {
    const atStep = this.stepsDone > 0 ? this.stepsDone : null;
    return this.#attributes({ ...this.mode.readBack(), linked: true, atStep, viewStep: this.mode.viewedStep });
  }

  protected override settings(): Record<string, string> {
    return this.#attributes({});
  }

  /** `others` override the current settings. */
  #attributes(others: Values): Record<string, string> {
    const runTo = this.stepsDone > 0 ? this.stepsDone : this.runTo;
    return attributesOf(this.declared, { ...this.settingValues, runTo, ...others });
  }

  protected override willUpdate(changed: PropertyValues): void {
    const problems = this.#refuse({ model: subjectSettings.model });
    this.#fillIn(changed);
    if (this.text !== null && this.text !== this.ownSource?.text) {
      this.ownSource = { kind: 'own', name: this.texts.pastedName, text: this.text };
      this.textSource = 'own';
    }
    problems.push(...this.#mend());
    if (this.textSource === 'built-in') this.textSource = firstBuiltIn;
    const { run } = kinds[this.model];
    const others = Object.fromEntries(Object.entries(this.declared).filter(([name]) => !(name in run)));
    problems.push(...this.#refuse(others));
    if (problems.length > 0) this.problem = problems.join(' ');
  }

  /** Replaces invalid settings with their defaults. Returns what to tell the reader. */
  #refuse(declared: Settings): string[] {
    const values = valuesOf(declared, this);
    return refusedValues(declared, values).flatMap((refused) => {
      const { name, used } = refused;
      Object.assign(this, { [name]: used });
      if (declared[name]?.reflect === false) return [];
      return [refusalSentence(declared, refused, values, this.texts as Texts)];
    });
  }

  /** Replaces refused settings of the run with their defaults. Returns what to tell the reader. */
  #mend(): string[] {
    const defaults: Values = initialValues(settingsFor(this.model));
    const settings: Record<string, unknown> = { ...this.runSettings() };
    const problems: string[] = [];
    for (let refused = this.mode.refusal(settings); refused !== null; refused = this.mode.refusal(settings)) {
      problems.push(refused.sentence);
      // If a default does not fit the other settings, all settings get their defaults.
      if (settings[refused.setting] === defaults[refused.setting]) {
        Object.assign(this, valuesOf(kinds[this.model].run, defaults));
        return problems;
      }
      settings[refused.setting] = defaults[refused.setting];
    }
    Object.assign(this, settings);
    return problems;
  }

  /** @internal The source that the attributes name; null for 'own' without a text. */
  wantedSource(): TextSource | null {
    return sourceOf(this) ?? this.ownSource;
  }
}
